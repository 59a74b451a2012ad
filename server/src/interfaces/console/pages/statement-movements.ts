import { exportWords, localClock } from '../../../money/payments/export-rows.ts';
import {
  hasEnded,
  type Movement,
  type Statement,
} from '../../../money/settlements/statement/read.ts';
import { spoolStatement } from '../../../money/settlements/statement/spool.ts';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Cell, csvOf } from '../../../platform/formats/spreadsheet.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { currencies, timeZoneOf } from '../../../platform/values/money.ts';
import type { ConsolePage, Sent } from '../page.ts';
import { addDays, dayStartMs, isDay } from '../parts/calendar-days.ts';
import type { RequestContext } from '../request-context.ts';
import { words as allWords } from './money.words.ts';

/** Each movement of a period, for a spreadsheet. */
export const movementsFile: ConsolePage = {
  path: 'statement/movements.csv',
  permission: 'money.read',
  show: (visit) =>
    sendMovements(visit, { tenantId: visit.tenantId, merchantId: visit.merchant.id }),
};

/** @throws NOT_FOUND if the address has no valid period or currency */
export async function sendMovements(
  visit: RequestContext,
  { tenantId, merchantId }: { tenantId: string; merchantId: string },
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
    fileOf(visit, ...read),
  );
  const name = `${words.movementsName}-${from}-${until}-${currency.toLowerCase()}.csv`;
  return {
    send: (reply) =>
      reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-length', bytes)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(stream),
  };
}

function fileOf(
  { language, services }: RequestContext,
  statement: Statement,
  movements: AsyncIterable<Movement[]>,
): AsyncGenerator<Buffer> {
  const words = allWords[language];
  const { openingMinor, closingMinor, fromMs, untilMs, currency, timeZone } = statement;
  const nowMs = services.clock.nowMs();
  const local = localClock(timeZone);
  const at = (atMs: number) => ({ localMs: local(atMs) });
  const edge = (atMs: number, title: string, amountMinor: bigint): Cell[] => [
    at(atMs),
    title,
    null,
    null,
    null,
    { amountMinor },
    currency,
  ];
  async function* rows(): AsyncGenerator<Cell[][]> {
    yield [edge(fromMs, words.opening, openingMinor)];
    for await (const page of movements) {
      yield page.map(({ atMs, type, id, paymentId, amountMinor, balanceMinor }) => [
        at(atMs),
        words.types[type],
        id,
        paymentId,
        { amountMinor },
        { amountMinor: balanceMinor },
        currency,
      ]);
    }
    yield hasEnded(statement, nowMs)
      ? [edge(untilMs, words.closing, closingMinor)]
      : [edge(nowMs, words.soFar, closingMinor)];
  }
  const titles = [words.when, words.movement, words.reference, words.ofPayment];
  const columns = [...titles, exportWords[language].amount, words.balanceAfter, words.currency];
  return csvOf(
    exportWords[language].csv,
    columns.map((title) => ({ title })),
    rows(),
  );
}
