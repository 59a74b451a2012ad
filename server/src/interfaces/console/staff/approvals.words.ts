import { approvalWords } from '../parts/approvals.words.ts';
import { accountWords } from '../parts/bank-account.words.ts';
import type { Language } from '../words/common.ts';
import { words as reviewWords } from './reviews.words.ts';
import { words as settlementWords } from './settlements.words.ts';

const pt = {
  ...approvalWords.pt,
  title: 'Aprovações',
  intro: 'Pedidos de uma pessoa da equipa do gateway que outra tem de aprovar.',
  nothing: 'Nada à espera',
  nothingHint:
    'Os pedidos aparecem aqui quando FOUR_EYES exige duas pessoas para decidir transferências ou casos.',
  more: 'Há mais pedidos à espera: aparecem depois de decidir estes.',
  kinds: {
    SETTLEMENT_COMPLETE: 'O banco pagou uma transferência',
    SETTLEMENT_FAIL: 'O banco não pagou uma transferência',
    REVIEW_RESOLVE: 'O que o operador disse',
    REVIEW_CLOSE: 'Fechar sem mudar nada',
    BANK_ACCOUNT: accountWords.pt.change,
  } as Record<string, string>,
  merchant: 'Estabelecimento',
  about: 'Sobre',
  net: 'Montante',
  payoutRef: 'Referência no banco',
  finding: 'O operador disse',
  transaction: 'Transação',
  debited: 'Montante debitado',
  otherAmount: 'não é o montante do pagamento',
  note: 'Nota',
  reason: 'Motivo',
  gone: 'Já não espera por uma decisão.',
  findings: reviewWords.pt.findings,
  failures: { ...approvalWords.pt.failures, ...reviewWords.pt.refused } as Record<string, string>,
  warnings: settlementWords.pt.warnings,
};

const en: typeof pt = {
  ...approvalWords.en,
  title: 'Approvals',
  intro: 'Requests by staff that another member of staff must approve.',
  nothing: 'Nothing is waiting',
  nothingHint:
    'Requests appear here where FOUR_EYES requires two people to decide payouts or review items.',
  more: 'More requests are waiting: they appear once these are decided.',
  kinds: {
    SETTLEMENT_COMPLETE: 'The bank has paid a payout',
    SETTLEMENT_FAIL: 'The bank has not paid a payout',
    REVIEW_RESOLVE: 'The operator’s answer',
    REVIEW_CLOSE: 'Close without changing anything',
    BANK_ACCOUNT: accountWords.en.change,
  },
  merchant: 'Merchant',
  about: 'About',
  net: 'Amount',
  payoutRef: 'Reference at the bank',
  finding: 'The operator said',
  transaction: 'Transaction',
  debited: 'Amount debited',
  otherAmount: 'not the amount of the payment',
  note: 'Note',
  reason: 'Reason',
  gone: 'No decision is needed any more.',
  findings: reviewWords.en.findings,
  failures: { ...approvalWords.en.failures, ...reviewWords.en.refused },
  warnings: settlementWords.en.warnings,
};

export const words: Record<Language, typeof pt> = { pt, en };
