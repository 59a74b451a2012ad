import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: (merchant: string) => `Convite de ${merchant}`,
  staffTitle: 'Convite para a equipa do gateway',
  role: 'A sua função será:',
  isFor: 'Este convite é para',
  reset: 'Repor o acesso',
  resetHint:
    'Escolha de novo como quer entrar. A palavra-passe, os códigos e as chaves de acesso anteriores deixam de servir, e as sessões abertas terminam.',
  name: labels.pt.yourName,
  passkey: labels.pt.createAPasskey,
  passkeyHint:
    'O mais simples e o mais seguro: entra com a impressão digital, o rosto ou o PIN deste dispositivo.',
  orPassword: messages.pt.preferPassword,
  accept: 'Continuar com palavra-passe',
  welcome: 'Bem-vindo',
  haveAccount: 'Já tem conta com este e-mail?',
  accountExists: 'Já existe uma conta com este e-mail. Entre, e voltará a esta página.',
  signIn: labels.pt.signIn,
  otherAccount: (email: string) =>
    `O convite é para outro e-mail, e a sua sessão é de ${email}. Termine-a e abra o link de novo.`,
  nameTaken:
    'Alguém desta equipa já tem o seu nome. Altere-o em «A minha conta», por exemplo com o apelido, e abra o link de novo.',
  join: labels.pt.acceptTheInvitation,
  over: messages.pt.thisLinkNoLongerWorks,
  overHint: 'Já foi usado, foi revogado ou expirou. Peça um novo a quem lho enviou.',
};

const en: typeof pt = {
  title: (merchant: string) => `Invitation from ${merchant}`,
  staffTitle: 'Invitation to the gateway’s staff',
  role: 'Your role will be:',
  isFor: 'This invitation is for',
  reset: 'Reset your access',
  resetHint:
    'Choose again how to sign in. Your previous password, codes and passkeys stop working, and open sessions end.',
  name: labels.en.yourName,
  passkey: labels.en.createAPasskey,
  passkeyHint:
    'The simplest and safest way: you sign in with the fingerprint, face or PIN of this device.',
  orPassword: messages.en.preferPassword,
  accept: 'Continue with a password',
  welcome: 'Welcome',
  haveAccount: 'Do you already have an account with this e-mail?',
  accountExists:
    'An account with this e-mail already exists. Sign in, and you will return to this page.',
  signIn: labels.en.signIn,
  otherAccount: (email: string) =>
    `The invitation is for another e-mail, and you are signed in as ${email}. Sign out, and open the link again.`,
  nameTaken:
    'Somebody on this team has your name. Change yours under “My account”, for example with the surname, and open the link again.',
  join: labels.en.acceptTheInvitation,
  over: messages.en.thisLinkNoLongerWorks,
  overHint: 'The link was used or revoked, or has expired. Ask the sender for a new one.',
};

export const words: Record<Language, typeof pt> = { pt, en };
