import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import { anotherGateway, eventually } from '../../../test/support/gateway.ts';
import { lockRetention, Retention, restAfter } from '../../platform/jobs/retention.ts';
import { type Database, openDatabase } from '../../platform/postgres/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { createMerchant } from '../../tenants/merchants/create-merchant.ts';
import { oldEvents } from './retention-store.ts';

const dayMs = 86_400_000;
const startMs = Date.parse('2026-11-21T09:30:00.000Z');

/** Two tenants, a clock of the test's own, and a helper that inserts events and deliveries. */
async function world(context: TestContext) {
  const { url, database } = await freshDatabase(context);
  const clock = { ms: startMs, nowMs: () => clock.ms };
  const ids = randomIds();
  await createMerchant({ database, clock, ids }, 'Loja');
  const tenants = await database.query<{ id: string }>({ text: 'SELECT id FROM tenants' });
  const removed = { deliveries: 0, events: 0 };
  const retention = (options: { retentionMs?: number; batchSize?: number; on?: Database } = {}) =>
    new Retention({
      oldRows: [oldEvents],
      database: options.on ?? database,
      clock,
      log: silentLog,
      retentionMs: 30 * dayMs,
      batchSize: 3,
      onRemoved: (kind, count) => {
        removed[kind as keyof typeof removed] += count;
      },
      ...options,
    });
  const endpoint = async (tenantId: string, deleted = false) => {
    const id = ids.next(clock.ms);
    const text = `
      INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, deleted_at, created_at, updated_at)
      VALUES ($1, $2, 1, 'http://localhost/', '{payment.created}', 'ACTIVE', '', $3, now(), now())`;
    await database.query({ text }, [tenantId, id, deleted ? new Date(clock.ms) : null]);
    return id;
  };
  /** An event that is this many days old, with one delivery in each of the statuses. */
  const event = async (tenantId: string, daysAgo: number, deliveries: [string, string][] = []) => {
    const atMs = clock.ms - daysAgo * dayMs;
    const id = ids.next(atMs);
    const at = new Date(atMs);
    const text = `
      INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
      VALUES ($1, $2, 'payment.created', $2, 1, '{}', $3)`;
    await database.query({ text }, [tenantId, id, at]);
    for (const [endpointId, status] of deliveries) {
      const delivery = `
        INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, created_at, updated_at)
        VALUES ($1, $2, $3, $4, 1, $5, $5)`;
      await database.query({ text: delivery }, [tenantId, endpointId, id, status, at]);
    }
    return id;
  };
  const left = async (table: 'events' | 'deliveries') => {
    const column = table === 'events' ? 'id' : 'event_id';
    const text = `SELECT ${column} AS id FROM ${table} ORDER BY 1`;
    return (await database.query<{ id: string }>({ text })).map(({ id }) => id);
  };
  const [one, two] = tenants.map(({ id }) => id) as [string, string];
  return { url, database, clock, one, two, retention, endpoint, event, left, removed };
}

test('deletes rows older than the retention for every tenant, and keeps younger rows', async (context) => {
  const { one, two, endpoint, event, left, retention, removed } = await world(context);
  const [active, gone] = [await endpoint(one), await endpoint(one, true)];
  const kept: string[] = [];
  for (const tenant of [one, two]) {
    for (let number = 0; number < 7; number++) await event(tenant, 31);
    kept.push(await event(tenant, 29), await event(tenant, 0));
  }
  await event(one, 400, [
    [active, 'SUCCEEDED'],
    [gone, 'FAILED'],
  ]);
  const young = await event(one, 29, [[active, 'SUCCEEDED']]);
  await retention().sweep();
  assert.deepEqual(await left('events'), [...kept, young].toSorted());
  assert.deepEqual(await left('deliveries'), [young]);
  assert.deepEqual(removed, { deliveries: 2, events: 15 });
});

test('keeps an event until it is delivered, at any age', async (context) => {
  const { database, one, endpoint, event, left, retention } = await world(context);
  const [first, second] = [await endpoint(one), await endpoint(one, true)];
  const pending: string[] = [];
  for (let number = 0; number < 10; number++) {
    const waits = await event(one, 90, [
      [first, 'SUCCEEDED'],
      [second, 'PENDING'],
    ]);
    pending.push(waits);
    await event(one, 80, [[first, 'SUCCEEDED']]);
  }
  await retention().sweep();
  assert.deepEqual(await left('events'), pending.toSorted());
  assert.deepEqual(await left('deliveries'), pending.toSorted());
  await database.query({ text: `UPDATE deliveries SET status = 'SUCCEEDED'` });
  await retention().sweep();
  assert.deepEqual(await left('events'), []);
  assert.deepEqual(await left('deliveries'), []);
});

test('keeps the event of a delivery that becomes PENDING again during the removal', async (context) => {
  const { url, database, one, endpoint, event, left, retention } = await world(context);
  const target = await endpoint(one);
  const id = await event(one, 90, [[target, 'FAILED']]);
  const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%retention%' OR wait_event = 'transactionid'`;
  const other = openDatabase({ url, log: silentLog, maxConnections: 1 });
  context.after(() => other.close());
  let sweeping: Promise<void> | undefined;
  await other.transaction(async (transaction) => {
    await transaction.query({ text: `UPDATE deliveries SET status = 'PENDING', due_at = now()` });
    sweeping = retention().sweep();
    await eventually('the removal waits for the row', async () => {
      return (await database.query({ text: waits })).length > 0;
    });
  });
  await sweeping;
  assert.deepEqual(await left('deliveries'), [id]);
  assert.deepEqual(await left('events'), [id]);
});

test('does not remove events while another process does', async (context) => {
  const { database, one, event, left, retention } = await world(context);
  const id = await event(one, 90);
  await database.transaction(async (transaction) => {
    assert.equal(await lockRetention(transaction), true);
    await retention().sweep();
    assert.deepEqual(await left('events'), [id]);
  });
  await retention().sweep();
  assert.deepEqual(await left('events'), []);
});

test('ends a stopped sweep after its batch, and continues with the next sweep', async (context) => {
  const { one, event, left, retention } = await world(context);
  for (let number = 0; number < 9; number++) await event(one, 90);
  const stopped = retention();
  await stopped.stop();
  await stopped.sweep();
  assert.equal((await left('events')).length, 9);
  await retention().sweep();
  assert.deepEqual(await left('events'), []);
});

test('walks primary keys, for any number of rows', async (context) => {
  const { database, one, endpoint } = await world(context);
  const target = await endpoint(one);
  await fill(database, one, target);
  const bounds = `'${one}', '00000000-0000-0000-0000-000000000000', '00000001-0000-0000-0000-000000000000'`;
  for (const name of ['tenants', 'next', 'delete_deliveries', 'delete_events']) {
    const plan = await planOf(database, name, bounds);
    assert.doesNotMatch(plan, /Seq Scan on (events|deliveries)/, `${name}:\n${plan}`);
    assert.match(plan, /(events|deliveries)_pkey/, `${name}:\n${plan}`);
  }
});

/** Enough rows that PostgreSQL would read whole tables only if it were forced to. */
async function fill(database: Database, tenantId: string, endpointId: string): Promise<void> {
  const id = `lpad(to_hex(n), 8, '0')::text || '-0000-7000-8000-000000000000'`;
  await database.query({
    text: `INSERT INTO events SELECT '${tenantId}', (${id})::uuid, 'payment.created', (${id})::uuid, 1, '{}', now()
      FROM generate_series(1, 20000) n`,
  });
  await database.query({
    text: `INSERT INTO deliveries SELECT '${tenantId}', '${endpointId}', id, 'SUCCEEDED', 1, NULL, 200, NULL, now(), now() FROM events`,
  });
  await database.query({ text: 'ANALYZE events' });
  await database.query({ text: 'ANALYZE deliveries' });
}

/** The plan of a statement of the store, as made on a connection of the gateway. */
async function planOf(database: Database, name: string, bounds: string): Promise<string> {
  const { statements } = await import('./retention-store.ts');
  const text = statements.find((statement) => statement.name === `retention.${name}`)!.text;
  const count = Math.max(...[...text.matchAll(/\$(\d)/g)].map(([, digit]) => Number(digit)));
  const values = [...bounds.split(', '), '500'].slice(0, count).join(', ');
  const rows = await database.transaction(async (transaction) => {
    await transaction.query({ text: `PREPARE statement AS ${text}` });
    const given = name === 'tenants' ? bounds.split(', ')[2] : values;
    const plan = await transaction.query<{ 'QUERY PLAN': string }>({
      text: `EXPLAIN EXECUTE statement(${given})`,
    });
    await transaction.query({ text: 'DEALLOCATE statement' });
    return plan;
  });
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test('removes and counts old events in a running gateway, and keeps all with RETENTION_DAYS=off', async (context) => {
  const { url, one, event, left } = await world(context);
  // The gateway uses the real clock, which may be far from the test's.
  const daysAgo = (startMs - Date.now()) / dayMs + 40;
  const old = await event(one, daysAgo);
  const off = await anotherGateway(context, url, { environment: { RETENTION_DAYS: 'off' } });
  const on = await anotherGateway(context, url);
  const removed = /zimbo_retention_removed_rows_total\{kind="events"\} 1$/m;
  const metrics = async (gateway: string) => (await fetch(`${gateway}/metrics`)).text();
  await eventually('it is removed', async () => removed.test(await metrics(on.url)));
  assert.deepEqual(await left('events'), []);
  assert.doesNotMatch(await metrics(off.url), removed);
  assert.ok(old);
});

test('shortens its pauses when it lags behind, down to a sixteenth', () => {
  const hourMs = dayMs / 24;
  const rests = [0, 0.5, 1, 2, 4, 16, 24 * 365].map((hours) => restAfter(10, hours * hourMs));
  assert.deepEqual(rests, [40, 40, 40, 20, 10, 2.5, 2.5]);
});
