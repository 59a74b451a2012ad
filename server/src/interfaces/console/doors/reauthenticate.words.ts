import type { Language } from '../words/common.ts';

const pt = {
  title: 'Confirme que é você',
  why: 'O que vai fazer mexe com dinheiro, ou com quem pode entrar. Durante dez minutos não lhe voltamos a perguntar.',
  passkey: 'Confirmar com chave de acesso',
  withPassword: 'Com palavra-passe e código',
  password: 'Palavra-passe',
  code: 'Código',
  codeHint: 'O que a sua aplicação de códigos mostra, ou um código de recuperação.',
  go: 'Confirmar',
  wrong: 'A palavra-passe ou o código não estão certos. Cada código serve uma só vez.',
  wrongPasskey: 'Esta chave de acesso não é sua, ou o pedido já expirou. Tente de novo.',
  back: 'Voltar atrás',
};

const en: typeof pt = {
  title: 'Prove that it is you',
  why: 'What you are about to do moves money, or decides who can get in. We do not ask again for ten minutes.',
  passkey: 'Prove it with a passkey',
  withPassword: 'With password and code',
  password: 'Password',
  code: 'Code',
  codeHint: 'The one that your app for codes shows, or a recovery code.',
  go: 'Continue',
  wrong: 'Password or code are not right. Each code works once only.',
  wrongPasskey: 'This passkey is not yours, or the request has expired. Try again.',
  back: 'Go back',
};

export const words: Record<Language, typeof pt> = { pt, en };
