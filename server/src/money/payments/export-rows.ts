import type { Cell, CsvDialect } from '../../platform/formats/spreadsheet.ts';
import { formatId } from '../../platform/values/ids.ts';
import { maskPhone } from '../../platform/values/phone.ts';
import { type TimeZones, timeZoneAt, wallClockMsIn } from '../../tenants/merchants/time-zone.ts';
import type { EarnedMoney } from './export-money.ts';
import type { Payment, PaymentStatus } from './payment.ts';

/** The fields of a payment in an export. */
export type ExportedPayment = Pick<
  Payment,
  | 'id'
  | 'status'
  | 'amountMinor'
  | 'feeMinor'
  | 'currency'
  | 'operator'
  | 'operatorPhone'
  | 'operatorTxId'
  | 'failureCode'
  | 'externalId'
  | 'customerId'
  | 'description'
  | 'createdAtMs'
>;

export type ExportLanguage = 'pt' | 'en';

/** The words that the reader's screen has for codes. */
export interface ScreenWords {
  statuses: Readonly<Record<string, string>>;
  operators: Readonly<Record<string, string>>;
  failures: Readonly<Record<string, string>>;
}

/** The parts of a row that are not the payment's own. */
interface RowContext {
  /** Undefined if the payment earned nothing. */
  money: EarnedMoney | undefined;
  timeZone: string;
  /** The calendar day of an instant. */
  dayOf: (atMs: number) => string;
  screen: ScreenWords;
}

interface ExportWords {
  file: string;
  /** Excel uses the separators of its country. */
  csv: CsvDialect;
  /** Fixed, as are the statuses: spreadsheets and programs of accountants look for these words. */
  titles: readonly string[];
  /** The title of amounts in other exports. */
  amount: string;
  statuses: Record<PaymentStatus, string>;
}

const minor = (amountMinor: bigint | undefined): Cell =>
  amountMinor === undefined ? null : { amountMinor };

/**
 * The columns in order: how wide each is, and which field it holds. Programs of accountants know columns by their
 * place, so that new ones come last.
 */
const columns: [width: number, of: (payment: ExportedPayment, row: RowContext) => Cell][] = [
  [31, ({ id }) => formatId('pi', id)],
  [20, () => null],
  [20, () => null],
  [13, ({ amountMinor }) => ({ amountMinor })],
  [11, ({ feeMinor }, { money }) => minor(money && feeMinor)],
  [13, ({ amountMinor, feeMinor }, { money }) => minor(money && amountMinor - feeMinor)],
  [8, ({ currency }) => currency],
  [14, ({ operator }) => operator],
  [16, ({ operatorPhone }) => operatorPhone],
  [22, ({ operatorTxId }) => operatorTxId],
  [22, ({ externalId }) => externalId],
  [22, ({ customerId }) => customerId],
  [36, ({ description }) => description],
  [24, ({ failureCode }) => failureCode],
  [13, (_, { money }) => minor(money?.refundedMinor)],
  [
    13,
    ({ amountMinor, feeMinor }, { money }) =>
      minor(money && amountMinor - feeMinor - money.refundedMinor),
  ],
  [31, (_, { money }) => (money?.settlementId ? formatId('se', money.settlementId) : null)],
  [12, (_, { money, dayOf }) => (money?.paidOutAtMs ? dayOf(money.paidOutAtMs) : null)],
  [20, (_, { timeZone }) => timeZone],
  [20, ({ status }, { screen }) => screen.statuses[status] ?? status],
  [18, ({ operator }, { screen }) => screen.operators[operator] ?? operator],
  [
    44,
    ({ failureCode }, { screen }) =>
      failureCode === null ? null : (screen.failures[failureCode] ?? failureCode),
  ],
];
const [dateColumn, statusColumn] = [1, 2];

export const exportWords: Record<ExportLanguage, ExportWords> = {
  pt: {
    file: 'pagamentos',
    csv: { separator: ';', decimal: ',' },
    titles: [
      'Pagamento',
      'Data e hora',
      'Estado',
      'Valor',
      'Comissão',
      'Líquido',
      'Moeda',
      'Operador',
      'Telemóvel',
      'Transação do operador',
      'Encomenda',
      'Cliente',
      'Descrição',
      'Falha',
      'Reembolsado',
      'Líquido após reembolsos',
      'Transferência',
      'Transferido em',
      'Fuso horário',
      'Estado no ecrã',
      'Nome do operador',
      'Motivo da falha',
    ],
    amount: 'Valor',
    statuses: {
      CREATED: 'Criado',
      OPERATOR_PENDING: 'Enviado ao operador',
      USER_CONFIRMING: 'À espera do cliente',
      DEBITED: 'Pago',
      SETTLED: 'Pago e liquidado',
      FAILED: 'Falhou',
      EXPIRED: 'Expirou',
      REFUNDED: 'Devolvido',
      PARTIALLY_REFUNDED: 'Devolvido em parte',
      CANCELLED: 'Cancelado',
    },
  },
  en: {
    file: 'payments',
    csv: { separator: ',', decimal: '.' },
    titles: [
      'Payment',
      'Date and time',
      'Status',
      'Amount',
      'Fee',
      'Net',
      'Currency',
      'Operator',
      'Phone',
      'Operator’s transaction',
      'Order',
      'Customer',
      'Description',
      'Failure',
      'Refunded',
      'Net after refunds',
      'Payout',
      'Paid out on',
      'Time zone',
      'Status on screen',
      'Operator’s name',
      'Failure reason',
    ],
    amount: 'Amount',
    statuses: {
      CREATED: 'Created',
      OPERATOR_PENDING: 'Sent to the operator',
      USER_CONFIRMING: 'Waiting for the customer',
      DEBITED: 'Paid',
      SETTLED: 'Paid and settled',
      FAILED: 'Failed',
      EXPIRED: 'Expired',
      REFUNDED: 'Refunded',
      PARTIALLY_REFUNDED: 'Partly refunded',
      CANCELLED: 'Cancelled',
    },
  },
};

export const exportColumns = (language: ExportLanguage) =>
  columns.map(([width], index) => ({ width, title: exportWords[language].titles[index]! }));

/** Makes a row of each payment and of what it earned. */
export function rowMaker(order: {
  language: ExportLanguage;
  timeZones: TimeZones;
  showPhones: boolean;
  screen: ScreenWords;
}): (payment: ExportedPayment, money: EarnedMoney | undefined) => Cell[] {
  const local = (atMs: number) => wallClockMsIn(order.timeZones, atMs);
  const { statuses } = exportWords[order.language];
  const { screen } = order;
  const dayOf = (atMs: number) => new Date(local(atMs)).toISOString().slice(0, 10);
  return (payment, money) => {
    const operatorPhone = order.showPhones
      ? payment.operatorPhone
      : maskPhone(payment.operatorPhone);
    const timeZone = timeZoneAt(order.timeZones, payment.createdAtMs);
    const context = { money, timeZone, dayOf, screen };
    const row = columns.map(([, of]) => of({ ...payment, operatorPhone }, context));
    row[dateColumn] = { localMs: local(payment.createdAtMs) };
    row[statusColumn] = statuses[payment.status];
    return row;
  };
}
