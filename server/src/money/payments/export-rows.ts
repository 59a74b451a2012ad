import type { Cell, CsvDialect } from '../../platform/formats/spreadsheet.ts';
import { labels } from '../../platform/text/labels.ts';
import { formatId } from '../../platform/values/ids.ts';
import { maskPhone } from '../../platform/values/phone.ts';
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
  titles: readonly string[];
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
      labels.pt.payment,
      labels.pt.dateAndTime,
      labels.pt.status,
      labels.pt.amount,
      labels.pt.fee,
      labels.pt.net,
      labels.pt.currency,
      labels.pt.operator,
      labels.pt.phone,
      labels.pt.operatorTransaction,
      labels.pt.order,
      labels.pt.customer,
      labels.pt.description,
      'Falha',
    ],
    statuses: {
      CREATED: labels.pt.created,
      OPERATOR_PENDING: labels.pt.sentToTheOperator,
      USER_CONFIRMING: labels.pt.waitingForTheCustomer,
      DEBITED: labels.pt.paid,
      SETTLED: 'Pago e liquidado',
      FAILED: labels.pt.failed,
      EXPIRED: labels.pt.expired,
      REFUNDED: labels.pt.refunded,
      PARTIALLY_REFUNDED: labels.pt.partlyRefunded,
      CANCELLED: labels.pt.cancelled,
    },
  },
  en: {
    file: 'payments',
    csv: { separator: ',', decimal: '.' },
    titles: [
      labels.en.payment,
      labels.en.dateAndTime,
      labels.en.status,
      labels.en.amount,
      labels.en.fee,
      labels.en.net,
      labels.en.currency,
      labels.en.operator,
      labels.en.phone,
      labels.en.operatorTransaction,
      labels.en.order,
      labels.en.customer,
      labels.en.description,
      'Failure',
    ],
    statuses: {
      CREATED: labels.en.created,
      OPERATOR_PENDING: labels.en.sentToTheOperator,
      USER_CONFIRMING: labels.en.waitingForTheCustomer,
      DEBITED: labels.en.paid,
      SETTLED: 'Paid and settled',
      FAILED: labels.en.failed,
      EXPIRED: labels.en.expired,
      REFUNDED: labels.en.refunded,
      PARTIALLY_REFUNDED: labels.en.partlyRefunded,
      CANCELLED: labels.en.cancelled,
    },
  },
};

export const exportColumns = (language: ExportLanguage) =>
  columns.map(([width], index) => ({ width, title: exportWords[language].titles[index]! }));

/** Makes a row of each payment. */
export function rowMaker(order: {
  language: ExportLanguage;
  timeZone: string;
  showPhones: boolean;
}): (payment: ExportedPayment) => Cell[] {
  const local = localClock(order.timeZone);
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
