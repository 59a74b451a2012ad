import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Confirme a sua identidade',
  why: 'O que vai fazer movimenta dinheiro, ou decide quem pode entrar. Durante dez minutos, não voltamos a perguntar.',
  passkey: 'Confirmar com chave de acesso',
  withPassword: labels.pt.withPasswordAndCode,
  password: labels.pt.password,
  code: labels.pt.code,
  codeHint: messages.pt.codeHint,
  go: 'Confirmar',
  wrong: 'A palavra-passe ou o código não estão certos. Cada código serve uma só vez.',
  wrongPasskey: 'Esta chave de acesso não é sua, ou o pedido já expirou. Tente de novo.',
  back: labels.pt.back,
};

const en: typeof pt = {
  title: 'Confirm your identity',
  why: 'What you are about to do moves money, or decides who can get in. We will not ask again for ten minutes.',
  passkey: 'Confirm with a passkey',
  withPassword: labels.en.withPasswordAndCode,
  password: labels.en.password,
  code: labels.en.code,
  codeHint: messages.en.codeHint,
  go: 'Confirm',
  wrong: 'The password or the code is wrong. Each code works only once.',
  wrongPasskey: 'This passkey is not yours, or the request has expired. Try again.',
  back: labels.en.back,
};

export const words: Record<Language, typeof pt> = { pt, en };
