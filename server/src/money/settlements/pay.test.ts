import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  begin,
  claim,
  csv,
  cut,
  fail,
  filesOf,
  leaseMs,
  now,
  partsOf,
  type World,
} from '../../../test/support/payouts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noFourEyes } from '../../platform/values/four-eyes.ts';
import { completeSettlement, failSettlement } from './finish.ts';
import { type PayDependencies, paySettlement } from './pay.ts';
import { type Payout, payoutFiles } from './payout-file.ts';

/** Holds all callers until it is opened. */
function gate() {
  const arrived = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const pass = () => {
    arrived.resolve();
    return opened.promise;
  };
  return { pass, arrived: arrived.promise, open: () => opened.resolve() };
}

type Gate = ReturnType<typeof gate>;

/** Holds the statements of a worker before or after they reach the database. */
function held(
  database: Database,
  name: string,
  when: 'before' | 'after',
  { pass }: Gate,
): Database {
  let isPassed = false;
  const query: Database['query'] = async (statement, values) => {
    const isIt = statement.name === name && !isPassed;
    isPassed ||= isIt;
    if (isIt && when === 'before') await pass();
    const rows = await database.query<never>(statement, values);
    if (isIt && when === 'after') await pass();
    return rows;
  };
  return { ...database, query };
}

const heldPayout = (payout: Payout, when: 'before' | 'after', { pass }: Gate): Payout => ({
  ...payout,
  async pay(...args) {
    if (when === 'before') await pass();
    await payout.pay(...args);
    if (when === 'after') await pass();
  },
});

/** Between the last look at the clock and the rename of the file. */
const frozenPayout = (payout: Payout, { pass }: Gate): Payout => ({
  ...payout,
  async pay(settlement, reference, mayCount) {
    assert.equal(mayCount(), true);
    await pass();
    await payout.pay(settlement, reference, () => true);
  },
});

/** The points where a worker can freeze, from the claim to the end. */
const stalls: Record<string, (world: World, gate: Gate) => Partial<PayDependencies>> = {
  'after its claim': ({ database }, gate) => ({
    database: held(database, 'tenants.mode', 'before', gate),
  }),
  'before it renews its lease': ({ database }, gate) => ({
    database: held(database, 'settlements.move', 'before', gate),
  }),
  'after it has renewed its lease': ({ database }, gate) => ({
    database: held(database, 'settlements.move', 'after', gate),
  }),
  'before it writes the file': ({ folder }, gate) => ({
    payout: heldPayout(payoutFiles(folder), 'before', gate),
  }),
  'before the file has its name': ({ folder }, gate) => ({
    payout: frozenPayout(payoutFiles(folder), gate),
  }),
  'after it has written the file': ({ folder }, gate) => ({
    payout: heldPayout(payoutFiles(folder), 'after', gate),
  }),
};

for (const [where, stall] of Object.entries(stalls)) {
  test(`leaves no file of a settlement that FAILED while a worker was frozen ${where}`, async (context) => {
    const world = await begin(context);
    const first = await cut(world);
    const gateOfA = gate();
    const a = paySettlement(partsOf(world, stall(world, gateOfA)), await claim(world));
    await gateOfA.arrived;
    world.wait(leaseMs + 10_000);
    await fail(world, first);
    const second = await cut(world);
    assert.equal(second.netMinor, first.netMinor, 'it is the same money');
    await paySettlement(partsOf(world), await claim(world));
    gateOfA.open();
    await a;
    const paid = filesOf(world).filter((name) => !name.endsWith('.failed'));
    assert.deepEqual(paid, [csv(second)]);
    assert.equal((await now(world, first)).status, 'FAILED');
    assert.equal((await now(world, second)).dueAtMs, null, 'it is handed over');
  });

  test(`is not disturbed by a worker frozen ${where} once another goes on`, async (context) => {
    const world = await begin(context);
    const settlement = await cut(world);
    const gateOfA = gate();
    const a = paySettlement(partsOf(world, stall(world, gateOfA)), await claim(world));
    await gateOfA.arrived;
    world.wait(leaseMs + 10_000);
    await paySettlement(partsOf(world), await claim(world));
    const handedOver = await now(world, settlement);
    gateOfA.open();
    await a;
    assert.deepEqual(filesOf(world), [csv(settlement)]);
    assert.match(readFileSync(join(world.folder, csv(settlement)), 'utf8'), /,CVE,98\.00,100\.00,/);
    assert.deepEqual(
      await now(world, settlement),
      handedOver,
      'nothing is written under a lost lease',
    );
    await completeSettlement(partsOf(world), handedOver);
    assert.equal((await now(world, settlement)).status, 'COMPLETED');
  });
}

test("lets nobody record the bank's outcome while the payout is being handed over", async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  const gateOfA = gate();
  const stall = heldPayout(payoutFiles(world.folder), 'before', gateOfA);
  const a = paySettlement(partsOf(world, { payout: stall }), await claim(world));
  await gateOfA.arrived;
  await assert.rejects(fail(world, settlement), /being written right now/);
  const seen = await now(world, settlement);
  await assert.rejects(completeSettlement(partsOf(world), seen), /being written right now/);
  gateOfA.open();
  await a;
  await fail(world, settlement);
});

test('lets only one of a person and a worker change the same settlement', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  const claimed = await claim(world);
  await fail(world, settlement);
  await paySettlement(partsOf(world), claimed);
  assert.deepEqual(filesOf(world), [], 'the person was first');

  const second = await cut(world);
  const seen = await now(world, second);
  await paySettlement(partsOf(world), await claim(world));
  const late = world.database.transaction((database) =>
    failSettlement({ ...world, database, fourEyes: noFourEyes }, seen),
  );
  await assert.rejects(late, /It has just changed/);
  assert.deepEqual(filesOf(world), [csv(second)], 'the worker was first');
});

test('retries a payout that cannot be written, shows why, and lets a person fail it', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  const wakes: number[] = [];
  const broken: Payout = {
    ...payoutFiles(world.folder),
    pay: () => Promise.reject(new Error('there is no space left')),
  };
  const dependencies = partsOf(world, { payout: broken, wake: (atMs) => wakes.push(atMs) });
  for (let tries = 0; tries < 3; tries++) {
    await paySettlement(dependencies, await claim(world));
    const { status, payoutError, dueAtMs } = await now(world, settlement);
    assert.deepEqual([status, payoutError], ['PROCESSING', 'there is no space left']);
    assert.equal(dueAtMs, wakes.at(-1));
    world.wait(leaseMs);
  }
  const failed = await fail(world, settlement);
  assert.equal(failed.status, 'FAILED');
  const second = await cut(world);
  await paySettlement(partsOf(world), await claim(world));
  assert.deepEqual(filesOf(world), [csv(second)]);
});

test('does not write a payout that a person recorded as paid by hand', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  const pay = () => Promise.reject(new Error('there is no space left'));
  const broken = partsOf(world, { payout: { ...payoutFiles(world.folder), pay } });
  await paySettlement(broken, await claim(world));
  world.wait(leaseMs);
  const claimed = await claim(world);
  await completeSettlement(partsOf(world), await now(world, settlement));
  await paySettlement(partsOf(world), claimed);
  assert.deepEqual(filesOf(world), []);
});

test('writes nothing once the claim has passed to another worker', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  const mine = await claim(world);
  world.wait(leaseMs);
  const theirs = await claim(world);
  await paySettlement(partsOf(world), mine);
  assert.deepEqual(filesOf(world), []);
  await paySettlement(partsOf(world), theirs);
  assert.deepEqual(filesOf(world), [csv(settlement)]);
});

test('clears the last error once a payout is handed over', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  const pay = () => Promise.reject(new Error('the folder is not there'));
  const broken = partsOf(world, { payout: { ...payoutFiles(world.folder), pay } });
  await paySettlement(broken, await claim(world));
  world.wait(leaseMs);
  await paySettlement(partsOf(world), await claim(world));
  const { status, payoutError, dueAtMs } = await now(world, settlement);
  assert.deepEqual([status, payoutError, dueAtMs], ['PROCESSING', null, null]);
});

test('is not held up by a payout that hangs, and ignores its late end', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  const gateOfA = gate();
  const payout = payoutFiles(world.folder);
  const ended = Promise.withResolvers<unknown>();
  const hanging: Payout = {
    ...payout,
    async pay(given, reference, mayCount) {
      await gateOfA.pass();
      payout.pay(given, reference, mayCount).then(ended.resolve, ended.resolve);
    },
  };
  const dependencies = partsOf(world, { payout: hanging, payoutLengthMs: 20 });
  const claimed = await claim(world);
  let isLeft = false;
  void paySettlement(dependencies, claimed).then(() => (isLeft = true));
  await eventually('it is left alone', () => isLeft);
  assert.match((await now(world, settlement)).payoutError!, /took too long/);
  await fail(world, settlement);
  gateOfA.open();
  assert.match(String(await ended.promise), /took too long/);
  assert.deepEqual(filesOf(world), []);
});

test('asks the database until it answers, after an outage that follows the write of the file', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  let moves = 0;
  const query: Database['query'] = (statement, values) => {
    // The first is the renewal of the lease.
    if (statement.name === 'settlements.move' && ++moves === 2) {
      return Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }));
    }
    return world.database.query(statement, values);
  };
  await paySettlement(
    partsOf(world, { database: { ...world.database, query } }),
    await claim(world),
  );
  assert.equal((await now(world, settlement)).dueAtMs, null);
  assert.equal(moves, 3);
});

test('reports the present name of a file written although its settlement had FAILED', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  const told: unknown[] = [];
  const log = { ...silentLog, error: (...said: unknown[]) => told.push(...said) } as never;
  const gateOfA = gate();
  const payout = frozenPayout(payoutFiles(world.folder), gateOfA);
  const a = paySettlement(partsOf(world, { payout, log }), await claim(world));
  await gateOfA.arrived;
  world.wait(leaseMs + 10_000);
  await fail(world, settlement);
  gateOfA.open();
  await a;
  const name = `${csv(settlement)}.failed`;
  assert.deepEqual(filesOf(world), [name]);
  const { withdrawn } = told[0] as { withdrawn: string };
  assert.equal(withdrawn, join(world.folder, name));
  assert.match(String(told[1]), /make sure that the bank does not pay it/);
});

test('keeps a written payout although its settlement has moved to another cell meanwhile', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  const gateOfA = gate();
  const payout = frozenPayout(payoutFiles(world.folder), gateOfA);
  const a = paySettlement(partsOf(world, { payout }), await claim(world));
  await gateOfA.arrived;
  await world.database.query({ text: 'DELETE FROM settlements' });
  gateOfA.open();
  await a;
  assert.deepEqual(filesOf(world), [csv(settlement)]);
});
