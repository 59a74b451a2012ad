import type { Language } from '../words/common.ts';

const pt = {
  title: (merchant: string) => `${merchant} convida-o`,
  staffTitle: 'Convite para a equipa do gateway',
  role: 'A sua função será:',
  isFor: 'Este convite é para',
  reset: 'Recomeçar',
  resetHint:
    'Escolha de novo como entra. A palavra-passe, os códigos e as chaves de acesso de antes deixam de servir, e as sessões abertas terminam.',
  name: 'O seu nome',
  passkey: 'Criar uma chave de acesso',
  passkeyHint:
    'O mais simples e o mais seguro: entra com a impressão digital, o rosto ou o PIN deste dispositivo.',
  orPassword: 'Prefiro palavra-passe e códigos',
  accept: 'Continuar com palavra-passe',
  welcome: 'Bem-vindo',
  haveAccount: 'Já tem conta com este e-mail?',
  accountExists: 'Já existe uma conta com este e-mail. Entre, e volta a esta página.',
  signIn: 'Entrar',
  otherAccount: (email: string) =>
    `O convite é para outro e-mail, e a sua sessão é de ${email}. Termine-a e abra o link de novo.`,
  join: 'Aceitar o convite',
  over: 'Este link já não serve',
  overHint: 'Foi usado, revogado, ou expirou. Peça um novo a quem lho enviou.',
};

const en: typeof pt = {
  title: (merchant: string) => `${merchant} invites you`,
  staffTitle: 'You are invited to the staff of the gateway',
  role: 'Your role will be:',
  isFor: 'This invitation is for',
  reset: 'Start afresh',
  resetHint:
    'Choose again how you sign in. The password, codes and passkeys of before stop working, and open sessions end.',
  name: 'Your name',
  passkey: 'Create a passkey',
  passkeyHint:
    'The simplest way and the safest: you sign in with the fingerprint, face or PIN of this device.',
  orPassword: 'I prefer a password and codes',
  accept: 'Continue with a password',
  welcome: 'Welcome',
  haveAccount: 'Do you already have an account with this e-mail?',
  accountExists: 'An account with this e-mail exists. Sign in, and you come back to this page.',
  signIn: 'Sign in',
  otherAccount: (email: string) =>
    `The invitation is for another e-mail, and you are signed in as ${email}. Sign out, and open the link again.`,
  join: 'Accept the invitation',
  over: 'This link no longer works',
  overHint: 'It was used or revoked, or has expired. Ask whoever sent it for a new one.',
};

export const words: Record<Language, typeof pt> = { pt, en };
