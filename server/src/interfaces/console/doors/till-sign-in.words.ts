import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Quem está na caixa?',
  of: (merchant: string) => `Telemóvel da loja: ${merchant}`,
  choose: 'Escolha o seu nome e escreva o seu PIN.',
  names: labels.pt.name,
  pin: labels.pt.pinOfSixDigits,
  go: labels.pt.continue,
  locked: 'bloqueado',
  wrong: (left: number) =>
    left === 1
      ? 'O PIN está errado. Resta uma tentativa.'
      : `O PIN está errado. Restam ${left} tentativas.`,
  isLocked:
    'O PIN desta pessoa está bloqueado, por ter sido errado cinco vezes. Tem de entrar com a sua chave de acesso ou palavra-passe; quem não tem, pede um novo código QR a um proprietário.',
  notHere: 'Esta pessoa já não pode cobrar aqui com um PIN.',
  nobody: 'Ainda ninguém tem PIN',
  nobodyHint:
    'Cada pessoa define o seu PIN em «A minha conta», ou entra por um código QR que um proprietário cria na página da equipa.',
  noTill: 'Este telemóvel não é uma caixa',
  noTillHint:
    'Entre com a sua conta neste telemóvel e, em «A minha conta», escolha «Usar este telemóvel como caixa».',
  signIn: 'Entrar com a minha conta',
};

const en: typeof pt = {
  title: 'Who is at the till?',
  of: (merchant) => `Shared phone of ${merchant}`,
  choose: 'Choose your name, and type your PIN.',
  names: labels.en.name,
  pin: labels.en.pinOfSixDigits,
  go: labels.en.continue,
  locked: 'locked',
  wrong: (left) =>
    left === 1 ? 'The PIN is wrong. One try is left.' : `The PIN is wrong. ${left} tries are left.`,
  isLocked:
    'This person’s PIN is locked, because it was wrong five times. They must sign in with their passkey or password; those without ask an owner for a new QR code.',
  notHere: 'This person can no longer charge here with a PIN.',
  nobody: 'Nobody has a PIN yet',
  nobodyHint:
    'People set their PIN under “My account”, or join by a QR code that an owner makes on the team page.',
  noTill: 'This phone is not a till',
  noTillHint:
    'Sign in with your account on this phone, and choose “Use this phone as a till” under “My account”.',
  signIn: 'Sign in with my account',
};

export const words: Record<Language, typeof pt> = { pt, en };
