import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { claimApproved } from '../src/approvals/store.ts';
import { claimDueCallbacks } from '../src/callbacks/store.ts';
import { claimDueSessions } from '../src/checkout/store.ts';
import type { ClaimRoom } from '../src/jobs/worker.ts';
import { claimDuePayments } from '../src/payments/lease-store.ts';
import { type Database, openDatabase, type Queryable } from '../src/postgres/database.ts';
import { pageBytes } from '../src/postgres/page-bytes.ts';
import { claimErasing } from '../src/privacy/erasures-store.ts';
import { claimAsked } from '../src/reconciliations/difference-store.ts';
import { claimDueComparisons } from '../src/reconciliations/store.ts';
import { claimDueRefunds } from '../src/refunds/lease-store.ts';
import { claimDueReversals } from '../src/reversals/store.ts';
import { claimDueSettlements } from '../src/settlements/store.ts';
import { claimDueDeliveries } from '../src/webhooks/delivery-store.ts';
import { silentLog, testDatabase } from './support/database.ts';

type Take = (
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
) => Promise<object[]>;

interface Claim {
  table: string;
  take: Take;
  /** Writes the rows $1 to $2 of one merchant, each due a little later than the one before. */
  insert: string;
  /** What the rows of the table need first. */
  prepare?: string[];
}

const tenant = `'0a1b2c3d-0000-7000-8000-000000000001'::uuid`;
const id = 'md5(n::text)::uuid';
const due = `to_timestamp(1000000 + n / 1000.0)`;
const rows = 'generate_series($1::integer, $2::integer) AS n';

/** Every claim of the code, by the name of its statement. */
const claims: Record<string, Claim> = {
  'payments.claim': {
    table: 'payments',
    take: claimDuePayments,
    insert: `
      INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
        operator_phone, ask_count, due_at, expires_at, created_at, updated_at)
      SELECT ${tenant}, ${id}, 1, 'CREATED', 10000, 200, 'CVE', 'MOCK', '+2389912345', 0, ${due}, ${due},
        ${due}, ${due} FROM ${rows}`,
  },
  'refunds.claim': {
    table: 'refunds',
    take: claimDueRefunds,
    insert: `
      INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency, operator,
        operator_tx_id, ask_count, due_at, created_at, updated_at)
      SELECT ${tenant}, ${id}, ${id}, 1, 'PENDING', 10000, 'CVE', 'MOCK', 'OP-1', 0, ${due}, ${due}, ${due}
      FROM ${rows}`,
  },
  'reversals.claim': {
    table: 'reversals',
    take: claimDueReversals,
    insert: `
      INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator,
        operator_tx_id, ask_count, due_at, created_at, updated_at)
      SELECT ${tenant}, ${id}, ${id}, 'LATE_DEBIT', 'PENDING', 10000, 'CVE', 'MOCK', 'OP-' || n, 0, ${due},
        ${due}, ${due} FROM ${rows}`,
  },
  'settlements.claim': {
    table: 'settlements',
    take: claimDueSettlements,
    // Only one of a merchant is open, so each is of another.
    insert: `
      INSERT INTO settlements (tenant_id, id, version, merchant_id, status, currency, gross_minor, fee_minor,
        refund_minor, net_minor, item_count, period_start, period_end, due_at, created_at)
      SELECT ${id}, ${id}, 1, ${id}, 'PENDING', 'CVE', 10000, 200, 0, 9800, 1, ${due}, ${due}, ${due}, ${due}
      FROM ${rows}`,
  },
  'checkout_sessions.claim': {
    table: 'checkout_sessions',
    take: claimDueSessions,
    insert: `
      INSERT INTO checkout_sessions (tenant_id, id, version, status, amount_minor, currency, items,
        link_secret, attempt_in_flight, attempt_count, due_at, expires_at, created_at, updated_at)
      SELECT ${tenant}, ${id}, 1, 'OPEN', 10000, 'CVE', '[]', '', false, 0, ${due}, ${due}, ${due}, ${due}
      FROM ${rows}`,
  },
  'approvals.claim': {
    table: 'approvals',
    take: claimApproved,
    insert: `
      INSERT INTO approvals (tenant_id, id, kind, status, subject_id, subject_state, request, asked_by, asked_at,
        expires_at, due_at)
      SELECT ${tenant}, ${id}, 'REFUND', 'APPROVED', ${id}, '', '{}', ${id}, ${due}, ${due}, ${due} FROM ${rows}`,
  },
  'reconciliations.claim': {
    table: 'reconciliations',
    take: claimDueComparisons,
    insert: `
      INSERT INTO reconciliations (id, status, operator, mode, file_name, file_digest, file_bytes, has_lines,
        uploaded_by, asked_by, asked_at, due_at, line_count, created_at)
      SELECT ${id}, 'COMPARING', 'MOCK', 'test', 'x.csv', decode(md5(n::text), 'hex'), 1, true, 'x', 'x', ${due},
        ${due}, 1, ${due} FROM ${rows}`,
  },
  'reconciliation_differences.claim': {
    table: 'reconciliation_differences',
    take: claimAsked,
    insert: `
      INSERT INTO reconciliation_differences (reconciliation_id, id, identity, status, kind, type, due_at)
      SELECT ${tenant}, ${id}, decode(md5(n::text), 'hex'), 'OPEN', 'DIFFERENT_STATUS', 'DEBIT', ${due} FROM ${rows}`,
  },
  'operator_callbacks.claim': {
    table: 'operator_callbacks',
    take: claimDueCallbacks,
    insert: `
      INSERT INTO operator_callbacks (tenant_id, operator, reference, outcome, kind, body, due_at, received_at)
      SELECT ${tenant}, 'MOCK', ${id}, 'succeeded', 'DEBIT', '{}', ${due}, ${due} FROM ${rows}`,
  },
  'erasing_payments.claim': {
    table: 'erasing_payments',
    take: (database, nowMs, leaseMs, limit) =>
      claimErasing(database, { nowMs, leaseMs, limit, erasureId: null }),
    insert: `
      INSERT INTO erasing_payments (tenant_id, payment_id, due_at)
      SELECT ${tenant}, ${id}, ${due} FROM ${rows}`,
  },
  'deliveries.claim': {
    table: 'deliveries',
    take: (database, nowMs, leaseMs, limit) =>
      claimDueDeliveries(database, {
        nowMs,
        leaseMs,
        limit,
        bytes: pageBytes,
        bytesPerTenant: pageBytes,
        full: { endpointIds: [], tenantIds: [], test: false },
      }),
    prepare: [
      `WITH merchant AS (
        INSERT INTO merchants (id, name, created_at) VALUES (${tenant}, 'Loja', now()) RETURNING id
      )
      INSERT INTO tenants (id, merchant_id, mode, created_at)
      SELECT id, id, 'test', now() FROM merchant`,
      `INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, created_at,
        updated_at)
      VALUES (${tenant}, ${tenant}, 1, 'https://shop.example/', '{*}', 'ACTIVE', '', now(), now())`,
      `INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
      SELECT ${tenant}, ${id}, 'payment.created', ${id}, 1, '{}', now() FROM generate_series(1, 5000) AS n`,
      'ANALYZE webhook_endpoints',
      'ANALYZE events',
    ],
    insert: `
      INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at,
        updated_at)
      SELECT ${tenant}, ${tenant}, ${id}, 'PENDING', 0, ${due}, ${due}, ${due} FROM ${rows}`,
  },
};

test('payments, refunds and reversals that are simulated are not of the queue of their operator', async (context) => {
  const { database } = await testDatabase(context);
  const merchant = `INSERT INTO merchants (id, name, created_at) VALUES (${tenant}, 'Loja', now())`;
  await database.query({ text: merchant });
  for (const mode of ['live', 'test'] as const) {
    await database.query({
      text: `INSERT INTO tenants (id, merchant_id, mode, created_at)
        VALUES (md5('${mode}')::uuid, ${tenant}, '${mode}', now())`,
    });
  }
  const queues = { claimDuePayments, claimDueRefunds, claimDueReversals };
  for (const [name, take] of Object.entries(queues)) {
    const { table, insert } = Object.values(claims).find((claim) => claim.take === take)!;
    for (const [first, mode] of [
      [1, 'live'],
      [6, 'test'],
    ] as const) {
      const text = insert.replaceAll(tenant, `md5('${mode}')::uuid`).replaceAll('MOCK', 'CVMOVEL');
      await database.query({ text }, [first, first + 4]);
    }
    const taken = async (atMs: number, busyQueues: string[]) => {
      const taken = await take(database, atMs, atMs + 1_000, limit, { busyQueues });
      return taken.map(({ mode }) => mode).join(' ');
    };
    const five = (mode: string) => Array(5).fill(mode).join(' ');
    assert.equal(await taken(nowMs, ['CVMOVEL']), five('test'), name);
    assert.equal(await taken(nowMs, []), five('live'), name);
    assert.equal(await taken(nowMs + 2_000, ['SIMULATOR']), five('live'), name);
    assert.equal(await taken(nowMs + 4_000, ['SIMULATOR', 'CVMOVEL']), '', `${name} ${table}`);
  }
});

test('payments and refunds are claimed by their bytes, at least one, and none of a tenant that is full', async (context) => {
  const { database } = await testDatabase(context);
  for (const take of [claimDuePayments, claimDueRefunds]) {
    const { table, insert } = Object.values(claims).find((claim) => claim.take === take)!;
    await database.query({ text: insert }, [1, 10]);
    await database.query({ text: `UPDATE ${table} SET metadata = repeat('x', 1000)` });
    const taken = async (room: Partial<ClaimRoom>) =>
      (await take(database, nowMs, nowMs + 1_000, limit, room)).length;
    assert.equal(await taken({ fullTenantIds: [tenant.slice(1, 37)] }), 0);
    assert.equal(await taken({ bytes: 1 }), 1);
    assert.equal(await taken({ bytesPerTenant: 1 }), 1);
    assert.equal(await taken({ bytes: 2_500 }), 3);
    assert.equal(await taken({}), 5);
  }
});

const dueRows = 5_000;
const limit = 64;
const beforeMs = 0;
const nowMs = 2_000_000_000;

test('every claim of the code is one of these', () => {
  const source = join(import.meta.dirname, '..', 'src');
  const files = globSync('**/*.ts', { cwd: source }).filter((each) => !/test/.test(each));
  const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]));
  const locking = files.filter((file) => /SKIP\s+LOCKED/i.test(texts.get(file)!));
  // These remove what they take, and have tests of their own that they keep their limits.
  const taking = [
    'api-requests/store.ts',
    'jobs/claim.ts',
    'operators/measurements/sweep.ts',
    'totals/fold.ts',
  ];
  assert.deepEqual(locking.sort(), taking, 'only there are rows taken');
  const all = [...texts.values()].join('');
  const names = all.matchAll(/\bclaimStatement\(\{\s+name: '([^']+)'/g);
  const tables = all.matchAll(/\bdueRows<\w+>\(\{\s+table: '([^']+)'/g);
  const found = [
    ...[...names].map(([, name]) => name!),
    ...[...tables].map(([, table]) => `${table}.claim`),
  ];
  assert.deepEqual(found.sort(), Object.keys(claims).sort());
  const made = [...all.matchAll(/= (claimStatement\(|dueRows<\w+>\()/g)].length;
  assert.equal(made, found.length + 1, 'dueRows makes one from the name of its table');
});

/** What one claim took: rows it gave, rows it changed, and how long it was about it. */
async function measure(database: Database, { table, take }: Claim, leaseMs: number) {
  const startedMs = performance.now();
  const given = await take(database, nowMs, leaseMs, limit);
  const ms = performance.now() - startedMs;
  const text = `SELECT count(*)::integer AS count FROM ${table} WHERE due_at = $1`;
  const values = [new Date(leaseMs).toISOString()];
  const [changed] = await database.query<{ count: number }>({ text }, values);
  return { given: given.length, changed: changed!.count, ms };
}

/**
 * A table that was analyzed when it had a few rows, and then grew. The first connection has kept its
 * plan of that time; the second plans anew, by what was known then.
 */
async function claimWithOldStatistics(context: TestContext, claim: Claim, analyzedRows: number) {
  const { url, database } = await testDatabase(context);
  const { table, insert, prepare = [], take } = claim;
  for (const text of prepare) await database.query({ text });
  await database.query({ text: `ALTER TABLE ${table} SET (autovacuum_enabled = false)` });
  await database.query({ text: insert }, [1, analyzedRows]);
  await database.query({ text: `ANALYZE ${table}` });
  const connections = [1, 2].map(() => openDatabase({ url, log: silentLog, maxConnections: 1 }));
  try {
    const [early, late] = connections as [Database, Database];
    assert.equal((await take(early, beforeMs, beforeMs, limit)).length, 0);
    await database.query({ text: insert }, [analyzedRows + 1, dueRows]);
    const kept = await measure(early, claim, nowMs + 60_000);
    const fresh = await measure(late, claim, nowMs + 61_000);
    return { kept, fresh };
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}

for (const [name, claim] of Object.entries(claims)) {
  test(`${name} takes no more than its limit, whatever the statistics say`, async (context) => {
    for (const analyzedRows of [0, 1, 10]) {
      const taken = await claimWithOldStatistics(context, claim, analyzedRows);
      for (const [plan, { given, changed, ms }] of Object.entries(taken)) {
        const about = `${name}, analyzed at ${analyzedRows} rows, ${plan} plan`;
        context.diagnostic(`${about}: ${given} of ${dueRows} in ${ms.toFixed(1)} ms`);
        assert.deepEqual({ given, changed }, { given: limit, changed: limit }, about);
      }
    }
  });
}
