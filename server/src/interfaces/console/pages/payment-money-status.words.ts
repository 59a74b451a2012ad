import { type Html, html } from '../../../platform/text/html.ts';
import type { Language } from '../words/common.ts';

/** Where the money of a payment is, for somebody who has the customer on the phone. */
const pt = {
  CREATED: 'O cliente ainda não pagou. O pedido vai a caminho do operador.',
  OPERATOR_PENDING: 'O cliente ainda não pagou. O pedido está no operador.',
  USER_CONFIRMING: 'O cliente ainda não pagou. Falta confirmar com o PIN no telemóvel.',
  nothingTaken: 'Nada foi debitado ao cliente.',
  stillWatched:
    'O cliente não pagou. Se o operador ainda lhe debitar o valor, o dinheiro é devolvido automaticamente.',
  unclear:
    'O operador ainda não disse se fez o débito ao cliente. Uma pessoa está a esclarecer o caso com o operador.',
  returned: (amount: Html) =>
    html`Houve um débito por engano, e o cliente já tem o dinheiro de volta: ${amount}.`,
  returning: (amount: Html) =>
    html`Houve um débito por engano. O dinheiro está a ser devolvido ao cliente: ${amount}.`,
  held: (amount: Html) =>
    html`Houve um débito por engano. Uma pessoa tem de tratar da devolução ao cliente: ${amount}.`,
  paid: 'O cliente pagou.',
  refunded: (amount: Html, at: Html) =>
    html`O dinheiro já voltou para o cliente: ${amount}, ${at}.`,
  refunding: (amount: Html) =>
    html`O reembolso está no operador, e o cliente ainda não o recebeu: ${amount}.`,
  refundFailed:
    'O último reembolso falhou, e esse dinheiro ficou no seu saldo. Pode pedi-lo de novo.',
  rest: (net: Html): Html | string => html`O resto, ${net} depois da comissão,`,
  all: 'O dinheiro',
  inBalance: (what: Html | string) =>
    html`${what} está no seu saldo, e segue na próxima transferência.`,
  onItsWay: (what: Html | string) => html`${what} está a caminho da sua conta bancária.`,
  paidOut: (what: Html | string) => html`${what} foi transferido para a sua conta bancária.`,
  payout: 'Ver a transferência',
  /** For the gateway's staff, of whom none of the money is. */
  forStaff: {
    refundFailed: 'O último reembolso falhou, e esse dinheiro ficou no saldo do estabelecimento.',
    inBalance: (what: Html | string) =>
      html`${what} está no saldo do estabelecimento, e segue na próxima transferência.`,
    onItsWay: (what: Html | string) => html`${what} está a caminho do banco do estabelecimento.`,
    paidOut: (what: Html | string) =>
      html`${what} foi transferido para o banco do estabelecimento.`,
  },
};

const en: typeof pt = {
  CREATED: 'The customer has not paid yet. The request is on its way to the operator.',
  OPERATOR_PENDING: 'The customer has not paid yet. The request is at the operator.',
  USER_CONFIRMING:
    'The customer has not paid yet, and must still confirm with the PIN on the phone.',
  nothingTaken: 'The customer was not debited.',
  stillWatched:
    'The customer has not paid. If the operator still debits the customer, the money is returned automatically.',
  unclear:
    'The operator has not said yet whether the customer was debited. A person is clearing this up with the operator.',
  returned: (amount) =>
    html`The customer was debited by mistake, and has the money back: ${amount}.`,
  returning: (amount) =>
    html`The customer was debited by mistake. The money is being returned: ${amount}.`,
  held: (amount) =>
    html`The customer was debited by mistake. A person must arrange the return: ${amount}.`,
  paid: 'The customer has paid.',
  refunded: (amount, at) => html`The customer has the money back: ${amount}, ${at}.`,
  refunding: (amount) =>
    html`The refund is at the operator, and the customer does not have it yet: ${amount}.`,
  refundFailed:
    'The last refund failed, and its money stayed in your balance. You can request it again.',
  rest: (net) => html`The rest, ${net} after the fee,`,
  all: 'The money',
  inBalance: (what) => html`${what} is in your balance, and goes out with the next payout.`,
  onItsWay: (what) => html`${what} is on its way to your bank account.`,
  paidOut: (what) => html`${what} was paid out to your bank account.`,
  payout: 'See the payout',
  forStaff: {
    refundFailed: 'The last refund failed, and its money stayed in the merchant’s balance.',
    inBalance: (what) =>
      html`${what} is in the merchant’s balance, and goes out with the next payout.`,
    onItsWay: (what) => html`${what} is on its way to the merchant’s bank.`,
    paidOut: (what) => html`${what} was paid out to the merchant’s bank.`,
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
