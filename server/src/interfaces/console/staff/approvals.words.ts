import { approvalWords } from '../parts/approvals.words.ts';
import { accountWords } from '../parts/bank-account.words.ts';
import type { Language } from '../words/common.ts';
import { words as reviewWords } from './reviews.words.ts';
import { words as settlementWords } from './settlements.words.ts';

const pt = {
  ...approvalWords.pt,
  title: 'Aprovações',
  intro: 'O que alguém da equipa do gateway pede e outra pessoa dela tem de aprovar.',
  nothing: 'Nada à espera',
  nothingHint:
    'Os pedidos aparecem aqui, onde FOUR_EYES pede duas pessoas para decidir transferências ou o que espera por decisão.',
  more: 'Há mais pedidos à espera: aparecem quando estes estiverem decididos.',
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
  intro: 'What one of the staff asks for and somebody else of them has to approve.',
  nothing: 'Nothing is waiting',
  nothingHint:
    'Requests appear here where FOUR_EYES asks for two people to decide payouts, or what waits for a decision.',
  more: 'More requests wait: they appear once these are decided.',
  kinds: {
    SETTLEMENT_COMPLETE: 'The bank has paid a payout',
    SETTLEMENT_FAIL: 'The bank has not paid a payout',
    REVIEW_RESOLVE: 'What the operator told',
    REVIEW_CLOSE: 'Close without changing anything',
    BANK_ACCOUNT: accountWords.en.change,
  },
  merchant: 'Merchant',
  about: 'About',
  net: 'Amount',
  payoutRef: 'Reference at the bank',
  finding: 'The operator told',
  transaction: 'Transaction',
  debited: 'Amount debited',
  otherAmount: 'not the amount of the payment',
  note: 'Note',
  reason: 'Reason',
  gone: 'It no longer waits for a decision.',
  findings: reviewWords.en.findings,
  failures: { ...approvalWords.en.failures, ...reviewWords.en.refused },
  warnings: settlementWords.en.warnings,
};

export const words: Record<Language, typeof pt> = { pt, en };
