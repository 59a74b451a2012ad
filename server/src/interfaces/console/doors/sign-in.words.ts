import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.signIn,
  passkey: 'Entrar com chave de acesso',
  passkeyHint: 'Com a impressão digital, o rosto ou o PIN deste dispositivo.',
  orPassword: labels.pt.withPasswordAndCode,
  email: labels.pt.email,
  password: labels.pt.password,
  code: labels.pt.code,
  codeHint: messages.pt.codeHint,
  signIn: labels.pt.signIn,
  wrong: 'O e-mail, a palavra-passe ou o código não estão certos.',
  wrongPasskey: 'Esta chave de acesso não é conhecida aqui, ou o pedido já expirou. Tente de novo.',
  signedOut: 'Terminou a sessão.',
  lost: 'Não consegue entrar?',
  lostHint:
    'Quem gere o gateway pode criar um link para repor o seu acesso: «zimbo people reset», seguido do seu e-mail.',
};

const en: typeof pt = {
  title: labels.en.signIn,
  passkey: 'Sign in with a passkey',
  passkeyHint: 'With the fingerprint, face or PIN of this device.',
  orPassword: labels.en.withPasswordAndCode,
  email: labels.en.email,
  password: labels.en.password,
  code: labels.en.code,
  codeHint: messages.en.codeHint,
  signIn: labels.en.signIn,
  wrong: 'The e-mail, the password or the code is wrong.',
  wrongPasskey: 'This passkey is not known here, or the request has expired. Try again.',
  signedOut: 'You have signed out.',
  lost: 'Cannot sign in?',
  lostHint:
    'The gateway’s staff can create a link to reset your access: “zimbo people reset”, followed by your e-mail.',
};

export const words: Record<Language, typeof pt> = { pt, en };
