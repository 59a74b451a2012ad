import { labels } from '../../platform/text/labels.ts';
import type { Language } from '../../platform/text/language.ts';
import { messages } from '../../platform/text/messages.ts';
import type { Notice } from '../checkout/page/locale.ts';

/** What a receipt says of the payment as it is. */
export type ReceiptState =
  | 'PAID'
  | 'REFUNDED'
  | 'PARTIALLY_REFUNDED'
  | 'OPEN'
  | 'FAILED'
  | 'CANCELLED'
  | 'EXPIRED';

interface ReceiptWords {
  title: string;
  /** In the place of the title where nothing was paid. */
  payment: string;
  receiptOf(shop: string): string;
  paid: string;
  asked: string;
  states: Record<ReceiptState, string>;
  /** Where it proves no payment, or money was given back. */
  notices: Partial<Record<ReceiptState, Notice>>;
  asOf: string;
  phone: string;
  order: string;
  /** The tax number of the customer, from the payment's metadata. */
  buyer: string;
  /** The shop's invoice, from the payment's metadata. */
  invoice: string;
  about: string;
  bought: string;
  total: string;
  givenBack: string;
  refundOn(date: string): string;
  refundPending: string;
  refundReference: string;
  kept: string;
  wrongDebits: string;
  wentBack: string;
  taxNumber: string;
  print: string;
  share: string;
  copy: string;
  copied: string;
  lasting: string;
  noInvoice: string;
  test: string;
  notFound: Notice;
}

const pt: ReceiptWords = {
  title: labels.pt.receipt,
  payment: labels.pt.payment,
  receiptOf: (shop) => `Recibo de ${shop}`,
  paid: 'Valor pago',
  asked: 'Valor pedido',
  states: {
    PAID: labels.pt.paid,
    REFUNDED: labels.pt.refunded,
    PARTIALLY_REFUNDED: labels.pt.partlyRefunded,
    OPEN: 'Ainda não pago',
    FAILED: labels.pt.notPaid,
    CANCELLED: labels.pt.notPaid,
    EXPIRED: labels.pt.notPaid,
  },
  notices: {
    REFUNDED: {
      title: 'Este pagamento foi reembolsado',
      advice: messages.pt.shopRefundedAll,
    },
    PARTIALLY_REFUNDED: {
      title: 'Este pagamento foi reembolsado em parte',
      advice: 'A loja devolveu os valores indicados em baixo à conta usada no pagamento.',
    },
    OPEN: {
      title: 'Ainda não pago',
      advice: 'O pagamento ainda não foi confirmado. Por agora, esta página não é um comprovativo.',
    },
    FAILED: {
      title: labels.pt.notPaid,
      advice: 'O pagamento foi recusado ou falhou. Esta página não é um comprovativo de pagamento.',
    },
    CANCELLED: {
      title: labels.pt.notPaid,
      advice: 'O pagamento foi cancelado. Esta página não é um comprovativo de pagamento.',
    },
    EXPIRED: {
      title: labels.pt.notPaid,
      advice:
        'O pagamento não foi confirmado a tempo. Esta página não é um comprovativo de pagamento.',
    },
  },
  asOf: labels.pt.requestedOn,
  phone: labels.pt.mobileNumber,
  order: labels.pt.order,
  buyer: 'NIF do cliente',
  invoice: 'Fatura da loja',
  about: labels.pt.description,
  bought: 'Artigos',
  total: 'Total',
  givenBack: labels.pt.refunds,
  refundOn: (date) => `Reembolsado em ${date}`,
  refundPending: 'Reembolso a caminho',
  refundReference: labels.pt.transaction,
  kept: 'Pago após reembolsos',
  wrongDebits: 'Debitado por engano',
  wentBack: 'Devolvido automaticamente',
  taxNumber: labels.pt.taxNumber,
  print: labels.pt.print,
  share: 'Partilhar',
  copy: labels.pt.copyLink,
  copied: 'Link copiado',
  lasting: 'Guarde o link desta página: o recibo fica sempre aqui.',
  noInvoice: 'É um comprovativo de pagamento. Não é uma fatura, nem a substitui.',
  test: 'Modo de teste: recibo sem valor',
  notFound: {
    title: 'Recibo não encontrado',
    advice: 'Verifique se o link está completo ou peça outro à loja.',
  },
};

const en: ReceiptWords = {
  title: labels.en.receipt,
  payment: labels.en.payment,
  receiptOf: (shop) => `Receipt from ${shop}`,
  paid: 'Amount paid',
  asked: 'Amount requested',
  states: {
    PAID: labels.en.paid,
    REFUNDED: labels.en.refunded,
    PARTIALLY_REFUNDED: labels.en.partlyRefunded,
    OPEN: 'Not paid yet',
    FAILED: labels.en.notPaid,
    CANCELLED: labels.en.notPaid,
    EXPIRED: labels.en.notPaid,
  },
  notices: {
    REFUNDED: {
      title: 'This payment was refunded',
      advice: messages.en.shopRefundedAll,
    },
    PARTIALLY_REFUNDED: {
      title: 'This payment was partly refunded',
      advice: 'The shop refunded the amounts listed below to the account that paid.',
    },
    OPEN: {
      title: 'Not paid yet',
      advice: 'The payment has not been confirmed. For now, this page is not proof of payment.',
    },
    FAILED: {
      title: labels.en.notPaid,
      advice: 'The payment was declined or failed. This page is not proof of payment.',
    },
    CANCELLED: {
      title: labels.en.notPaid,
      advice: 'The payment was cancelled. This page is not proof of payment.',
    },
    EXPIRED: {
      title: labels.en.notPaid,
      advice: 'The payment was not confirmed in time. This page is not proof of payment.',
    },
  },
  asOf: labels.en.requestedOn,
  phone: labels.en.mobileNumber,
  order: labels.en.order,
  buyer: 'Customer’s tax number (NIF)',
  invoice: 'The shop’s invoice',
  about: labels.en.description,
  bought: 'Items',
  total: 'Total',
  givenBack: labels.en.refunds,
  refundOn: (date) => `Refunded on ${date}`,
  refundPending: 'Refund on its way',
  refundReference: labels.en.transaction,
  kept: 'Paid after refunds',
  wrongDebits: 'Debited by mistake',
  wentBack: 'Returned automatically',
  taxNumber: labels.en.taxNumber,
  print: labels.en.print,
  share: 'Share',
  copy: labels.en.copyLink,
  copied: 'Link copied',
  lasting: 'Keep the link to this page: the receipt stays here.',
  noInvoice: 'This receipt is proof of payment. It is not an invoice, and does not replace one.',
  test: 'Test mode: this receipt has no value',
  notFound: {
    title: 'Receipt not found',
    advice: 'Check that the link is complete, or ask the shop for it again.',
  },
};

export const receiptWords: Record<Language, ReceiptWords> = { pt, en };
