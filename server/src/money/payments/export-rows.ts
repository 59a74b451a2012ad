import type { Cell, CsvDialect } from '../../platform/formats/spreadsheet.ts';
import { formatId } from '../../platform/values/ids.ts';
import { maskPhone } from '../../platform/values/phone.ts';
import { type TimeZones, timeZoneAt } from '../../tenants/merchants/time-zone.ts';
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

/** The columns in order: how wide each is, and which field it holds. */
const columns: [width: number, of: (payment: ExportedPayment) => Cell][] = [
  [31, ({ id }) => formatId('pi', id)],
  [20, () => null],
  [20, () => null],
  [13, ({ amountMinor }) => ({ amountMinor })],
  [11, ({ feeMinor }) => ({ amountMinor: feeMinor })],
  [13, ({ amountMinor, feeMinor }) => ({ amountMinor: amountMinor - feeMinor })],
  [8, ({ currency }) => currency],
  [14, ({ operator }) => operator],
  [16, ({ operatorPhone }) => operatorPhone],
  [22, ({ operatorTxId }) => operatorTxId],
  [22, ({ externalId }) => externalId],
  [22, ({ customerId }) => customerId],
  [36, ({ description }) => description],
  [24, ({ failureCode }) => failureCode],
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

/** Makes a row of each payment. */
export function rowMaker(order: {
  language: ExportLanguage;
  timeZones: TimeZones;
  showPhones: boolean;
}): (payment: ExportedPayment) => Cell[] {
  const local = localClockIn(order.timeZones);
  const { statuses } = exportWords[order.language];
  return (payment) => {
    const operatorPhone = order.showPhones
      ? payment.operatorPhone
      : maskPhone(payment.operatorPhone);
    const row = columns.map(([, of]) => of({ ...payment, operatorPhone }));
    row[dateColumn] = { localMs: local(payment.createdAtMs) };
    row[statusColumn] = statuses[payment.status];
    return row;
  };
}

/** Local time of a merchant, whose time zone may have changed. */
export function localClockIn(zones: TimeZones): (atMs: number) => number {
  const clocks = new Map(zones.map(({ timeZone }) => [timeZone, localClock(timeZone)]));
  return (atMs) => clocks.get(timeZoneAt(zones, atMs))!(atMs);
}

const stepMs = 900_000;

/** Local time. Time zones change at whole quarters of an hour, so each quarter is looked up once. */
export function localClock(timeZone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  let knownMs = Number.NaN;
  let offsetMs = 0;
  return (atMs) => {
    const quarterMs = Math.floor(atMs / stepMs) * stepMs;
    if (quarterMs !== knownMs) {
      const parts = Object.fromEntries(
        format.formatToParts(quarterMs).map(({ type, value }) => [type, Number(value)]),
      ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute', number>;
      const { year, month, day, hour, minute } = parts;
      offsetMs = Date.UTC(year, month - 1, day, hour, minute) - quarterMs;
      knownMs = quarterMs;
    }
    return atMs + offsetMs;
  };
}
