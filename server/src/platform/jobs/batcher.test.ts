import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { eventually } from '../../../test/support/eventually.ts';
import { Batcher, type BatcherOptions } from './batcher.ts';

/** An item is its key, a colon, and a suffix that distinguishes it from others with that key. */
type Item = `${string}:${string}`;

const keyOf = (item: Item) => item.slice(0, item.indexOf(':'));
const resultOf = (item: Item) => `result of ${item}`;
const resultsOf = (...items: Item[]) => items.map(resultOf);

interface Write {
  items: Item[];
  repeated: boolean;
  succeed: () => void;
  fail: (error: Error) => void;
}

/** A batcher whose writes stay open until the test settles them. */
function openBatcher(change: Partial<BatcherOptions<Item, string>> = {}) {
  const writes: Write[] = [];
  const batcher = new Batcher<Item, string>({
    maxItems: 100,
    maxInFlight: 1,
    keyOf,
    ...change,
    write: (items, repeated) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      const succeed = () => resolve(items.map(resultOf));
      writes.push({ items: [...items], repeated, succeed, fail: reject });
      return promise;
    },
  });
  /** The write of this number, counted from 0, once it has begun. */
  const write = (number: number) => eventually(`write ${number} begins`, () => writes[number]);
  const submit = (...items: Item[]) => items.map((item) => batcher.submit(item));
  return { writes, write, submit };
}

/** Long enough for everything that waits for nothing but the event loop. */
async function quiet(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn();
}

const transient = () => Object.assign(new Error('the server is stopping'), { code: '57P01' });

test('sends a single item at once', async () => {
  const { write, submit } = openBatcher();
  const [result] = submit('a:1');
  const { items, repeated, succeed } = await write(0);
  assert.deepEqual(items, ['a:1']);
  assert.equal(repeated, false);
  succeed();
  assert.equal(await result, resultOf('a:1'));
});

test('collects items during a batch in flight into the next batch', async () => {
  const { writes, write, submit } = openBatcher();
  const results = submit('a:1');
  const first = await write(0);
  results.push(...submit('b:1', 'c:1'));
  await quiet();
  results.push(...submit('d:1'));
  await quiet();
  assert.equal(writes.length, 1, 'nothing else goes out meanwhile');
  first.succeed();
  const second = await write(1);
  assert.deepEqual(second.items, ['b:1', 'c:1', 'd:1']);
  second.succeed();
  assert.deepEqual(await Promise.all(results), resultsOf('a:1', 'b:1', 'c:1', 'd:1'));
});

/** Longer than a test waits for anything. */
const longMs = 30_000;

test('delays the next batch after several concurrent items, until it is full', async () => {
  const { writes, write, submit } = openBatcher({ spacingMs: longMs, maxItems: 4 });
  const results = submit('a:1', 'b:1', 'c:1');
  (await write(0)).succeed();
  results.push(...submit('d:1', 'e:1', 'f:1'));
  await quiet();
  assert.equal(writes.length, 1, 'it waits');
  results.push(...submit('g:1'));
  const second = await write(1);
  assert.deepEqual(second.items, ['d:1', 'e:1', 'f:1', 'g:1']);
  second.succeed();
  await Promise.all(results);
});

test('sends a delayed batch after the maximum delay', async () => {
  const { write, submit } = openBatcher({ spacingMs: 20 });
  const results = submit('a:1', 'b:1', 'c:1');
  (await write(0)).succeed();
  results.push(...submit('d:1'));
  (await write(1)).succeed();
  await Promise.all(results);
});

test('does not delay without concurrency', async () => {
  const { write, submit } = openBatcher({ spacingMs: longMs });
  for (let number = 0; number < 5; number++) {
    const results = submit(`a:${number}`, `b:${number}`);
    (await write(number)).succeed();
    await Promise.all(results);
  }
});

test('limits the size of a batch', async () => {
  const { writes, write, submit } = openBatcher({ maxItems: 2 });
  const results = submit('a:1', 'b:1', 'c:1', 'd:1', 'e:1');
  for (let number = 0; number < 3; number++) (await write(number)).succeed();
  await Promise.all(results);
  assert.deepEqual(
    writes.map(({ items }) => items),
    [['a:1', 'b:1'], ['c:1', 'd:1'], ['e:1']],
  );
});

test('limits the batches in flight', async () => {
  const { writes, write, submit } = openBatcher({ maxItems: 1, maxInFlight: 2 });
  const results = submit('a:1', 'b:1', 'c:1');
  const second = await write(1);
  await quiet();
  assert.equal(writes.length, 2);
  second.succeed();
  assert.deepEqual((await write(2)).items, ['c:1']);
  for (const { succeed } of writes) succeed();
  await Promise.all(results);
});

test('puts a key once in a batch, and keeps the order of its items', async () => {
  const { writes, write, submit } = openBatcher({ maxItems: 3 });
  const results = submit('b:1', 'b:2', 'a:1', 'c:1', 'b:3', 'a:2');
  for (let number = 0; number < 3; number++) (await write(number)).succeed();
  await Promise.all(results);
  assert.deepEqual(
    writes.map(({ items }) => items),
    [['a:1', 'b:1', 'c:1'], ['a:2', 'b:2'], ['b:3']],
  );
});

test('sorts a batch by key, and gives each caller the result of its own item', async () => {
  const { write, submit } = openBatcher();
  const results = submit('c:1', 'a:1', 'b:1');
  const { items, succeed } = await write(0);
  assert.deepEqual(items, ['a:1', 'b:1', 'c:1']);
  succeed();
  assert.deepEqual(await Promise.all(results), ['result of c:1', 'result of a:1', 'result of b:1']);
});

/** Writes everything but items that are poisoned. */
function pickyBatcher(refused: (item: Item) => boolean) {
  const written: Item[] = [];
  const batcher = new Batcher<Item, string>({
    maxItems: 100,
    maxInFlight: 1,
    keyOf,
    write: async (items) => {
      const poisoned = items.find(refused);
      if (poisoned) throw new Error(`${poisoned} is poisoned`);
      written.push(...items);
      return items.map(resultOf);
    },
  });
  return { written, batcher };
}

test('fails poisoned rows alone, and writes the rest of their batch once', async () => {
  const isPoisoned = (item: Item) => item === 'k3:1' || item === 'k7:1';
  const { written, batcher } = pickyBatcher(isPoisoned);
  const items = Array.from({ length: 9 }, (_, index): Item => `k${index}:1`);
  const outcomes = await Promise.allSettled(items.map((item) => batcher.submit(item)));
  for (const [index, outcome] of outcomes.entries()) {
    const item = items[index]!;
    if (outcome.status === 'fulfilled') assert.equal(outcome.value, resultOf(item));
    else assert.equal(outcome.reason.message, `${item} is poisoned`);
    assert.equal(outcome.status === 'rejected', isPoisoned(item), item);
  }
  assert.deepEqual(
    written.toSorted(),
    items.filter((item) => !isPoisoned(item)),
  );
  assert.equal(await batcher.submit('later:1'), resultOf('later:1'));
});

test('repeats the same items after a lost connection, marked as repeated', async () => {
  const { write, submit } = openBatcher();
  const results = submit('b:1', 'a:1');
  const first = await write(0);
  results.push(...submit('c:1'));
  first.fail(transient());
  const second = await write(1);
  assert.deepEqual(second.items, first.items, 'adds nothing to a batch that may be committed');
  assert.deepEqual([first.repeated, second.repeated], [false, true]);
  second.succeed();
  (await write(2)).succeed();
  assert.deepEqual(await Promise.all(results), resultsOf('b:1', 'a:1', 'c:1'));
});

test('reports a lasting connection loss to every caller, and sends the next batch', async () => {
  const { writes, write, submit } = openBatcher();
  const outcomes = Promise.allSettled(submit('a:1', 'b:1'));
  const error = transient();
  for (let number = 0; number < 2; number++) (await write(number)).fail(error);
  for (const outcome of await outcomes) {
    assert.equal(outcome.status === 'rejected' && outcome.reason, error);
  }
  const [later] = submit('c:1');
  const next = await write(2);
  assert.deepEqual([next.items, next.repeated], [['c:1'], false]);
  next.succeed();
  await later;
  assert.equal(writes.length, 3);
});

test('does not halve a batch that timed out, because each half would time out too', async () => {
  let writes = 0;
  const batcher = new Batcher<number, number>({
    maxItems: 256,
    maxInFlight: 1,
    keyOf: String,
    write: async () => {
      writes += 1;
      throw Object.assign(new Error('canceling statement'), { code: '57014' });
    },
  });
  await Promise.allSettled(Array.from({ length: 256 }, (_, item) => batcher.submit(item)));
  assert.equal(writes, 2);
});

test('splits off a row poisoned after a lost connection, and keeps the rest marked as repeated', async () => {
  const { write, submit } = openBatcher();
  const [a, b] = submit('a:1', 'b:1');
  (await write(0)).fail(transient());
  (await write(1)).fail(new Error('poisoned'));
  const left = await write(2);
  assert.deepEqual(left.items, ['a:1']);
  left.fail(new Error('a is poisoned'));
  await assert.rejects(a!, /a is poisoned/);
  const right = await write(3);
  assert.deepEqual([right.items, right.repeated], [['b:1'], true]);
  right.succeed();
  assert.equal(await b, resultOf('b:1'));
});

test('treats a missing result as an error, not as a neighbour’s result', async () => {
  const batcher = new Batcher<Item, string>({
    maxItems: 9,
    maxInFlight: 1,
    keyOf,
    write: async (items) => items.slice(1).map(resultOf),
  });
  await assert.rejects(batcher.submit('a:1'), /lost the result of a row/);
});

test('batches an owner separately after a refusal, without retries for others', async () => {
  const writes: Item[][] = [];
  const isRefused = (item: Item) => item.startsWith('bad');
  const batcher = new Batcher<Item, string>({
    maxItems: 256,
    maxInFlight: 1,
    keyOf: (item) => item,
    ownerOf: keyOf,
    write: async (items) => {
      writes.push(items);
      if (items.some(isRefused)) throw new Error('poisoned');
      return items.map(resultOf);
    },
  });
  const owners = [...Array.from({ length: 15 }, (_, index) => `good${index}`), 'bad'];
  const items = owners.flatMap((owner) => [1, 2, 3, 4].map((n): Item => `${owner}:${n}`));
  const rounds: number[] = [];
  for (let round = 0; round < 3; round++) {
    const outcomes = await Promise.allSettled(items.map((item) => batcher.submit(item)));
    assert.deepEqual(
      outcomes.map(({ status }) => status === 'rejected'),
      items.map(isRefused),
    );
    const inVain = writes.splice(0).filter((batch) => batch.some(isRefused));
    rounds.push(inVain.filter((batch) => !batch.every(isRefused)).length);
  }
  assert.deepEqual(rounds, [4, 0, 0], 'halved until only the owner was left, and never again');
});

test('does not delay others by separate batches', async () => {
  const { write, submit } = openBatcher({ ownerOf: keyOf });
  const outcomes = Promise.allSettled(submit('bad:1', 'good:1'));
  for (const number of [0, 1]) (await write(number)).fail(new Error('poisoned'));
  (await write(2)).succeed();
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  const [badAgain, goodAgain] = submit('bad:2', 'good:2');
  const [first, second] = [await write(3), await write(4)];
  assert.deepEqual([first.items, second.items], [['good:2'], ['bad:2']], 'both are under way');
  first.succeed();
  await goodAgain;
  second.succeed();
  await badAgain;
});

const plans = fc.record({
  submissions: fc.array(
    fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      afterTurns: fc.constantFrom(0, 0, 0, 2),
    }),
    { maxLength: 30 },
  ),
  /** How many turns of the event loop one write after the other takes. */
  writeTurns: fc.array(fc.nat(6), { minLength: 1, maxLength: 10 }),
  poisoned: fc.array(fc.nat(29), { maxLength: 3 }),
  maxItems: fc.integer({ min: 1, max: 6 }),
  maxInFlight: fc.integer({ min: 1, max: 3 }),
  spacingMs: fc.constantFrom(0, 0, 2),
  /** Whether the items of a key have an owner, who may be set apart. */
  hasOwners: fc.boolean(),
});
type Plan = typeof plans extends fc.Arbitrary<infer Value> ? Value : never;

async function pass(turns: number): Promise<void> {
  for (let left = turns; left > 0; left--) await turn();
}

/** A batcher whose writes check that the plan's limits hold; `broken` says which did not. */
function watchedBatcher(plan: Plan, isPoisoned: (item: Item) => boolean) {
  const written: Item[] = [];
  const broken: string[] = [];
  let inFlight = 0;
  let writes = 0;
  const write = async (items: Item[]) => {
    inFlight += 1;
    const keys = items.map(keyOf).join();
    if (inFlight > maxInFlight + (plan.hasOwners ? 2 : 0))
      broken.push('too many batches in flight');
    if (items.length > plan.maxItems) broken.push('too many items in a batch');
    if (keys !== [...new Set(items.map(keyOf))].sort().join()) broken.push(`keys ${keys}`);
    await pass(plan.writeTurns[writes++ % plan.writeTurns.length]!);
    inFlight -= 1;
    if (items.some(isPoisoned)) throw new Error('poisoned');
    written.push(...items);
    return items.map(resultOf);
  };
  const { maxItems, maxInFlight, spacingMs } = plan;
  const owners = plan.hasOwners && {
    ownerOf: (item: Item) => (item < 'c' ? 'a and b' : 'c and d'),
  };
  const options = { maxItems, maxInFlight, spacingMs, keyOf, ...owners, write };
  const batcher = new Batcher<Item, string>(options);
  return { batcher, written, broken };
}

async function checkPlan(plan: Plan): Promise<void> {
  const isPoisoned = (item: Item) => plan.poisoned.includes(Number(item.split(':')[1]));
  const { batcher, written, broken } = watchedBatcher(plan, isPoisoned);
  const items = plan.submissions.map(({ key }, number): Item => `${key}:${number}`);
  const results: Promise<PromiseSettledResult<string>[]>[] = [];
  for (const [number, { afterTurns }] of plan.submissions.entries()) {
    await pass(afterTurns);
    results.push(Promise.allSettled([batcher.submit(items[number]!)]));
  }
  for (const [number, outcome] of (await Promise.all(results)).flat().entries()) {
    const item = items[number]!;
    if (isPoisoned(item)) assert.equal(outcome.status, 'rejected');
    else assert.deepEqual(outcome, { status: 'fulfilled', value: resultOf(item) });
  }
  assert.deepEqual(broken, []);
  const expected = items.filter((item) => !isPoisoned(item));
  assert.deepEqual(written.toSorted(), expected.toSorted(), 'each item is written once');
  if (plan.maxInFlight > 1) return;
  for (const key of ['a', 'b', 'c', 'd']) {
    const ofKey = (all: Item[]) => all.filter((item) => keyOf(item) === key);
    assert.deepEqual(ofKey(written), ofKey(expected), 'one after the other of a key');
  }
}

test('keeps the limits and returns the right results for any sequence of items', async () => {
  await fc.assert(fc.asyncProperty(plans, checkPlan), { numRuns: 300 });
});
