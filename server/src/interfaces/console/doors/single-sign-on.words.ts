import type { Refusal } from '../../../tenants/people/sso/sign-on.ts';
import type { Language } from '../words/common.ts';

const pt = {
  go: (label: string) => `Continuar com ${label}`,
  going: (label: string) => `A caminho de ${label}`,
  goingHint: 'Se nada acontecer, carregue no botão.',
  title: 'Não foi possível entrar',
  back: 'Voltar',
  why: {
    INVALID: 'O pedido expirou, já foi usado, ou foi recusado. Comece de novo.',
    UNKNOWN:
      'Essa conta da empresa não está ligada a nenhuma conta aqui. Se tem um convite, abra-o. Se já tem conta, entre como de costume e ligue-a em «A minha conta».',
    OTHER_EMAIL: 'O convite é para outro e-mail, ou a empresa não confirmou que esse e-mail é seu.',
    TAKEN: 'Essa conta da empresa já está ligada a uma conta.',
    OVER: 'O convite já não serve, ou o e-mail já tem conta. Nesse caso, entre com ela e abra o link de novo.',
    NOT_PROVEN: 'Não ficou provado que é você: entrou há muito tempo, ou com outra conta.',
    DOWN: 'Não responde neste momento. Tente de novo daqui a pouco, ou entre de outra maneira.',
  } as Record<Refusal, string>,
  identities: 'Conta da empresa',
  identitiesHint: (label: string) =>
    `Ligada a ${label}, entra aqui sem chave nem palavra-passe. Quem sai da empresa deixa de entrar.`,
  none: 'Ainda não está ligada.',
  since: 'Ligada em',
  connect: (label: string) => `Ligar a ${label}`,
  disconnect: 'Desligar',
};

const en: typeof pt = {
  go: (label) => `Continue with ${label}`,
  going: (label) => `On the way to ${label}`,
  goingHint: 'If nothing happens, press the button.',
  title: 'You could not be signed in',
  back: 'Go back',
  why: {
    INVALID: 'The request has expired, was used before, or was refused. Start again.',
    UNKNOWN:
      'This company account is connected with no account here. If you have an invitation, open it. If you have an account, sign in as usual and connect it under “My account”.',
    OTHER_EMAIL:
      'The invitation is for another e-mail, or the company has not verified that it is yours.',
    TAKEN: 'This company account is connected with an account already.',
    OVER: 'The invitation no longer works, or the e-mail has an account: then sign in with it, and open the link again.',
    NOT_PROVEN:
      'It was not proved that it is you: you signed in too long ago, or as somebody else.',
    DOWN: 'It does not answer just now. Try again in a moment, or sign in another way.',
  },
  identities: 'Company account',
  identitiesHint: (label) =>
    `Connected with ${label}, you come in without passkey or password. Who leaves the company is out.`,
  none: 'Not connected yet.',
  since: 'Connected on',
  connect: (label) => `Connect with ${label}`,
  disconnect: 'Disconnect',
};

export const words: Record<Language, typeof pt> = { pt, en };
