import type { Language } from '../words/common.ts';

const pt = {
  title: 'Conta bancária',
  hint: 'Para onde vão as transferências cortadas a partir de agora. As anteriores mantêm a sua conta.',
  none: 'Ainda não há conta: o ficheiro para o banco diz apenas quanto.',
  since: 'Desde',
  until: 'Até',
  change: 'Mudar a conta',
  save: 'Mudar a conta',
  ask: 'Pedir a mudança',
  numberHint: 'Um IBAN, ou um NIB de 21 algarismos.',
  bicHint: 'Facultativo.',
  needsTwo: 'Outra pessoa da equipa do gateway tem de aprovar a mudança, na página Aprovações.',
  waiting: 'À espera da aprovação de outra pessoa',
  askedBy: 'Pedido por',
  askedAt: 'Pedido em',
  gone: 'uma conta removida',
  history: 'Contas anteriores',
};

const en: typeof pt = {
  title: 'Bank account',
  hint: 'Where payouts go that are cut from now on. Earlier ones keep their account.',
  none: 'There is no account yet: the file for the bank says only how much.',
  since: 'Since',
  until: 'Until',
  change: 'Change the account',
  save: 'Change the account',
  ask: 'Ask for the change',
  numberHint: 'An IBAN, or a NIB of 21 digits.',
  bicHint: 'Optional.',
  needsTwo: 'Somebody else of the staff has to approve the change, on the page Approvals.',
  waiting: 'Waiting for the approval of somebody else',
  askedBy: 'Asked by',
  askedAt: 'Asked on',
  gone: 'an account that was removed',
  history: 'Earlier accounts',
};

export const words: Record<Language, typeof pt> = { pt, en };
