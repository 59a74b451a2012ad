import type { Language } from '../words/common.ts';

const pt = {
  title: 'Entrar',
  passkey: 'Entrar com chave de acesso',
  passkeyHint: 'Com a impressão digital, o rosto ou o PIN deste dispositivo.',
  orPassword: 'Com palavra-passe e código',
  email: 'E-mail',
  password: 'Palavra-passe',
  code: 'Código',
  codeHint: 'O que a sua aplicação de códigos mostra, ou um código de recuperação.',
  signIn: 'Entrar',
  wrong: 'O e-mail, a palavra-passe ou o código não estão certos.',
  wrongPasskey: 'Esta chave de acesso não é conhecida aqui, ou o pedido já expirou. Tente de novo.',
  signedOut: 'Terminou a sessão.',
  lost: 'Não consegue entrar?',
  lostHint:
    'Quem gere este sistema pode criar um link para repor o seu acesso: «zimbo people reset», seguido do seu e-mail.',
};

const en: typeof pt = {
  title: 'Sign in',
  passkey: 'Sign in with a passkey',
  passkeyHint: 'With the fingerprint, face or PIN of this device.',
  orPassword: 'With password and code',
  email: 'E-mail',
  password: 'Password',
  code: 'Code',
  codeHint: 'From your authenticator app, or a recovery code.',
  signIn: 'Sign in',
  wrong: 'The e-mail, the password or the code is wrong.',
  wrongPasskey: 'This passkey is not known here, or the request has expired. Try again.',
  signedOut: 'You have signed out.',
  lost: 'Cannot sign in?',
  lostHint:
    'The gateway’s staff can create a link to reset your access: “zimbo people reset”, followed by your e-mail.',
};

export const words: Record<Language, typeof pt> = { pt, en };
