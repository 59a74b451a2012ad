import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { ByteBudget, type ByteLimits } from '../../platform/memory/byte-budget.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { pageBytes } from '../../platform/postgres/page-bytes.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { randomIds } from '../../platform/values/ids.ts';
import type { Subscription } from '../events/append.ts';
import type { NewEvent } from '../events/event.ts';
import type { Sender } from './send.ts';
import { TargetCache } from './target-cache.ts';
import { TenantModes } from './tenant-modes.ts';
import { WebhookWorker } from './worker.ts';

const much: ByteLimits = { perTenant: 1e8, test: 1e8, overall: 1e8 };
const little = pageBytes / 8;
const ids = randomIds();
/** The instant of a whole test: no lease expires, and the loop claims only when it is woken. */
const startMs = Math.floor(Date.now() / 1_000) * 1_000;

class EveryTarget extends TargetCache {
  override async get() {
    const url = 'https://shop.example/';
    const secret = 'whsec_c2VjcmV0';
    return { version: 1, url, secret, next: undefined, mode: 'test', state: 'ACTIVE' } as const;
  }
}

interface World {
  bytes?: ByteLimits;
  endpoints?: number;
  /** The size of bodies. */
  bodyBytes?: number;
}

/** Events as the product writes them, which it passes to the worker. */
function merchants(
  database: Database,
  worker: WebhookWorker,
  { endpoints, bodyBytes, nowMs }: { endpoints: number; bodyBytes: number; nowMs: () => number },
) {
  const addTenant = async () => {
    const tenantId = randomUUID();
    const merchant = `INSERT INTO merchants (id, name, created_at) VALUES ($1, 'Loja', now())`;
    await database.query({ text: merchant }, [tenantId]);
    const tenant = `INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $1, 'test', now())`;
    await database.query({ text: tenant }, [tenantId]);
    const text = `
      INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, created_at, updated_at)
      SELECT $1, gen_random_uuid(), 1, 'https://shop.example/', '{}', 'ACTIVE', '', now(), now()
      FROM generate_series(1, $2::integer) RETURNING id`;
    const rows = await database.query<{ id: string }>({ text }, [tenantId, endpoints]);
    return { tenantId, endpointIds: rows.map(({ id }) => id) };
  };
  type Tenant = Awaited<ReturnType<typeof addTenant>>;
  /** Writes events with a delivery to each endpoint as the product does, and passes them to the worker. */
  const happen = async ({ tenantId, endpointIds }: Tenant, count: number) => {
    const createdAtMs = nowMs();
    const about = { tenantId, type: 'payment.debited', objectId: tenantId, sequence: 1 } as const;
    const events: NewEvent[] = Array.from({ length: count }, () => ({
      ...about,
      id: ids.next(createdAtMs),
      body: 'x'.repeat(bodyBytes),
      createdAtMs,
    }));
    const dueAtMs = worker.leaseMs(createdAtMs, events);
    const text = `
      WITH event AS (
        INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
        SELECT $1, unnest($2::uuid[]), 'payment.debited', $1, 1, $3, now() RETURNING id
      )
      INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at, updated_at)
      SELECT $1, unnest($4::uuid[]), id, 'PENDING', 0, to_timestamp($5::float8 / 1000), now(), now() FROM event`;
    const eventIds = events.map(({ id }) => id);
    const values = [tenantId, eventIds, 'x'.repeat(bodyBytes), endpointIds, dueAtMs];
    await database.query({ text }, values);
    const subscriptions: Subscription[] = eventIds.flatMap((eventId) =>
      endpointIds.map((endpointId) => ({ tenantId, endpointId, endpointVersion: 1, eventId })),
    );
    worker.accept(subscriptions, events, dueAtMs);
    return dueAtMs > createdAtMs;
  };
  return { addTenant, happen };
}

/** A worker with a stopped clock, and a receiver that answers once it is opened. */
async function openWorker(
  context: TestContext,
  { bytes = much, endpoints = 2, bodyBytes = 2 }: World = {},
) {
  const { database } = await testDatabase(context);
  const state = { sent: [] as string[], nowMs: startMs, claims: 0 };
  const timers = new Set<{ atMs: number; run: () => void }>();
  const pass = (ms: number) => {
    state.nowMs += ms;
    for (const timer of timers) if (timer.atMs <= state.nowMs && timers.delete(timer)) timer.run();
  };
  const gate = Promise.withResolvers<void>();
  const sender: Sender = {
    async send({ endpointId, headers }) {
      await gate.promise;
      state.sent.push(endpointId + headers['webhook-id']);
      const nothing = { error: null, retryAfterMs: null, responseSnippet: null };
      return { ...nothing, delivered: true, statusCode: 200, durationMs: 1 };
    },
    async close() {},
  };
  const worker = new WebhookWorker({
    ids,
    database: {
      ...database,
      query: (statement, values) => {
        if (statement.name === 'deliveries.claim') state.claims += 1;
        return database.query(statement, values);
      },
    },
    clock: {
      nowMs: () => state.nowMs,
      after: (waitMs, run) => {
        const timer = { atMs: state.nowMs + waitMs, run };
        if (waitMs < 100) setTimeout(run, waitMs);
        else timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    wallClock: systemClock,
    log: silentLog,
    sender,
    targets: new EveryTarget(database, undefined as never),
    modes: new TenantModes(database),
    memory: new ByteBudget(bytes),
    attemptTimeoutMs: 15_000,
    random: () => 0,
    onAttempt() {},
    onDisabled() {},
  });
  const { addTenant, happen } = merchants(database, worker, {
    endpoints,
    bodyBytes,
    nowMs: () => state.nowMs,
  });
  worker.start();
  cleanUp(context, () => worker.stop());
  const allSent = async (count: number) => {
    await eventually(`${count} are sent`, () => state.sent.length >= count || undefined);
    assert.equal(new Set(state.sent).size, count);
    assert.equal(state.sent.length, count, 'each once');
  };
  return { state, database, pass, open: gate.resolve, addTenant, happen, allSent };
}

test('sends a batch larger than the room of its tenant without waiting for leases to end', async (context) => {
  const bytes = { ...much, perTenant: little };
  const { open, addTenant, happen, allSent } = await openWorker(context, { bytes });
  const tenant = await addTenant();
  assert.equal(await happen(tenant, 2_000), true, 'nothing is in memory yet');
  open();
  await allSent(4_000);
});

test('writes deliveries without a lease while their tenant has no room, and sends them all', async (context) => {
  const bytes = { ...much, perTenant: little };
  const { open, addTenant, happen, allSent } = await openWorker(context, { bytes });
  const tenant = await addTenant();
  const leased: boolean[] = [];
  for (let batch = 0; batch < 20; batch++) leased.push(await happen(tenant, 100));
  assert.deepEqual([leased[0], leased.at(-1)], [true, false]);
  open();
  await allSent(4_000);
});

test('sends deliveries beyond the limit of one endpoint without waiting for leases to end', async (context) => {
  const { open, addTenant, happen, allSent } = await openWorker(context, { endpoints: 1 });
  const tenant = await addTenant();
  for (let batch = 0; batch < 3; batch++) await happen(tenant, 1_000);
  open();
  await allSent(3_000);
});

test('sends to tenants that had no room as soon as there is some', async (context) => {
  const bytes = { perTenant: much.perTenant, test: little, overall: 2 * little };
  const { open, addTenant, happen, allSent } = await openWorker(context, { bytes, bodyBytes: 900 });
  for (let tenant = 0; tenant < 8; tenant++) await happen(await addTenant(), 300);
  open();
  await allSent(4_800);
});

test('sends deliveries too large for the room without waiting for leases to end', async (context) => {
  const bytes = { perTenant: 2 * little, test: 4 * little, overall: 4 * little };
  const bodyBytes = little - 2_000;
  const world = await openWorker(context, { bytes, bodyBytes });
  const { state, database, open, addTenant, happen, allSent } = world;
  await eventually('it has looked', () => state.claims === 1);
  await happen(await addTenant(), 5);
  await eventually('what does not fit is given back', async () => {
    const text = 'SELECT FROM deliveries WHERE due_at <= to_timestamp($1::float8 / 1000)';
    return (await database.query({ text }, [state.nowMs])).length === 8;
  });
  await eventually('a claim passes it over', () => state.claims === 2);
  open();
  await allSent(10);
});

test('releases a delivery that has waited in memory for too long, and sends it at once', async (context) => {
  const { pass, open, addTenant, happen, allSent } = await openWorker(context);
  await happen(await addTenant(), 200);
  // Too little of the lease of 45 s is left for an attempt.
  pass(30_000);
  open();
  await allSent(400);
});
