/** No request to an operator begins outside a lease that covers it, or for a row that is closed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SelectedOperator } from '../../src/integrations/operators/operator-router.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { createRefundProcessor } from '../../src/money/refunds/process.ts';
import { claimDueReversals } from '../../src/money/reversals/store.ts';
import { WorkQueue } from '../../src/platform/jobs/work-queue.ts';
import { silentLog } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type Harness, leaseMs, openHarness } from './harness.ts';
import { beginReversal, kinds } from './kinds.ts';
import { notFound, pending, refused, success } from './scripted.ts';

for (const kind of kinds) {
  test(`lets no other process take a ${kind.name} under way, however long the query before took`, async (context) => {
    const harness = await openHarness(context);
    const other = await openHarness(context, { database: harness.database });
    const reference = await kind.begin(harness);
    kind.onQuery(harness, () => {
      harness.wait(7_000);
      return notFound;
    });
    const taken: number[] = [];
    kind.onSend(harness, async () => {
      for (let second = 1; second <= 9; second++) {
        harness.wait(1_000);
        other.nowMs = harness.nowMs;
        if ((await other.work()) > 0) taken.push(second);
      }
      return kind.success;
    });
    await harness.work();
    assert.deepEqual(taken, []);
    assert.match((await kind.now(harness, reference)).status, /DEBITED|SUCCEEDED/);
    await harness.workFor(600_000);
    await other.workFor(600_000);
    const calls = [harness, other].map(({ operator }) => operator.count(kind.send, reference));
    assert.deepEqual(calls, [1, 0]);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`keeps a success of a ${kind.name} that arrives under a lost lease`, async (context) => {
    const harness = await openHarness(context);
    const other = await openHarness(context, { database: harness.database });
    const reference = await kind.begin(harness);
    kind.onQuery(other, () => pending);
    kind.onSend(harness, async () => {
      // The answer took too long, and meanwhile another process has queried, and waits.
      harness.wait(60_000);
      other.nowMs = harness.nowMs;
      await other.work();
      return kind.success;
    });
    await harness.work();
    assert.equal(other.operator.count(kind.ask, reference), 1);
    const { status, dueAtMs } = await kind.now(harness, reference);
    assert.match(status, /DEBITED|SUCCEEDED/);
    assert.equal(dueAtMs, null);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`drops a refusal of a ${kind.name} that arrives under a lost lease`, async (context) => {
    const harness = await openHarness(context);
    const other = await openHarness(context, { database: harness.database });
    const reference = await kind.begin(harness);
    kind.onQuery(other, () => pending);
    kind.onSend(harness, async () => {
      harness.wait(60_000);
      other.nowMs = harness.nowMs;
      await other.work();
      return refused;
    });
    await harness.work();
    const { status, dueAtMs } = await kind.now(harness, reference);
    assert.match(status, /OPERATOR_PENDING|PROCESSING/, 'it is asked about');
    assert.notEqual(dueAtMs, null);
  });
}

test('starts a refund of an unfamiliar merchant in time, by looking the operator up before', async (context) => {
  const harness = await openHarness(context);
  const { database, refundDependencies } = { ...harness.useCases.base, ...harness.useCases };
  const live = { CVMOVEL: harness.operator };
  const selected = { database, log: silentLog, simulator: harness.operator, live };
  const operator = new SelectedOperator(selected);
  const refund = await harness.refund(await harness.debited('OP-1'), 4_000n);
  harness.afterStatement = (statement) => {
    if (statement.includes('FROM tenants')) harness.wait(3_000);
  };
  const processor = createRefundProcessor({ ...refundDependencies, operatorFor: () => operator });
  await processor.process(refund, 'MEMORY');
  const sent = harness.operator.heard.find(({ call }) => call === 'reverse');
  assert.equal(sent?.atMs, (await harness.refundNow(refund)).sentAtMs);
});

const maxRunning = 32;

/** Processes that share a clock, which advances when everything they do waits for the operator. */
class Processes {
  #sleeping: { atMs: number; resolve: () => void }[] = [];
  #active = 0;
  #all: { harness: Harness; queue: WorkQueue<() => Promise<void>> }[];

  constructor(all: Harness[]) {
    const work = async (job: () => Promise<void>) => {
      this.#active += 1;
      await job().finally(() => {
        this.#active -= 1;
      });
    };
    this.#all = all.map((harness) => ({ harness, queue: new WorkQueue({ maxRunning, work }) }));
  }

  get #nowMs(): number {
    return this.#all[0]!.harness.nowMs;
  }

  sleep(ms: number): Promise<void> {
    const atMs = this.#nowMs + ms;
    return new Promise((resolve) => this.#sleeping.push({ atMs, resolve }));
  }

  /** Each claims due rows, as far as its queue has room, and a second passes. */
  async second(): Promise<void> {
    for (const { harness, queue } of this.#all) {
      const { nowMs, useCases } = harness;
      for (;;) {
        const room = maxRunning - queue.waiting;
        const claimed =
          room > 0 ? await claimDueReversals(harness.database, nowMs, nowMs + leaseMs, room) : [];
        if (claimed.length === 0) break;
        for (const each of claimed) {
          queue.add(async () => {
            // The next claim takes rows that have waited longer than their leases.
            if (each.dueAtMs! > this.#nowMs)
              await useCases.reversalProcessor.process(each, 'DATABASE');
          });
        }
      }
    }
    await eventually('all wait for the operator', () => this.#sleeping.length === this.#active);
    for (const { harness } of this.#all) harness.wait(1_000);
    const awake = this.#sleeping.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#sleeping = this.#sleeping.filter((each) => !awake.includes(each));
    for (const { resolve } of awake) resolve();
  }
}

for (const deduplicates of [false, true]) {
  test(`sends reversals that waited in their queue once, whether repetitions are allowed or not: ${deduplicates}`, async (context) => {
    const harness = await openHarness(context);
    const other = await openHarness(context, { database: harness.database });
    const processes = new Processes([harness, other]);
    for (let index = 0; index < 40; index++) {
      const payment = await harness.debited(`OP-${index}`);
      await beginReversal(harness, payment, `OP-${index}-again`);
    }
    const done = new Set<string>();
    const talking: string[] = [];
    const overlapping: string[] = [];
    let questions = 0;
    const take = async (reference: string, ms: number) => {
      if (talking.includes(reference)) overlapping.push(reference);
      talking.push(reference);
      await processes.sleep(ms);
      talking.splice(talking.indexOf(reference), 1);
    };
    for (const { operator } of [harness, other]) {
      operator.known = { ...operator.known, deduplicates };
      // The operator's state changes before it looks for duplicates, and it does not know a queued request.
      operator.onReverse = async ({ reference, amountMinor, repeated }) => {
        await take(reference, 9_000);
        if (repeated || done.has(reference)) return refused;
        done.add(reference);
        return success(`R-${reference}`, amountMinor);
      };
      operator.onQueryReversal = async ({ reference, amountMinor }) => {
        questions += 1;
        // Those that waited in their queue have the slower answers.
        await take(reference, questions <= maxRunning ? 1_000 : 8_000);
        return done.has(reference) ? success(`R-${reference}`, amountMinor) : notFound;
      };
    }
    for (let seconds = 0; seconds < 90; seconds++) await processes.second();
    const sent = [harness, other].flatMap(({ operator }) =>
      operator.heard.filter(({ call }) => call === 'reverse').map(({ reference }) => reference),
    );
    assert.deepEqual(overlapping, [], 'of one reversal there is one call at a time');
    assert.equal(sent.length, 40);
    assert.equal(new Set(sent).size, 40, 'each once');
    const statuses = new Set((await harness.reversals()).map(({ status }) => status));
    assert.deepEqual([...statuses], ['SUCCEEDED']);
    assert.equal((await harness.balances()).suspense, undefined);
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}
