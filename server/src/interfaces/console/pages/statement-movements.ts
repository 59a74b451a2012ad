import { exportWords } from '../../../money/payments/export-rows.ts';
import { withNames } from '../../../money/payments/names.ts';
import {
  hasEnded,
  type Movement,
  type Statement,
} from '../../../money/settlements/statement/read.ts';
import { spoolStatement } from '../../../money/settlements/statement/spool.ts';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import type { OperatorName } from '../../../platform/config/operator-catalogue.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import type { Cell } from '../../../platform/formats/spreadsheet.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { wallClockMs } from '../../../platform/values/local-day.ts';
import { currencies, timeZoneOf } from '../../../platform/values/money.ts';
import type { ConsolePage, Sent } from '../page.ts';
import { addDays, dayStartMs, isDay } from '../parts/calendar-days.ts';
import { type SheetFormat, sheetBytes, sheetTypes } from '../parts/spreadsheet.ts';
import type { RequestContext } from '../request-context.ts';
import { words as allWords } from './money.words.ts';

const fileIn = (format: SheetFormat): ConsolePage => ({
  path: `statement/movements.${format}`,
  permission: 'money.read',
  show: (visit) =>
    sendMovements(visit, { tenantId: visit.tenantId, merchantId: visit.merchant.id }, format),
});

/** Each movement of a period, for a spreadsheet. */
export const movementsFile = fileIn('csv');
/** The same for Excel. */
export const movementsExcel = fileIn('xlsx');

/** @throws NOT_FOUND if the address has no valid period or currency */
export async function sendMovements(
  visit: RequestContext,
  { tenantId, merchantId }: { tenantId: string; merchantId: string },
  format: SheetFormat = 'csv',
): Promise<Sent> {
  const words = allWords[visit.language];
  const [from, until] = [visit.query.get('from'), visit.query.get('until')];
  const currency = currencies.find((each) => each === visit.query.get('currency'));
  const isPeriod = isDay(from) && isDay(until) && until >= from && until < addDays(from, 366);
  if (!isPeriod || currency === undefined) throw notFound('statement');
  const { services, author } = visit;
  // A future period has no opening balance.
  const beginsMs = dayStartMs(from, timeZoneOf[currency]);
  if (beginsMs > services.clock.nowMs()) throw notFound('statement');
  // Recorded first, because no export may go unrecorded.
  await writeAuditRecord(
    services.database,
    { ...services, ...author },
    {
      tenantId,
      action: 'statement.exported',
      subject: formatId('me', merchantId),
      detail: { from, until, currency },
    },
  );
  const question = { tenantId, currency, from, until: addDays(until, 1) };
  const { stream, bytes } = await spoolStatement(services.database, question, (...read) =>
    fileOf(visit, format, ...read),
  );
  const name = `${words.movementsName}-${from}-${until}-${currency.toLowerCase()}.${format}`;
  return {
    send: (reply) =>
      reply
        .header('content-type', sheetTypes[format])
        .header('content-length', bytes)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(stream),
  };
}

function fileOf(
  { language, services, words: common }: RequestContext,
  format: SheetFormat,
  statement: Statement,
  movements: AsyncIterable<Movement[]>,
  snapshot: Queryable,
): AsyncGenerator<Buffer> {
  const words = allWords[language];
  const { openingMinor, closingMinor, fromMs, untilMs, currency, timeZone } = statement;
  const nowMs = services.clock.nowMs();
  const at = (atMs: number) => ({ localMs: wallClockMs(atMs, timeZone) });
  const edge = (atMs: number, title: string, amountMinor: bigint): Cell[] => [
    at(atMs),
    title,
    null,
    null,
    null,
    { amountMinor },
    currency,
    null,
    null,
    null,
    null,
    timeZone,
  ];
  async function* rows(): AsyncGenerator<Cell[][]> {
    yield [edge(fromMs, words.opening, openingMinor)];
    for await (const page of movements) {
      const rows = page.map((row) => ({
        ...row,
        ofPayment: row.paymentId,
        paymentId: parseId('pi', row.paymentId ?? row.id) ?? null,
      }));
      const named = await withNames(snapshot, statement.tenantId, rows);
      yield named.map(({ atMs, type, id, ofPayment, amountMinor, balanceMinor, names }) => [
        at(atMs),
        words.types[type],
        id,
        ofPayment,
        { amountMinor },
        { amountMinor: balanceMinor },
        currency,
        names?.externalId ?? null,
        names?.customerId ?? null,
        names ? common.operators[names.operator as OperatorName] : null,
        names?.operatorTxId ?? null,
        timeZone,
      ]);
    }
    yield hasEnded(statement, nowMs)
      ? [edge(untilMs, words.closing, closingMinor)]
      : [edge(nowMs, words.soFar, closingMinor)];
  }
  const titles = [words.when, words.movement, words.reference, words.ofPayment];
  titles.push(exportWords[language].amount, words.balanceAfter, words.currency);
  // What is new stands last: programs know the columns by their places.
  titles.push(words.order, words.customer, words.operator, words.transaction, words.timeZone);
  const columns = titles.map((title) => ({ title, width: 22 }));
  return sheetBytes({ format, language, title: words.movements, columns, pages: rows() });
}
