import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: (merchant: string) => `Trabalhar em ${merchant}`,
  again: 'Escolher um novo PIN',
  role: 'A sua função:',
  name: labels.pt.yourName,
  pin: labels.pt.pinOfSixDigits,
  pinHint: 'Serve nos telemóveis da loja. Escolha um que ninguém adivinhe, e não o diga a ninguém.',
  accept: labels.pt.savePin,
  orPasskey: 'Uso o meu próprio telemóvel',
  passkeyHint:
    'Com uma chave de acesso, cobra neste telemóvel: com a impressão digital, o rosto ou o PIN dele.',
  passkey: labels.pt.createAPasskey,
  welcome: 'Está tudo pronto',
  welcomeHint: 'No telemóvel da loja, escolha o seu nome e escreva o seu PIN.',
  toTill: 'Ir para a caixa',
  over: messages.pt.thisLinkNoLongerWorks,
};

const en: typeof pt = {
  title: (merchant) => `Work at ${merchant}`,
  again: 'Choose a new PIN',
  role: 'Your role:',
  name: labels.en.yourName,
  pin: labels.en.pinOfSixDigits,
  pinHint: 'For the shop’s phones. Choose one that nobody can guess, and tell it to nobody.',
  accept: labels.en.savePin,
  orPasskey: 'I use my own phone',
  passkeyHint: 'With a passkey, you charge on this phone: with its fingerprint, face or PIN.',
  passkey: labels.en.createAPasskey,
  welcome: 'You are ready',
  welcomeHint: 'On the shop’s phone, choose your name and type your PIN.',
  toTill: 'Go to the till',
  over: messages.en.thisLinkNoLongerWorks,
};

export const words: Record<Language, typeof pt> = { pt, en };
