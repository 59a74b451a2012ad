import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '../../../test/support/database.ts';
import { rowsRead } from '../../../test/support/rows-read.ts';
import type { Queryable } from '../postgres/database.ts';
import { recordPages, searchRecords } from './search.ts';
import { listRecords, type RecordFilter } from './store.ts';

const recordsTotal = 100_000;

/** One record in 10,000 has a rare action or actor. */
const fill = {
  text: `INSERT INTO audit_records (id, tenant_id, at, actor, action, subject, detail)
    SELECT uuidv7(make_interval(secs => n - ${recordsTotal})), NULL, now(),
      CASE WHEN n % 10000 = 1 THEN 'cli:rare' ELSE 'key:ak_' || n % 7 END,
      CASE WHEN n % 10000 = 2 THEN 'merchant.suspended' ELSE 'webhook.changed' END, 'we_' || n, '{}'
    FROM generate_series(1, ${recordsTotal}) AS n`,
};

async function begin(context: Parameters<typeof freshDatabase>[0]) {
  const { database } = await freshDatabase(context);
  await database.query(fill);
  await database.query({ text: 'ANALYZE audit_records' });
  return database;
}

test('reads at most a few thousand of 100,000 records for the rarest search', async (context) => {
  const database = await begin(context);
  const searches: [RecordFilter, mostRead: number][] = [
    [{}, 200],
    [{ action: 'merchant.suspended' }, 200],
    [{ actor: 'cli:rare' }, 200],
    [{ subject: 'we_7' }, 200],
    [{ action: 'webhook.changed', sinceMs: Date.now() - 60_000 }, 400],
    [{ actor: 'cli:rare', action: 'webhook.changed' }, 200],
    [{ actor: 'key:ak_1', action: 'merchant.suspended' }, 6_000],
    [{ action: 'merchant.*' }, 6_000],
    [{ actor: 'nobody:*' }, 6_000],
  ];
  for (const [filter, mostRead] of searches) {
    const search = (watched: Queryable) => searchRecords(watched, filter, { limit: 50 });
    const read = await rowsRead(database, search);
    assert.ok(read <= mostRead, `${JSON.stringify(filter)} reads ${read} rows`);
  }
  for (const filter of [{ action: 'merchant.suspended' }, { actor: 'cli:rare' }]) {
    const list = (watched: Queryable) => listRecords(watched, filter, { limit: 51 });
    const read = await rowsRead(database, list);
    assert.ok(read <= 200, `the list of ${JSON.stringify(filter)} reads ${read} rows`);
  }
});

test('exports all matching records, newest first, however far apart they are', async (context) => {
  const database = await begin(context);
  const found: string[] = [];
  for await (const page of recordPages(database, { action: 'merchant.*' })) {
    found.push(...page.map(({ subject }) => subject));
  }
  const expected = Array.from({ length: 10 }, (_, n) => `we_${(9 - n) * 10_000 + 2}`);
  assert.deepEqual(found, expected);
});
