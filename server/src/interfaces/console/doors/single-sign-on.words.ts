import { labels } from '../../../platform/text/labels.ts';
import type { Refusal } from '../../../tenants/people/sso/sign-on.ts';
import type { Language } from '../words/common.ts';

const pt = {
  go: (label: string) => `Continuar com ${label}`,
  going: (label: string) => `A abrir ${label}…`,
  goingHint: 'Se nada acontecer, carregue no botão.',
  title: 'Não foi possível entrar',
  back: labels.pt.back,
  why: {
    INVALID: 'O pedido expirou, já foi usado, ou foi recusado. Comece de novo.',
    UNKNOWN:
      'Essa conta da empresa não está ligada a nenhuma conta aqui. Se tem um convite, abra-o. Se já tem conta, entre como de costume e ligue-a em «A minha conta».',
    OTHER_EMAIL: 'O convite é para outro e-mail, ou a empresa não confirmou que esse e-mail é seu.',
    TAKEN: 'Essa conta da empresa já está ligada a uma conta.',
    OVER: 'O convite já não é válido, ou o e-mail já tem conta. Nesse caso, entre com ela e abra o link de novo.',
    NOT_PROVEN:
      'Não foi possível confirmar a sua identidade: entrou há muito tempo, ou com outra conta.',
    DOWN: 'O serviço da empresa não responde neste momento. Tente de novo daqui a pouco, ou entre de outra maneira.',
  } as Record<Refusal, string>,
  identities: 'Conta da empresa',
  identitiesHint: (label: string) =>
    `Com a conta ${label} ligada, entra aqui sem chave de acesso nem palavra-passe. Quem sai da empresa deixa de poder entrar.`,
  none: 'Ainda não está ligada.',
  since: 'Ligada em',
  connect: (label: string) => `Ligar a ${label}`,
  disconnect: 'Desligar',
};

const en: typeof pt = {
  go: (label) => `Continue with ${label}`,
  going: (label) => `On the way to ${label}`,
  goingHint: 'If nothing happens, press the button.',
  title: 'Sign-in failed',
  back: labels.en.back,
  why: {
    INVALID: 'The request has expired, was already used, or was refused. Start again.',
    UNKNOWN:
      'This company account is not connected to any account here. If you have an invitation, open it. If you have an account, sign in as usual and connect it under “My account”.',
    OTHER_EMAIL:
      'The invitation is for another e-mail, or the company has not verified that the e-mail is yours.',
    TAKEN: 'This company account is already connected to an account.',
    OVER: 'The invitation no longer works, or the e-mail already has an account. In that case, sign in with it and open the link again.',
    NOT_PROVEN:
      'Your identity could not be confirmed: you signed in too long ago, or with another account.',
    DOWN: 'The company’s sign-in service does not answer right now. Try again in a moment, or sign in another way.',
  },
  identities: 'Company account',
  identitiesHint: (label) =>
    `Connected to ${label}, you sign in without a passkey or password. People who leave the company can no longer sign in.`,
  none: 'Not connected yet.',
  since: 'Connected on',
  connect: (label) => `Connect to ${label}`,
  disconnect: 'Disconnect',
};

export const words: Record<Language, typeof pt> = { pt, en };
