import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freshDatabase } from '../../../../test/support/database.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { firstUuidAt, randomIds } from '../../../platform/values/ids.ts';
import { makeRedeliver } from './redeliver.ts';

const id = '0a1b2c3d-0000-7000-8000-000000000001';
const startMs = Date.parse('2026-11-01T09:00:00Z');
const author = { actor: 'test', origin: null, tenantId: id } as never;

/** A merchant with an endpoint that subscribes to payment.created. */
async function world(context: TestContext) {
  const { database } = await freshDatabase(context);
  const merchant = `INSERT INTO merchants (id, name, created_at) VALUES ($1, 'Loja', now())`;
  await database.query({ text: merchant }, [id]);
  const tenant = `INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $1, 'test', now())`;
  await database.query({ text: tenant }, [id]);
  const endpoint = `
    INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, created_at, updated_at)
    VALUES ($1, $1, 1, 'https://shop.example/', '{payment.created}', 'ACTIVE', '', now(), now())`;
  await database.query({ text: endpoint }, [id]);
  return database;
}

/** This many events of one millisecond. */
async function addEvents(on: Queryable, ms: number, count: number): Promise<void> {
  const text = `
    INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
    SELECT $1, (left($2, 24) || lpad(to_hex(n), 12, '0'))::uuid, 'payment.created', $1, n, '{}', now()
    FROM generate_series(1, $3::integer) AS n`;
  await on.query({ text }, [id, firstUuidAt(startMs + ms), count]);
}

/** Sends the events of a second again, in as many requests as needed, and returns how many events each of them sent. */
async function sendAgain(database: Database): Promise<number[]> {
  const told = { clock: systemClock, ids: randomIds(), endpointChanged() {} };
  const redeliver = makeRedeliver({ database, ...told });
  const counts: number[] = [];
  let sinceMs: number | null = startMs;
  while (sinceMs !== null) {
    const range = { sinceMs, untilMs: startMs + 1_000 };
    const done = await redeliver.range({ tenantId: id, id }, range, author);
    counts.push(done.count);
    sinceMs = done.nextSinceMs;
  }
  return counts;
}

test('sends each event of a large range once, even with many events in one millisecond', async (context) => {
  const database = await world(context);
  // A request ends after 10,000: in the middle of the second millisecond.
  const perMillisecond = [9_900, 200, 50];
  for (const [ms, count] of perMillisecond.entries()) await addEvents(database, ms, count);
  assert.deepEqual(await sendAgain(database), [10_100, 50]);
});

for (const analyzed of [false, true]) {
  test(`looks up the delivery of each event, whatever the statistics: ${analyzed ? 'of empty tables' : 'none'}`, async (context) => {
    const database = await world(context);
    const text = 'ALTER TABLE TABLE_NAME SET (autovacuum_enabled = false)';
    for (const table of ['events', 'deliveries']) {
      await database.query({ text: text.replace('TABLE_NAME', table) });
      if (analyzed) await database.query({ text: `ANALYZE ${table}` });
    }
    const count = 3_000;
    await database.transaction(async (transaction) => {
      const one: Database = {
        ...database,
        query: (statement, values) => transaction.query(statement, values),
        transaction: (run) => run(transaction),
      };
      // This connection planned its statements when the tables were empty.
      assert.deepEqual(await sendAgain(one), [0]);
      await addEvents(transaction, 0, count);
      assert.deepEqual(await sendAgain(one), [count]);
      const before = await deliveriesRead(transaction);
      assert.deepEqual(await sendAgain(one), [count]);
      const read = (await deliveriesRead(transaction)) - before;
      context.diagnostic(`${read} rows and index entries read`);
      // One read to find each, and one to write it again: together with the rows left by the first time.
      assert.ok(read <= 6 * count, `${read} for ${count} events`);
    });
  });
}

/** How many rows of deliveries and entries of their indexes the transaction has read. */
async function deliveriesRead(transaction: Queryable): Promise<number> {
  const text = `
    SELECT sum(pg_stat_get_xact_tuples_returned(oid))::integer AS read FROM pg_class
    WHERE oid = 'deliveries'::regclass
      OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'deliveries'::regclass)`;
  return (await transaction.query<{ read: number }>({ text }))[0]!.read;
}
