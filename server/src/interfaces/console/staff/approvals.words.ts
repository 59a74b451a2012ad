import { labels } from '../../../platform/text/labels.ts';
import { approvalWords } from '../parts/approvals.words.ts';
import { accountWords } from '../parts/bank-account.words.ts';
import type { Language } from '../words/common.ts';
import { words as reviewWords } from './reviews.words.ts';
import { words as settlementWords } from './settlements.words.ts';

const pt = {
  ...approvalWords.pt,
  title: labels.pt.approvals,
  intro: 'Pedidos de uma pessoa da equipa do gateway que outra tem de aprovar.',
  nothing: labels.pt.nothingIsWaiting,
  nothingHint:
    'Os pedidos aparecem aqui quando FOUR_EYES exige duas pessoas para decidir transferências ou casos.',
  more: 'Há mais pedidos à espera: aparecem depois de decidir estes.',
  kinds: {
    SETTLEMENT_COMPLETE: 'O banco pagou uma transferência',
    SETTLEMENT_FAIL: 'O banco não pagou uma transferência',
    REVIEW_RESOLVE: 'A resposta do operador',
    REVIEW_CLOSE: labels.pt.closeUnchanged,
    BANK_ACCOUNT: accountWords.pt.change,
    TOP_UP: labels.pt.topUp,
  } as Record<string, string>,
  merchant: labels.pt.merchant,
  about: 'Sobre',
  net: labels.pt.amount,
  payoutRef: labels.pt.bankOrderFile,
  finding: labels.pt.theOperatorSaid,
  transaction: labels.pt.transaction,
  debited: 'Valor debitado',
  otherAmount: 'não é o valor do pagamento',
  unconfirmed: 'o operador não confirma este número',
  note: labels.pt.note,
  reason: labels.pt.reason,
  gone: 'Já não espera por uma decisão.',
  findings: reviewWords.pt.findings,
  failures: { ...approvalWords.pt.failures, ...reviewWords.pt.refused } as Record<string, string>,
  warnings: settlementWords.pt.warnings,
};

const en: typeof pt = {
  ...approvalWords.en,
  title: labels.en.approvals,
  intro: 'Requests by staff that another member of staff must approve.',
  nothing: labels.en.nothingIsWaiting,
  nothingHint:
    'Requests appear here where FOUR_EYES requires two people to decide payouts or review items.',
  more: 'More requests are waiting: they appear once these are decided.',
  kinds: {
    SETTLEMENT_COMPLETE: 'The bank has paid a payout',
    SETTLEMENT_FAIL: 'The bank has not paid a payout',
    REVIEW_RESOLVE: 'The operator’s answer',
    REVIEW_CLOSE: labels.en.closeUnchanged,
    BANK_ACCOUNT: accountWords.en.change,
    TOP_UP: labels.en.topUp,
  },
  merchant: labels.en.merchant,
  about: 'About',
  net: labels.en.amount,
  payoutRef: labels.en.bankOrderFile,
  finding: labels.en.theOperatorSaid,
  transaction: labels.en.transaction,
  debited: 'Amount debited',
  otherAmount: 'not the amount of the payment',
  unconfirmed: 'the operator does not confirm this number',
  note: labels.en.note,
  reason: labels.en.reason,
  gone: 'No decision is needed any more.',
  findings: reviewWords.en.findings,
  failures: { ...approvalWords.en.failures, ...reviewWords.en.refused },
  warnings: settlementWords.en.warnings,
};

export const words: Record<Language, typeof pt> = { pt, en };
