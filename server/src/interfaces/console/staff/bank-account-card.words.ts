import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.bankAccount,
  hint: 'Para onde vão as transferências criadas a partir de agora. As anteriores mantêm a sua conta.',
  none: 'Ainda não há conta: o ficheiro para o banco só tem os valores.',
  since: labels.pt.since,
  until: labels.pt.until,
  change: 'Alterar a conta',
  save: 'Alterar a conta',
  ask: 'Pedir a alteração',
  numberHint: 'Um IBAN, ou um NIB de 21 algarismos.',
  bicHint: 'Opcional.',
  needsTwo: 'Outra pessoa da equipa do gateway tem de aprovar a alteração, na página Aprovações.',
  waiting: 'À espera da aprovação de outra pessoa',
  askedBy: labels.pt.requestedBy,
  askedAt: labels.pt.requestedOn,
  gone: labels.pt.aRemovedAccount,
  history: 'Contas anteriores',
  whoChanged: 'Quem alterou esta conta?',
};

const en: typeof pt = {
  title: labels.en.bankAccount,
  hint: 'Where payouts created from now on go. Earlier ones keep their account.',
  none: 'No account yet: the file for the bank contains only amounts.',
  since: labels.en.since,
  until: labels.en.until,
  change: 'Change the account',
  save: 'Change the account',
  ask: 'Request the change',
  numberHint: 'An IBAN, or a NIB of 21 digits.',
  bicHint: 'Optional.',
  needsTwo: 'Another member of staff must approve the change, on the page Approvals.',
  waiting: 'Waiting for another person’s approval',
  askedBy: labels.en.requestedBy,
  askedAt: labels.en.requestedOn,
  gone: labels.en.aRemovedAccount,
  history: 'Earlier accounts',
  whoChanged: 'Who changed this account?',
};

export const words: Record<Language, typeof pt> = { pt, en };
