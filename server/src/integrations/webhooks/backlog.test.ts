import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { ByteBudget } from '../../platform/memory/byte-budget.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { claimDueDeliveries } from './delivery-store.ts';
import type { Sender } from './send.ts';
import { TargetCache } from './target-cache.ts';
import { TenantModes } from './tenant-modes.ts';
import { WebhookWorker } from './worker.ts';

const tenantId = randomUUID();
const [first, second] = ['019aa5d4-e0fb-7000-8000-00000000000a', randomUUID()] as const;

/** Due deliveries, to two endpoints in turn. */
async function fill(database: Database, perEndpoint: number): Promise<void> {
  const merchant = `INSERT INTO merchants (id, name, created_at) VALUES ($1, 'Loja', now())`;
  await database.query({ text: merchant }, [tenantId]);
  const tenant = `INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $1, 'test', now())`;
  await database.query({ text: tenant }, [tenantId]);
  const endpoints = `
    INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, created_at, updated_at)
    SELECT $1, unnest($2::uuid[]), 1, 'https://shop.example/', '{}', 'ACTIVE', '', now(), now()`;
  await database.query({ text: endpoints }, [tenantId, [first, second]]);
  const events = `
    INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
    SELECT $1, uuidv7(), 'payment.debited', $1, 1, '{}', now() FROM generate_series(1, $2::integer)`;
  await database.query({ text: events }, [tenantId, perEndpoint]);
  const deliveries = `
    INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at, updated_at)
    SELECT tenant_id, unnest($1::uuid[]), id, 'PENDING', 0, now(), now(), now() FROM events`;
  await database.query({ text: deliveries }, [[first, second]]);
}

const delivered = {
  delivered: true,
  statusCode: 200,
  error: null,
  retryAfterMs: null,
  durationMs: 1,
  responseSnippet: null,
};

class EveryTarget extends TargetCache {
  override async get() {
    const url = 'https://shop.example/';
    const secret = 'whsec_c2VjcmV0';
    return { version: 1, url, secret, next: undefined, mode: 'test', state: 'ACTIVE' } as const;
  }
}

function openWorker(context: TestContext, database: Database) {
  let looks = 0;
  const sent = new Set<string>();
  const rest = Promise.withResolvers<void>();
  const sender: Sender = {
    async send({ endpointId, headers }) {
      await rest.promise;
      sent.add(endpointId + headers['webhook-id']);
      return delivered;
    },
    async close() {},
  };
  const worker = new WebhookWorker({
    ids: randomIds(),
    database: {
      ...database,
      query: (statement, values) => {
        if (statement.name === 'deliveries.claim') looks += 1;
        return database.query(statement, values);
      },
    },
    // The loop claims until nothing has room, and never again; only then do the endpoints answer.
    clock: {
      ...systemClock,
      after: (waitMs, run) => {
        if (waitMs < 100) setTimeout(run, waitMs);
        else rest.resolve();
        return () => {};
      },
    },
    wallClock: systemClock,
    log: silentLog,
    sender,
    targets: new EveryTarget(database, undefined as never),
    modes: new TenantModes(database),
    memory: new ByteBudget({ perTenant: 1e8, test: 1e8, overall: 1e8 }),
    attemptTimeoutMs: 15_000,
    random: () => 0,
    onAttempt() {},
    onDisabled() {},
  });
  worker.start();
  cleanUp(context, () => worker.stop());
  return { sent, looks: () => looks };
}

test('sends a backlog without waiting for the next poll, in claims of hundreds', async (context) => {
  const { database } = await testDatabase(context);
  await fill(database, 3_000);
  const { sent, looks } = openWorker(context, database);
  await eventually('all of both endpoints is sent', () => sent.size === 6_000 || undefined);
  assert.ok(looks() <= 120, `${looks()} claims`);
});

test('claims for one endpoint only its own deliveries', async (context) => {
  const { database } = await testDatabase(context);
  await fill(database, 10);
  const nowMs = Date.now() + 60_000;
  const taken = await claimDueDeliveries(database, {
    nowMs,
    leaseMs: nowMs + 1_000,
    limit: 100,
    bytes: 1_000_000,
    bytesPerTenant: 1_000_000,
    only: { endpointIds: [first], tenantIds: [] },
    full: { endpointIds: [], tenantIds: [], test: false },
  });
  assert.deepEqual(
    [taken.length, new Set(taken.map(({ endpointId }) => endpointId))],
    [10, new Set([first])],
  );
});
