import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { totalsProblems } from './check.ts';
import { boundsS, bucketOf, medianMs } from './confirmation-time.ts';
import { foldTotals } from './fold.ts';
import { countItems, readTotals } from './read.ts';

const tenantId = randomUUID();

type Given = [hour: string, outcome: string, count: number, amount: number, more?: object];

/** Counts rows, and folds those that are to be in the totals. */
async function fill(database: Database, table: string, rows: Given[], tenant = tenantId) {
  for (const [hour, outcome, count, amount, more = {}] of rows) {
    const { operator = 'MOCK', failureCode = '', bucket = 0, currency = 'CVE' } = more as never;
    await database.query(
      { text: `INSERT INTO payment_total_deltas VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)` },
      [tenant, hour, operator, currency, outcome, failureCode, bucket, count, amount],
    );
  }
  if (table === 'payment_totals') await foldTotals(database, 1_000);
}

test('uses the days of the time zone, and as many days before them', async (context) => {
  const { database } = await testDatabase(context);
  await fill(database, 'payment_totals', [
    // Cape Verde is an hour behind: its 22 November begins at 01:00 UTC.
    ['2026-11-22T00:00Z', 'SUCCEEDED', 1, 100, { bucket: 2 }],
    ['2026-11-22T01:00Z', 'SUCCEEDED', 10, 1_000, { bucket: 2 }],
    ['2026-11-21T00:00Z', 'SUCCEEDED', 1_000, 1_000, { bucket: 2 }],
    ['2026-11-21T01:00Z', 'FAILED', 2, 50, { failureCode: 'INSUFFICIENT_FUNDS' }],
    // Later yesterday than today has reached so far.
    ['2026-11-21T12:00Z', 'SUCCEEDED', 5, 500, { bucket: 2 }],
  ]);
  await fill(database, 'payment_totals', [['2026-11-22T09:00Z', 'FAILED', 99, 99]], randomUUID());
  await fill(database, 'payment_total_deltas', [
    ['2026-11-22T09:00Z', 'SUCCEEDED', 1, 7, { bucket: 8, operator: 'CVMOVEL' }],
    ['2026-11-22T09:00Z', 'FAILED', 3, 7, { failureCode: 'USER_REJECTED' }],
    ['2026-11-22T09:00Z', 'FAILED', 4, 7],
    ['2026-11-22T09:00Z', 'REFUNDED', 1, 60],
    ['2026-11-22T09:00Z', 'SUCCEEDED', 9, 90, { currency: 'AOA' }],
  ]);
  const nowMs = Date.parse('2026-11-22T09:30Z');
  const question = { tenantId, timeZone: 'Atlantic/Cape_Verde', nowMs } as const;
  const today = await readTotals(database, { ...question, days: 1 });
  assert.deepEqual(
    [today.fromMs, today.beforeFromMs, today.beforeUntilMs].map((ms) => new Date(ms).toISOString()),
    ['2026-11-22T01:00:00.000Z', '2026-11-21T01:00:00.000Z', '2026-11-21T09:30:00.000Z'],
  );
  const [aoa, cve] = today.currencies;
  assert.equal(aoa!.current.succeeded, 9);
  assert.equal(cve!.current.succeeded, 11);
  assert.equal(cve!.current.volumeMinor, 1_007n);
  assert.equal(cve!.current.refundedMinor, 60n);
  assert.equal(cve!.current.successRate, 11 / 18);
  assert.deepEqual([cve!.before.succeeded, cve!.before.failed], [0, 2]);
  assert.deepEqual(cve!.failures, [
    { failureCode: null, count: 4 },
    { failureCode: 'USER_REJECTED', count: 3 },
  ]);
  assert.deepEqual(
    cve!.byOperator.map(({ operator, succeeded }) => [operator, succeeded]),
    [
      ['MOCK', 10],
      ['CVMOVEL', 1],
    ],
  );
  assert.deepEqual(
    cve!.series.map(({ fromMs, succeeded }) => [new Date(fromMs).getUTCHours(), succeeded]),
    [
      [1, 10],
      [9, 1],
    ],
  );
  const week = await readTotals(database, { ...question, days: 7 });
  assert.deepEqual(
    week.currencies[1]!.series.map(({ fromMs, succeeded }) => [
      new Date(fromMs).toISOString(),
      succeeded,
    ]),
    [
      ['2026-11-20T01:00:00.000Z', 1_000],
      ['2026-11-21T01:00:00.000Z', 6],
      ['2026-11-22T01:00:00.000Z', 11],
    ],
  );
  const range = { fromMs: undefined, untilMs: undefined, operator: 'CVMOVEL', currency: undefined };
  assert.deepEqual(await countItems(database, tenantId, range), { all: 1_035, matching: 1 });
});

test('reads whole days from daily totals, with the same result as from their hours', async (context) => {
  const { database } = await testDatabase(context);
  const nowMs = Date.parse('2026-11-22T09:30Z');
  const rows = Array.from({ length: 24 * 15 }, (_, hour): Given => {
    const at = new Date(nowMs - 1_800_000 - hour * 3_600_000).toISOString();
    return [at, 'SUCCEEDED', 1 + hour, 7 * hour, { bucket: 1 + (hour % 20) }];
  });
  await fill(database, 'payment_totals', rows);
  const sums = (timeZone: string) =>
    readTotals(database, { tenantId, days: 7, timeZone, nowMs }).then(
      ({ currencies }) => currencies,
    );
  const asDays = [await sums('Atlantic/Cape_Verde'), await sums('Africa/Luanda')];
  const others = [await sums('UTC'), await sums('Europe/Lisbon')];
  assert.deepEqual(others[0], others[1], 'in winter they are the same');
  // The hours alone give the same result, once there are no days.
  await database.query({ text: 'DELETE FROM payment_day_totals' });
  const lacking = await sums('Atlantic/Cape_Verde');
  assert.ok(lacking[0]!.current.succeeded < asDays[0]![0]!.current.succeeded, 'days were read');
  assert.deepEqual(await sums('UTC'), others[0], 'no days were read');
  await database.query({
    text: 'INSERT INTO payment_total_deltas SELECT * FROM payment_totals',
  });
  await database.query({ text: 'DELETE FROM payment_totals' });
  assert.deepEqual([await sums('Atlantic/Cape_Verde'), await sums('Africa/Luanda')], asDays);
  // Lost daily totals are noticed and corrected.
  await foldTotals(database, 1_000);
  await database.query({ text: 'UPDATE payment_day_totals SET item_count = item_count + 1' });
  const wrong = await database.transaction((snapshot) => totalsProblems(snapshot));
  assert.match(wrong[0]!.message, /of the day from .* are not what its hours add up to/);
});

test('reads a calendar month in its zone, beside the month before', async (context) => {
  const { database } = await testDatabase(context);
  const nowMs = Date.parse('2026-11-22T09:30Z');
  const fromMs = Date.parse('2026-08-20T00:00Z');
  const hours = (nowMs - 1_800_000 - fromMs) / 3_600_000;
  // Every hour has another count, so a wrong limit gives another sum.
  const rows = Array.from(
    { length: Math.floor(hours) },
    (_, hour): Given => [
      new Date(fromMs + hour * 3_600_000).toISOString(),
      'SUCCEEDED',
      1 + (hour % 97),
      100 + hour,
      { bucket: 1 },
    ],
  );
  await fill(database, 'payment_totals', rows);
  const expected = (from: string, until: string) =>
    rows
      .filter(([at]) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(until))
      .reduce((sum, [, , count]) => sum + count, 0);
  const months = [
    {
      month: '2026-11',
      from: '2026-11-01',
      until: '2026-11-22T09:30',
      before: ['2026-10-01', '2026-10-22T09:30'],
    },
    {
      month: '2026-10',
      from: '2026-10-01',
      until: '2026-11-01',
      before: ['2026-09-01', '2026-10-01'],
    },
  ];
  const check = async () => {
    for (const [timeZone, offset] of [
      ['Atlantic/Cape_Verde', '-01:00'],
      ['Africa/Luanda', '+01:00'],
    ] as const) {
      const at = (text: string) => (text.includes('T') ? `${text}Z` : `${text}T00:00${offset}`);
      for (const { month, from, until, before } of months) {
        const { currencies } = await readTotals(database, { tenantId, month, timeZone, nowMs });
        const { current, before: earlier, series } = currencies[0]!;
        assert.equal(current.succeeded, expected(at(from), at(until)), `${month} ${timeZone}`);
        assert.equal(
          earlier.succeeded,
          expected(at(before[0]!), at(before[1]!)),
          `before ${month} ${timeZone}`,
        );
        assert.equal(
          series.reduce((sum, { succeeded }) => sum + succeeded, 0),
          current.succeeded,
        );
        assert.equal(series.length, month === '2026-11' ? 22 : 31);
      }
    }
  };
  await check();
  await database.query({ text: 'DELETE FROM payment_day_totals' });
  await database.query({ text: 'INSERT INTO payment_total_deltas SELECT * FROM payment_totals' });
  await database.query({ text: 'DELETE FROM payment_totals' });
  await check();
});

test('returns no currencies without payments', async (context) => {
  const { database } = await testDatabase(context);
  const question = { tenantId, days: 90, timeZone: 'Africa/Luanda', nowMs: Date.now() } as const;
  assert.deepEqual((await readTotals(database, question)).currencies, []);
});

test('finds the median below which half of the payments lie', () => {
  const median = (counts: [number, number][]) =>
    medianMs(new Map(counts.map(([bucket, count]) => [bucket, BigInt(count)])));
  assert.equal(median([]), undefined);
  // All between 4 and 6 s.
  assert.equal(median([[7, 10]]), 5_000);
  assert.equal(
    median([
      [1, 5],
      [7, 5],
    ]),
    500,
  );
  assert.equal(
    median([
      [1, 4],
      [7, 6],
    ]),
    Math.round((4 + 2 / 6) * 1_000),
  );
  assert.equal(median([[21, 3]]), 512_000);
});

test('uses the same buckets in the migration', async (context) => {
  const { readFileSync } = await import('node:fs');
  const migration = new URL('../../../migrations/0022-totals.sql', import.meta.url);
  assert.ok(readFileSync(migration, 'utf8').includes(`'{${boundsS.join(',')}}'::float8[]`));
  const { database } = await testDatabase(context);
  const text = `SELECT ${bucketOf(`INTERVAL '5 s'`)} AS five, ${bucketOf(`INTERVAL '0'`)} AS none`;
  assert.deepEqual(await database.query({ text }), [{ five: 7, none: 1 }]);
});
