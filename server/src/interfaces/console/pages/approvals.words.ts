import { approvalWords } from '../parts/approvals.words.ts';
import type { Language } from '../words/common.ts';

const pt = {
  ...approvalWords.pt,
  title: 'Aprovações',
  intro: 'O que uma pessoa pede e outra tem de aprovar.',
  nothing: 'Nada à espera',
  nothingHint: 'Os pedidos aparecem aqui, por exemplo um reembolso de valor alto.',
  kinds: { REFUND: 'Reembolso', LIVE_KEY: 'Chave real da API' } as Record<string, string>,
  of: 'Pagamento',
  amount: 'Montante',
  reason: 'Motivo',
  label: 'Nome',
  permissions: 'Pode',
  addresses: 'Endereços permitidos',
  everywhere: 'Todos',
  keyExpires: 'Expira',
  maxPayment: 'Máximo por pagamento',
  maxRefunded: 'Máximo de reembolsos por dia',
  noLimit: 'Sem limite',
  collect: 'Criar a chave',
  collectHint: 'O pedido foi aprovado. A chave aparece uma só vez.',
};

const en: typeof pt = {
  ...approvalWords.en,
  title: 'Approvals',
  intro: 'Requests by one person that another must approve.',
  nothing: 'Nothing is waiting',
  nothingHint: 'Requests appear here, for example a large refund.',
  kinds: { REFUND: 'Refund', LIVE_KEY: 'Live API key' },
  of: 'Payment',
  amount: 'Amount',
  reason: 'Reason',
  label: 'Label',
  permissions: 'May',
  addresses: 'Allowed addresses',
  everywhere: 'All',
  keyExpires: 'Expires',
  maxPayment: 'Limit per payment',
  maxRefunded: 'Daily refund limit',
  noLimit: 'No limit',
  collect: 'Create the key',
  collectHint: 'The request is approved. The key is shown only once.',
};

export const words: Record<Language, typeof pt> = { pt, en };
