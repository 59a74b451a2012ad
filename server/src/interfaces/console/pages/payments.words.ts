import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.payments,
  foundObject: 'Encontrado:',
  found: (text: string) => `Resultados de «${text}»`,
  whatIsFound:
    'A procura encontra a referência do recibo, o telefone ou os últimos algarismos, o valor, e o nome inteiro da encomenda, do cliente ou da transação. Maiúsculas, acentos, espaços e hífenes não contam; só uma parte do nome não basta.',
  nothing: 'Ainda não há pagamentos',
  nothingHint: 'Cobre a um cliente, ou envie-lhe um link de pagamento.',
  noMatch: 'Nenhum pagamento corresponde a estes filtros',
  status: labels.pt.status,
  filters: labels.pt.filters,
  from: labels.pt.from,
  until: labels.pt.until,
  time: 'Hora',
  payments: (count: string, isOne: boolean) => `${count} ${isOne ? 'pagamento' : 'pagamentos'}`,
  paid: (count: string, isOne: boolean) => `${count} ${isOne ? 'pago' : 'pagos'}`,
  countedSince: (most: string, day: string) =>
    `Contados só os ${most} pagamentos mais recentes, desde ${day}. Para outros, escolha as datas.`,
  searchedSince: (most: string, day: string) =>
    `Esta procura viu os ${most} pagamentos mais recentes, até ${day}. Em «Mais antigos», continua; com datas, vê só esses dias.`,
  more: 'Mais filtros e colunas',
  amountFrom: 'Valor a partir de',
  amountUntil: 'Valor até',
  columnsTitle: 'Colunas',
  columns: {
    status: labels.pt.status,
    amount: labels.pt.amount,
    phone: labels.pt.phone,
    operator: labels.pt.operator,
    order: labels.pt.order,
    customer: labels.pt.customer,
    description: labels.pt.description,
    transaction: labels.pt.operatorTransaction,
    fee: labels.pt.fee,
  },
  noAmount: messages.pt.enterAmount,
  datesMissing: 'Para procurar assim, indique as datas: o primeiro e o último dia.',
  datesCloser:
    'Há demasiados pagamentos entre estas datas para procurar assim. Escolha datas mais próximas.',
  download: 'Descarregar estes pagamentos',
};

const en: typeof pt = {
  title: labels.en.payments,
  foundObject: 'Found:',
  found: (text) => `Results for “${text}”`,
  whatIsFound:
    'The search finds the reference on the receipt, the phone or its last digits, the amount, and the whole name of the order, the customer or the transaction. Capitals, accents, spaces and hyphens do not matter; a part of a name is not enough.',
  nothing: 'No payments yet',
  nothingHint: 'Charge a customer, or send them a payment link.',
  noMatch: 'No payment matches these filters',
  status: labels.en.status,
  filters: labels.en.filters,
  from: labels.en.from,
  until: labels.en.until,
  time: 'Time',
  payments: (count, isOne) => `${count} ${isOne ? 'payment' : 'payments'}`,
  paid: (count) => `${count} paid`,
  countedSince: (most, day) =>
    `Only the newest ${most} payments are counted, since ${day}. For others, choose the dates.`,
  searchedSince: (most, day) =>
    `This search looked through the newest ${most} payments, back to ${day}. “Older” continues; with dates, it looks through those days.`,
  more: 'More filters and columns',
  amountFrom: 'Amount from',
  amountUntil: 'Amount up to',
  columnsTitle: 'Columns',
  columns: {
    status: labels.en.status,
    amount: labels.en.amount,
    phone: labels.en.phone,
    operator: labels.en.operator,
    order: labels.en.order,
    customer: labels.en.customer,
    description: labels.en.description,
    transaction: labels.en.operatorTransaction,
    fee: labels.en.fee,
  },
  noAmount: messages.en.enterAmount,
  datesMissing: 'To search for this, enter the first and the last day.',
  datesCloser:
    'There are too many payments between these dates to search for this. Choose dates that are closer together.',
  download: 'Download these payments',
};

export const words: Record<Language, typeof pt> = { pt, en };
