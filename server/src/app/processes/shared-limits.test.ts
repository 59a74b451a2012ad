import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Allowance, RateLimit } from '../../platform/http/rate-limit.ts';
import { LeasedBuckets, leaseMs } from './leased-buckets.ts';
import { LeasedPages } from './leased-pages.ts';
import type { FromWorker, Questions } from './messages.ts';
import { PrimaryLink } from './primary-link.ts';
import { SharedLimits } from './shared-limits.ts';

const pages = { overall: 3, perAddress: 2, perSession: 2 };

/** A primary with connections from its workers. */
function openMachine(processes = 2) {
  const clock = { time: 0, nowMs: () => clock.time };
  const limits = new SharedLimits({ clock, processes, pages });
  const state = { isStopped: false, asked: 0 };
  const owed: (() => void)[] = [];
  const line = (worker: object) => {
    const hear = (message: FromWorker) => {
      if (message.type === 'CHARGE') limits.charge(message.tokens);
      if (message.type === 'PAGE_CLOSED') limits.leave(worker, message.id);
      if (message.type !== 'ASK') return;
      state.asked += 1;
      const { id, topic, asked } = message;
      const answer =
        topic === 'TOKENS'
          ? limits.take(asked as Questions['TOKENS']['asked'])
          : limits.enter(worker, asked as Questions['PAGE']['asked']);
      link.answered({ type: 'ANSWER', id, answer });
    };
    const link = new PrimaryLink((message) => {
      if (state.isStopped) owed.push(() => hear(message));
      else queueMicrotask(() => hear(message));
    });
    return link;
  };
  const workers = Array.from({ length: processes }, () => ({}));
  const thaw = () => {
    state.isStopped = false;
    for (const run of owed.splice(0)) run();
  };
  return { clock, limits, state, workers, links: workers.map(line), thaw };
}

const allowedOf = (allowances: Allowance[]) => allowances.filter(({ allowed }) => allowed).length;

function bucketsOf(machine: ReturnType<typeof openMachine>, limit: RateLimit) {
  return machine.links.map((link) => new LeasedBuckets('keys', limit, link, machine.links.length));
}

test('allows the same total as one process, however the requests are spread', async () => {
  for (const spread of [
    () => 0,
    (index: number) => index % 2,
    (index: number) => (index % 7 ? 0 : 1),
  ]) {
    const machine = openMachine();
    const buckets = bucketsOf(machine, { perSecond: 1, burst: 100 });
    const answers: Allowance[] = [];
    for (let index = 0; index < 300; index++)
      answers.push(await buckets[spread(index)]!.take('a', 0));
    assert.equal(allowedOf(answers), 100);
    assert.equal(
      allowedOf([await buckets[1]!.take('b', 0)]),
      1,
      'gives another key its own bucket',
    );
  }
});

test('never exceeds the limit under concurrent requests in all processes', async () => {
  const machine = openMachine(4);
  const buckets = bucketsOf(machine, { perSecond: 1, burst: 50 });
  const taking = Array.from({ length: 400 }, (_, index) => buckets[index % 4]!.take('a', 0));
  assert.equal(allowedOf(await Promise.all(taking.map(async (each) => each))), 50);
});

test('reports the same numbers as one process on one connection, mostly without asking the primary', async () => {
  const machine = openMachine();
  const [buckets] = bucketsOf(machine, { perSecond: 100, burst: 1_000 });
  const left: number[] = [];
  for (let index = 0; index < 500; index++) left.push((await buckets!.take('a', 0)).left);
  assert.deepEqual(
    left,
    Array.from({ length: 500 }, (_, index) => 999 - index),
  );
  assert.ok(machine.state.asked < 20, `${machine.state.asked} questions`);
});

test('returns unused tokens for other processes', async () => {
  const machine = openMachine();
  const [one, other] = bucketsOf(machine, { perSecond: 0.001, burst: 80 });
  // Its lot is 1 and 9 more.
  await one!.take('a', 0);
  one!.sweep(leaseMs);
  const answers: Allowance[] = [];
  for (let index = 0; index < 100; index++) answers.push(await other!.take('a', leaseMs));
  assert.equal(allowedOf(answers), 79);
});

test('charges the actual cost to the machine, and returns tokens that did not count', async () => {
  const machine = openMachine();
  const [one, other] = bucketsOf(machine, { perSecond: 0.001, burst: 10 });
  await one!.take('a', 0);
  one!.charge('a', 7);
  assert.equal((await other!.take('a', 0)).left, 1);
  other!.giveBack('a');
  assert.equal((await other!.take('a', 0)).left, 1);
});

test('allows each process its share while the primary is silent, and loses no token', async () => {
  const machine = openMachine();
  const buckets = bucketsOf(machine, { perSecond: 0.001, burst: 10 });
  machine.state.isStopped = true;
  const answers: Allowance[] = [];
  for (let index = 0; index < 40; index++) answers.push(await buckets[index % 2]!.take('a', 0));
  assert.equal(allowedOf(answers), 10);
  // Late answers to the earlier requests have no waiter, so their tokens go back.
  machine.thaw();
  const after: Allowance[] = [];
  for (let index = 0; index < 40; index++) {
    after.push(await buckets[index % 2]!.take('a', leaseMs + index));
  }
  assert.equal(allowedOf(after), 10);
});

test('counts open pages of the machine: per session, per address and in total', async () => {
  const machine = openMachine();
  const [one, other] = machine.links.map((link) => new LeasedPages(pages, link, 2));
  const page = (sessionId: string, address: string) => ({ tenantId: 't', sessionId, address });
  const first = page('a', '192.0.2.1');
  assert.equal(await one!.enter(first), true);
  assert.equal(await other!.enter(page('a', '192.0.2.2')), true);
  assert.equal(await one!.enter(page('a', '192.0.2.3')), false, 'a third page of one session');
  assert.equal(await one!.enter(page('b', '192.0.2.1')), true);
  assert.equal(await other!.enter(page('c', '192.0.2.4')), false, 'a fourth page');
  one!.leave(first);
  assert.equal(await other!.enter(page('c', '192.0.2.4')), true);
  // One process has died, with its page; the two of the other are still open.
  machine.limits.forget(machine.workers[0]);
  assert.equal(await other!.enter(page('d', '192.0.2.5')), true);
  assert.equal(await other!.enter(page('e', '192.0.2.6')), false);
});

test('opens a process’s share of pages while the primary is silent, and ignores its late answer', async () => {
  const machine = openMachine();
  const one = new LeasedPages({ overall: 4, perAddress: 4, perSession: 4 }, machine.links[0]!, 2);
  machine.state.isStopped = true;
  const page = (address: string) => ({ tenantId: 't', sessionId: address, address });
  const opened = [];
  for (const address of ['1', '2', '3']) opened.push(await one.enter(page(address)));
  assert.deepEqual(opened, [true, true, false]);
  machine.thaw();
  const after: boolean[] = [];
  for (const address of ['4', '5', '6']) after.push(await one.enter(page(address)));
  assert.deepEqual(after, [true, true, true], 'the primary counts none of the others');
});

test('uses an answer that has arrived, instead of its share, after being busy itself', async () => {
  const machine = openMachine();
  const [link] = machine.links;
  const buckets = new LeasedBuckets('keys', { perSecond: 0.001, burst: 1 }, link!, 2);
  machine.state.isStopped = true;
  const taking = buckets.take('a', 0);
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  setTimeout(() => {
    machine.thaw();
    resolve();
  }, 50);
  // This process does nothing else meanwhile, so the answer is read in the turn in which time is up.
  const busyUntilMs = performance.now() + 60;
  while (performance.now() < busyUntilMs);
  await timeIsUp;
  assert.equal((await taking).allowed, true);
  assert.equal((await buckets.take('a', 1)).allowed, false);
});
