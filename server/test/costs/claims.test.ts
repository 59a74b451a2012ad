import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { claimDuePayments } from '../../src/money/payments/lease-store.ts';
import { claimDueRefunds } from '../../src/money/refunds/lease-store.ts';
import { claimDueReversals } from '../../src/money/reversals/store.ts';
import type { ClaimRoom } from '../../src/platform/jobs/worker.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { type Claim, claims, dueRows, limit, nowMs, tenant } from '../support/claims.ts';
import { freshDatabase, silentLog } from '../support/database.ts';

test("keeps simulated payments, refunds and reversals out of their operator's queue", async (context) => {
  const { database } = await freshDatabase(context);
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

test('claims payments and refunds by bytes, at least one, and none of a full tenant', async (context) => {
  const { database } = await freshDatabase(context);
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

const beforeMs = 0;

test('covers every claim in the code', () => {
  const source = join(import.meta.dirname, '..', '..', 'src');
  const files = globSync('**/*.ts', { cwd: source }).filter((each) => !/test/.test(each));
  const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]));
  const locking = files.filter((file) => /SKIP\s+LOCKED/i.test(texts.get(file)!));
  // These delete the claimed rows, and their own tests check their limits.
  const taking = [
    'integrations/api-requests/store.ts',
    'integrations/operators/measurements/sweep.ts',
    'money/totals/fold.ts',
    'platform/jobs/claim.ts',
  ];
  assert.deepEqual(locking.sort(), taking, 'only these statements claim rows');
  const all = [...texts.values()].join('');
  const names = all.matchAll(/\bclaimStatement\(\{\s+name: '([^']+)'/g);
  const tables = all.matchAll(/\browLeases<\w+>\(\{\s+table: '([^']+)'/g);
  const found = [
    ...[...names].map(([, name]) => name!),
    ...[...tables].map(([, table]) => `${table}.claim`),
  ];
  assert.deepEqual(found.sort(), Object.keys(claims).sort());
  const made = [...all.matchAll(/= (claimStatement\(|rowLeases<\w+>\()/g)].length;
  assert.equal(made, found.length + 1, "rowLeases builds a claim from the table's name");
});

/** The result of a claim: returned rows, changed rows, and the duration. */
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
 * A table that grew after it was analyzed with a few rows. The first connection has kept its plan;
 * the second plans anew with the old statistics.
 */
async function claimWithOldStatistics(context: TestContext, claim: Claim, analyzedRows: number) {
  const { url, database } = await freshDatabase(context);
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
  test(`${name} takes no more than its limit, even with wrong statistics`, async (context) => {
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
