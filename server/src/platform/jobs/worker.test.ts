import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { silentLog } from '../../../test/support/database.ts';
import { ByteBudget } from '../memory/byte-budget.ts';
import { pageBytes } from '../postgres/page-bytes.ts';
import { JobWorker, type RowMemory } from './worker.ts';

interface Row {
  tenantId: string;
  id: string;
  dueAtMs: number | null;
  createdAtMs: number;
}

/** A worker under a test clock, which may be in doubt. `due` holds the due rows. */
function startWorker(
  context: TestContext,
  maxRunning = 1,
  memory?: RowMemory<Row>,
  maxWaiting = 100,
) {
  const state = {
    nowMs: 1_000_000,
    isReliable: true,
    due: [] as string[],
    processed: [] as string[],
    claims: 0,
    open: [] as PromiseWithResolvers<void>[],
  };
  const worker = new JobWorker<Row>({
    name: 'rows',
    clock: { nowMs: () => state.nowMs, isReliable: () => state.isReliable },
    log: silentLog,
    leaseLengthMs: 15_000,
    maxRunning: () => maxRunning,
    maxWaiting,
    ...(memory ? { memory } : {}),
    claim: async (nowMs, leaseMs, limit) => {
      state.claims += 1;
      const row = { tenantId: 't', dueAtMs: leaseMs, createdAtMs: nowMs };
      return state.due.splice(0, limit).map((id) => ({ ...row, id }));
    },
    process: async ({ id }) => {
      state.processed.push(id);
      const done = Promise.withResolvers<void>();
      state.open.push(done);
      await done.promise;
    },
  });
  const { timers } = context.mock;
  timers.enable({ apis: ['setTimeout'] });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      state.nowMs += 50;
      timers.tick(50);
      await turn();
    }
  };
  const create = (id: string, tenantId = 't') => {
    const { nowMs: createdAtMs } = state;
    const row = { tenantId, id, createdAtMs, dueAtMs: createdAtMs };
    row.dueAtMs = worker.leaseMs(row);
    if (row.dueAtMs === createdAtMs) state.due.push(id);
    worker.accept(row);
    return row.dueAtMs - createdAtMs;
  };
  worker.start();
  return { state, worker, pass, create };
}

test('claims nothing while its clock is in doubt, and then continues', async (context) => {
  const { state, pass } = startWorker(context);
  await pass(1_000);
  state.isReliable = false;
  state.due.push('a');
  const { claims } = state;
  await pass(60_000);
  assert.equal(state.claims, claims);
  state.isReliable = true;
  await pass(500);
  assert.deepEqual(state.processed, ['a']);
});

test('makes rows written while its clock is in doubt due at once, for other processes', async (context) => {
  const { state, create } = startWorker(context);
  assert.equal(create('a'), 15_000);
  state.isReliable = false;
  assert.equal(create('b'), 0);
  state.isReliable = true;
  assert.equal(create('c'), 15_000);
  await turn();
  state.open[0]!.resolve();
  await turn();
  assert.deepEqual(state.processed, ['a', 'c']);
});

test('leaves rows in memory to the end of their lease when doubt begins', async (context) => {
  const { state, create } = startWorker(context);
  create('a');
  create('b');
  await turn();
  state.isReliable = false;
  state.open[0]!.resolve();
  await turn();
  assert.deepEqual(state.processed, ['a']);
});

test('lets tenants take turns, however many rows of one wait', async (context) => {
  const { state, create } = startWorker(context);
  for (const id of ['a', 'b', 'c']) create(id, 'many');
  create('d', 'one');
  for (const open of [0, 1, 2]) {
    await turn();
    state.open[open]!.resolve();
  }
  await turn();
  assert.deepEqual(state.processed, ['a', 'b', 'd', 'c']);
});

test('lets a tenant hold no more memory than it leaves free, and frees that of processed rows', async (context) => {
  const budget = new ByteBudget({ perTenant: 900, test: 900, overall: 900 });
  const memory: RowMemory<Row> = {
    budget,
    ownerOf: ({ tenantId }) => ({ tenantId, mode: 'live' }),
    bytesOf: () => 200,
    testQueue: '',
  };
  const { state, create } = startWorker(context, 1, memory);
  const leases = ['a', 'b', 'c'].map((id) => create(id, 'many'));
  assert.deepEqual(leases, [15_000, 15_000, 0]);
  assert.equal(create('d', 'one'), 15_000);
  assert.equal(budget.held('live'), 600);
  for (const open of [0, 1, 2]) {
    await turn();
    state.open[open]!.resolve();
  }
  await turn();
  assert.deepEqual(state.processed, ['a', 'b', 'd']);
  assert.equal(budget.held('live'), 0);
});

test('processes more rows than fit, each as soon as there is room', async (context) => {
  const { state, pass, create } = startWorker(context, 2, undefined, 3);
  const ids = Array.from({ length: 40 }, (_, number) => `row ${number}`);
  const leases = ids.map((id) => create(id));
  assert.deepEqual([leases[4], leases[5]], [15_000, 0], 'two are processed, and three wait');
  for (const [done] of ids.entries()) {
    await pass(50);
    assert.ok(state.open[done], `nothing is processed, with ${done} done`);
    state.open[done].resolve();
    await turn();
  }
  assert.deepEqual(state.processed.toSorted(), ids.toSorted());
});

test('processes a tenant’s rows as soon as it has room in memory again', async (context) => {
  const limits = { perTenant: pageBytes / 16, test: 1e9, overall: 1e9 };
  const memory: RowMemory<Row> = {
    budget: new ByteBudget(limits),
    ownerOf: ({ tenantId }) => ({ tenantId, mode: 'live' }),
    bytesOf: () => pageBytes / 64,
    testQueue: '',
  };
  const { state, pass, create } = startWorker(context, 1, memory);
  const leases = ['a', 'b', 'c', 'd', 'e'].map((id) => create(id));
  assert.deepEqual([leases[3], leases[4]], [15_000, 0]);
  for (const done of [0, 1, 2, 3, 4]) {
    await pass(50);
    assert.ok(state.open[done], `nothing is processed, with ${done} done`);
    state.open[done].resolve();
    await turn();
  }
});
