import type { Language } from '../words/common.ts';

const pt = {
  title: 'Pagamentos',
  found: (text: string) => `Resultados de “${text}”`,
  nothing: 'Ainda não há pagamentos',
  nothingHint: 'Cobre a um cliente, ou envie-lhe um link de pagamento.',
  noMatch: 'Nenhum pagamento corresponde a estes filtros',
  status: 'Estado',
  from: 'De',
  until: 'Até',
  created: 'Data',
  more: 'Mais filtros e colunas',
  amountFrom: 'Montante a partir de',
  amountUntil: 'Montante até',
  columnsTitle: 'Colunas',
  columns: {
    status: 'Estado',
    amount: 'Montante',
    phone: 'Telefone',
    operator: 'Operador',
    order: 'Encomenda',
    customer: 'Cliente',
    description: 'Descrição',
    transaction: 'Transação do operador',
    fee: 'Comissão',
  },
  noDay: 'Indique um dia, por exemplo 2026-11-22.',
  noAmount: 'Indique um montante, por exemplo 1.500,00.',
  datesMissing: 'Para procurar assim, indique as datas: o primeiro e o último dia.',
  datesCloser:
    'Há demasiados pagamentos entre estas datas para procurar assim. Escolha datas mais próximas.',
  download: 'Descarregar estes pagamentos',
};

const en: typeof pt = {
  title: 'Payments',
  found: (text) => `Results for “${text}”`,
  nothing: 'No payments yet',
  nothingHint: 'Charge a customer, or send them a payment link.',
  noMatch: 'No payment matches these filters',
  status: 'Status',
  from: 'From',
  until: 'Until',
  created: 'Date',
  more: 'More filters and columns',
  amountFrom: 'Amount from',
  amountUntil: 'Amount up to',
  columnsTitle: 'Columns',
  columns: {
    status: 'Status',
    amount: 'Amount',
    phone: 'Phone',
    operator: 'Operator',
    order: 'Order',
    customer: 'Customer',
    description: 'Description',
    transaction: 'Operator’s transaction',
    fee: 'Fee',
  },
  noDay: 'Enter a day, for example 2026-11-22.',
  noAmount: 'Enter an amount, for example 1,500.00.',
  datesMissing: 'To search for this, enter the first and the last day.',
  datesCloser:
    'There are too many payments between these dates to search for this. Choose dates that are closer together.',
  download: 'Download these payments',
};

export const words: Record<Language, typeof pt> = { pt, en };
