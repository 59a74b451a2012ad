import { writeAuditRecord } from '../../audit/record.ts';
import { notFound } from '../../errors.ts';
import { type Cell, csvOf } from '../../formats/sheet.ts';
import type { Html } from '../../html.ts';
import { formatId } from '../../ids.ts';
import type { Currency } from '../../money.ts';
import { exportWords, localClock } from '../../payments/export-rows.ts';
import {
  type Movement,
  type Statement,
  type StatementQuestion,
  withMovements,
} from '../../settlements/statement/read.ts';
import { spoolStatement } from '../../settlements/statement/spool.ts';
import type { ConsolePage } from '../page.ts';
import { addDays, isDay } from '../parts/days.ts';
import { amount, instant } from '../parts/format.ts';
import { table } from '../parts/table.ts';
import type { Visit } from '../visit.ts';
import { words as allWords } from './money.words.ts';

/** More are no page, but a file. */
const mostOnPaper = 1_000;

/** Each movement with the balance after it; undefined where there are none, or more than paper holds. */
export async function movementsTable(
  visit: Visit,
  question: StatementQuestion,
): Promise<Html | undefined> {
  const words = allWords[visit.language];
  const { database } = visit.services;
  const found = await withMovements(database, question, async ({ timeZone }, pages) => {
    const movements: Movement[] = [];
    for await (const page of pages) {
      movements.push(...page);
      if (movements.length > mostOnPaper) return undefined;
    }
    return { movements, timeZone };
  });
  if (found === undefined || found.movements.length === 0) return undefined;
  const { movements, timeZone } = found;
  const minor = (value: bigint) => amount(visit, value, question.currency);
  return table<Movement>(
    words.movements,
    [
      { head: words.when, cell: ({ atMs }) => instant({ ...visit, timeZone }, atMs) },
      { head: words.movement, cell: ({ type }) => words.types[type] },
      { head: words.reference, cell: ({ id }) => id },
      { head: words.amount, isNumber: true, cell: ({ amountMinor }) => minor(amountMinor) },
      { head: words.balanceAfter, isNumber: true, cell: ({ balanceMinor }) => minor(balanceMinor) },
    ],
    movements,
  );
}

/** Each movement of a period, for a spreadsheet. */
export const movementsFile: ConsolePage = {
  path: 'statement/movements.csv',
  permission: 'money.read',
  async show(visit) {
    const words = allWords[visit.language];
    const [from, until] = [visit.query.get('from'), visit.query.get('until')];
    const currency = visit.query.get('currency');
    const isPeriod = isDay(from) && isDay(until) && until >= from && until < addDays(from, 366);
    if (!isPeriod || (currency !== 'CVE' && currency !== 'AOA')) throw notFound('statement');
    const { tenantId, services, author } = visit;
    const question = { tenantId, currency: currency as Currency, from, until: addDays(until, 1) };
    // Written first: nothing leaves without a record of it.
    await writeAuditRecord(
      services.database,
      { ...services, ...author },
      {
        tenantId,
        action: 'statement.exported',
        subject: formatId('me', visit.merchant.id),
        detail: { from, until, currency },
      },
    );
    const { stream, bytes } = await spoolStatement(
      services.database,
      question,
      (statement, movements) => fileOf(visit, statement, movements),
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
  },
};

function fileOf(
  { language }: Visit,
  statement: Statement,
  movements: AsyncIterable<Movement[]>,
): AsyncGenerator<Buffer> {
  const words = allWords[language];
  const { openingMinor, closingMinor, fromMs, untilMs, currency, timeZone } = statement;
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
    yield [edge(untilMs, words.closing, closingMinor)];
  }
  const titles = [words.when, words.movement, words.reference, words.ofPayment];
  const columns = [...titles, words.amount, words.balanceAfter, words.currency];
  return csvOf(
    exportWords[language].csv,
    columns.map((title) => ({ title })),
    rows(),
  );
}
