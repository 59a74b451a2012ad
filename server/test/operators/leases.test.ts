/** No request to an operator begins outside a lease that covers it, or for a row that is closed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import { SelectedOperator } from '../../src/operators/select.ts';
import { WorkQueue } from '../../src/platform/work-queue.ts';
import { createAttendRefund } from '../../src/refunds/attend.ts';
import { claimDueReversals } from '../../src/reversals/store.ts';
import { silentLog } from '../database.ts';
import { eventually } from '../eventually.ts';
import { type Books, leaseMs, openBooks } from './books.ts';
import { beginReversal, kinds } from './kinds.ts';
import { notFound, pending, refused, success } from './scripted.ts';

for (const kind of kinds) {
  test(`while a ${kind.name} is under way nobody else takes it, however long the question before took`, async (context) => {
    const books = await openBooks(context);
    const other = await openBooks(context, { database: books.database });
    const reference = await kind.begin(books);
    kind.onAsk(books, () => {
      books.wait(7_000);
      return notFound;
    });
    const taken: number[] = [];
    kind.onSend(books, async () => {
      for (let second = 1; second <= 9; second++) {
        books.wait(1_000);
        other.nowMs = books.nowMs;
        if ((await other.work()) > 0) taken.push(second);
      }
      return kind.success;
    });
    await books.work();
    assert.deepEqual(taken, []);
    assert.match((await kind.now(books, reference)).status, /DEBITED|SUCCEEDED/);
    await books.workFor(600_000);
    await other.workFor(600_000);
    const calls = [books, other].map(({ operator }) => operator.count(kind.send, reference));
    assert.deepEqual(calls, [1, 0]);
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`a success of a ${kind.name} that is heard under a lost lease is kept`, async (context) => {
    const books = await openBooks(context);
    const other = await openBooks(context, { database: books.database });
    const reference = await kind.begin(books);
    kind.onAsk(other, () => pending);
    kind.onSend(books, async () => {
      // It took longer than it may, and meanwhile another has asked, and waits.
      books.wait(60_000);
      other.nowMs = books.nowMs;
      await other.work();
      return kind.success;
    });
    await books.work();
    assert.equal(other.operator.count(kind.ask, reference), 1);
    const { status, dueAtMs } = await kind.now(books, reference);
    assert.match(status, /DEBITED|SUCCEEDED/);
    assert.equal(dueAtMs, null);
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`a refusal of a ${kind.name} that is heard under a lost lease is not`, async (context) => {
    const books = await openBooks(context);
    const other = await openBooks(context, { database: books.database });
    const reference = await kind.begin(books);
    kind.onAsk(other, () => pending);
    kind.onSend(books, async () => {
      books.wait(60_000);
      other.nowMs = books.nowMs;
      await other.work();
      return refused;
    });
    await books.work();
    const { status, dueAtMs } = await kind.now(books, reference);
    assert.match(status, /OPERATOR_PENDING|PROCESSING/, 'it is asked about');
    assert.notEqual(dueAtMs, null);
  });
}

test('a refund of a merchant that this process has not met begins in time: who is asked is looked up before', async (context) => {
  const books = await openBooks(context);
  const { database, refundParts } = { ...books.parts.base, ...books.parts };
  const live = { CVMOVEL: books.operator };
  const selected = { database, log: silentLog, simulator: books.operator, live };
  const operator = new SelectedOperator(selected);
  const refund = await books.refund(await books.debited('OP-1'), 4_000n);
  books.afterStatement = (statement) => {
    if (statement.includes('FROM tenants')) books.wait(3_000);
  };
  const attend = createAttendRefund({ ...refundParts, operatorFor: () => operator });
  await attend.attend(refund, 'MEMORY');
  const sent = books.operator.heard.find(({ call }) => call === 'reverse');
  assert.equal(sent?.atMs, (await books.refundNow(refund)).sentAtMs);
});

const maxRunning = 32;

/** Processes that share a clock, which goes on when all that they do waits for the operator. */
class Processes {
  #sleeping: { atMs: number; resolve: () => void }[] = [];
  #active = 0;
  #all: { books: Books; lane: WorkQueue<() => Promise<void>> }[];

  constructor(all: Books[]) {
    const work = async (job: () => Promise<void>) => {
      this.#active += 1;
      await job().finally(() => {
        this.#active -= 1;
      });
    };
    this.#all = all.map((books) => ({ books, lane: new WorkQueue({ maxRunning, work }) }));
  }

  get #nowMs(): number {
    return this.#all[0]!.books.nowMs;
  }

  sleep(ms: number): Promise<void> {
    const atMs = this.#nowMs + ms;
    return new Promise((resolve) => this.#sleeping.push({ atMs, resolve }));
  }

  /** Each claims what is due, as far as its lane has room, and a second goes by. */
  async second(): Promise<void> {
    for (const { books, lane } of this.#all) {
      const { nowMs, parts } = books;
      for (;;) {
        const room = maxRunning - lane.waiting;
        const claimed =
          room > 0 ? await claimDueReversals(books.database, nowMs, nowMs + leaseMs, room) : [];
        if (claimed.length === 0) break;
        for (const each of claimed) {
          lane.add(async () => {
            // What has waited longer than its lease is left to the next claim.
            if (each.dueAtMs! > this.#nowMs) await parts.attendReversal.attend(each, 'DATABASE');
          });
        }
      }
    }
    await eventually('all wait for the operator', () => this.#sleeping.length === this.#active);
    for (const { books } of this.#all) books.wait(1_000);
    const awake = this.#sleeping.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#sleeping = this.#sleeping.filter((each) => !awake.includes(each));
    for (const { resolve } of awake) resolve();
  }
}

for (const deduplicates of [false, true]) {
  test(`reversals that waited in their lane leave once, whether repetitions are allowed or not: ${deduplicates}`, async (context) => {
    const books = await openBooks(context);
    const other = await openBooks(context, { database: books.database });
    const processes = new Processes([books, other]);
    for (let index = 0; index < 40; index++) {
      const payment = await books.debited(`OP-${index}`);
      await beginReversal(books, payment, `OP-${index}-again`);
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
    for (const { operator } of [books, other]) {
      operator.known = { ...operator.known, deduplicates };
      // Its state is changed before it looks for duplicates, and a request that is queued is not known.
      operator.onReverse = async ({ reference, amountMinor, repeated }) => {
        await take(reference, 9_000);
        if (repeated || done.has(reference)) return refused;
        done.add(reference);
        return success(`R-${reference}`, amountMinor);
      };
      operator.onAskReversal = async ({ reference, amountMinor }) => {
        questions += 1;
        // Those that waited in their lane have the slower answers.
        await take(reference, questions <= maxRunning ? 1_000 : 8_000);
        return done.has(reference) ? success(`R-${reference}`, amountMinor) : notFound;
      };
    }
    for (let seconds = 0; seconds < 90; seconds++) await processes.second();
    const sent = [books, other].flatMap(({ operator }) =>
      operator.heard.filter(({ call }) => call === 'reverse').map(({ reference }) => reference),
    );
    assert.deepEqual(overlapping, [], 'of one reversal there is one call at a time');
    assert.equal(sent.length, 40);
    assert.equal(new Set(sent).size, 40, 'each once');
    const statuses = new Set((await books.reversals()).map(({ status }) => status));
    assert.deepEqual([...statuses], ['SUCCEEDED']);
    assert.equal((await books.balances()).suspense, undefined);
    assert.deepEqual(await checkLedger(books.database), []);
  });
}
