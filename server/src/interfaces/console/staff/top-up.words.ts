import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  card: 'Carregamentos do saldo',
  title: labels.pt.topUpTheBalance,
  hint: 'Transferências deste estabelecimento para a conta bancária do gateway, para ter saldo para enviar.',
  merchant: labels.pt.merchant,
  amount: labels.pt.amount,
  currency: labels.pt.currency,
  reference: 'Referência do banco',
  referenceHint: 'Tal como está no extrato do banco. Cada transferência conta uma só vez.',
  check: labels.pt.continue,
  summary: 'Confirme o carregamento',
  note: 'Confira o valor e a referência com o extrato do banco. Um carregamento não se pode desfazer.',
  book: labels.pt.topUpTheBalance,
  ask: labels.pt.requestApproval,
  change: labels.pt.change,
  needsTwo:
    'Outra pessoa da equipa do gateway tem de aprovar o carregamento, na página Aprovações.',
  waiting: 'À espera da aprovação de outra pessoa',
  askedBy: labels.pt.requestedBy,
  askedAt: labels.pt.requestedOn,
  gone: labels.pt.aRemovedAccount,
  booked: 'Esta transferência já foi carregada, ou já há um pedido para a carregar.',
  wrong: {
    amount: messages.pt.enterAmount,
    currency: 'Escolha uma moeda.',
    bankReference: 'De 1 a 140 caracteres visíveis.',
  },
};

const en: typeof pt = {
  card: 'Top-ups of the balance',
  title: labels.en.topUpTheBalance,
  hint: 'Transfers of this merchant to the gateway’s bank account, so that it has a balance to send.',
  merchant: labels.en.merchant,
  amount: labels.en.amount,
  currency: labels.en.currency,
  reference: 'Bank reference',
  referenceHint: 'As on the bank’s statement. Each transfer counts once.',
  check: labels.en.continue,
  summary: 'Confirm the top-up',
  note: 'Compare amount and reference with the bank’s statement. A top-up cannot be undone.',
  book: labels.en.topUpTheBalance,
  ask: labels.en.requestApproval,
  change: labels.en.change,
  needsTwo: 'Another member of staff must approve the top-up, on the page Approvals.',
  waiting: 'Waiting for another person’s approval',
  askedBy: labels.en.requestedBy,
  askedAt: labels.en.requestedOn,
  gone: labels.en.aRemovedAccount,
  booked: 'This transfer is booked already, or somebody has requested it.',
  wrong: {
    amount: messages.en.enterAmount,
    currency: 'Choose a currency.',
    bankReference: '1 to 140 visible characters.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
