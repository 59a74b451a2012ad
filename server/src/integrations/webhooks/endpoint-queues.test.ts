import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { ByteBudget, type ByteLimits } from '../../platform/memory/byte-budget.ts';
import type { Delivery } from './delivery-store.ts';
import { EndpointQueues, type Outcome, type QueueLimits } from './endpoint-queues.ts';

const roomy: QueueLimits = {
  firstPerEndpoint: 2,
  perEndpoint: 2,
  perTenant: 100,
  test: 100,
  overall: 100,
  waitingPerEndpoint: 100,
  claimedPerTenantBytes: 1,
};

const muchMemory: ByteLimits = { perTenant: 1e9, test: 1e9, overall: 1e9 };
/** The memory of a delivery in these tests. */
const deliveryBytes = 1_026;

/**
 * Queues whose sends stay open until the test ends them. Deliveries are named `tenant/endpoint/number`; tenant x is a
 * live one.
 */
function openQueues(limits: Partial<QueueLimits> = {}, bytes: ByteLimits = muchMemory) {
  const running = new Map<string, (outcome: Outcome) => void>();
  const begun: string[] = [];
  const roomFor: string[] = [];
  const queues = new EndpointQueues(
    { ...roomy, ...limits },
    new ByteBudget(bytes),
    ({ eventId }) => {
      begun.push(eventId);
      return new Promise((resolve) => running.set(eventId, resolve));
    },
    {
      ofEndpoint: (endpointId) => roomFor.push(endpointId),
      ofTenant: (tenantId) => roomFor.push(tenantId),
      ofAll: () => roomFor.push('all'),
    },
  );
  const add = (...names: string[]) => names.map((name) => queues.add(delivery(name)));
  const finish = async (outcome: Outcome, ...names: string[]) => {
    for (const name of names) {
      const resolve = running.get(name);
      assert.ok(resolve, `${name} is not under way`);
      running.delete(name);
      resolve(outcome);
      await turn();
    }
  };
  const end = (...names: string[]) => finish('quick', ...names);
  const hang = (...names: string[]) => finish('hung', ...names);
  /** These endpoints have answered quickly, so that they do not share the slots of slow ones. */
  const know = async (...endpoints: string[]) => {
    for (const endpoint of endpoints) {
      add(`${endpoint}/0`);
      await end(`${endpoint}/0`);
    }
    begun.length = 0;
  };
  return {
    queues,
    begun,
    roomFor,
    add,
    know,
    finish,
    end,
    hang,
    running: () => [...running.keys()],
  };
}

function delivery(name: string): Delivery {
  const [tenantId = '', endpoint] = name.split('/');
  const endpointId = `${tenantId}/${endpoint}`;
  const mode = tenantId === 'x' ? 'live' : 'test';
  const rest = {
    mode,
    endpointVersion: 1,
    sequence: 1,
    body: '{}',
    attemptCount: 0,
    dueAtMs: 0,
  } as const;
  return { tenantId, endpointId, eventId: name, ...rest };
}

test('sends an endpoint no more deliveries at once than its limit, in their order', async () => {
  const { begun, add, end, running } = openQueues();
  add('t/a/1', 't/a/2', 't/a/3', 't/a/4');
  assert.deepEqual(running(), ['t/a/1', 't/a/2']);
  await end('t/a/2');
  assert.deepEqual(running(), ['t/a/1', 't/a/3']);
  await end('t/a/1', 't/a/3', 't/a/4');
  assert.deepEqual(begun, ['t/a/1', 't/a/2', 't/a/3', 't/a/4']);
});

test('lets an endpoint that hangs delay no other', async () => {
  const { add, end, running } = openQueues();
  add('t/dead/1', 't/dead/2', 't/dead/3');
  for (let number = 1; number <= 20; number++) {
    add(`t/good/${number}`);
    await end(`t/good/${number}`);
  }
  assert.deepEqual(running(), ['t/dead/1', 't/dead/2']);
});

test('probes an endpoint that hangs with one delivery at a time until it answers', async () => {
  const { add, end, hang, running } = openQueues({ firstPerEndpoint: 4, perEndpoint: 5 });
  const names = (endpoint: string) => [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `t/${endpoint}/${n}`);
  add(...names('a'), ...names('b'));
  assert.equal(running().length, 8);
  await hang(...running());
  assert.deepEqual(running(), ['t/a/5', 't/b/5'], 'each has its probe');
  await end('t/a/5');
  assert.deepEqual(running(), ['t/b/5', 't/a/6', 't/a/7'], 'who answers gets more');
});

test('shares half of the slots, of a tenant and of all, among endpoints not known to be quick', async () => {
  const { add, end, finish, running } = openQueues({ perTenant: 4, overall: 8, test: 8 });
  add('t/quick/1', 'u/quick/1');
  await end('t/quick/1', 'u/quick/1');
  add('t/a/1', 't/b/1', 't/c/1', 'u/a/1', 'v/a/1', 'v/b/1');
  assert.deepEqual(running(), ['t/a/1', 't/b/1', 'u/a/1', 'v/a/1']);
  add('t/quick/2', 'u/quick/2', 'u/quick/3');
  assert.deepEqual(running().slice(4), ['t/quick/2', 'u/quick/2', 'u/quick/3']);
  await finish('slow', 't/a/1');
  add('t/a/2');
  assert.deepEqual(running().slice(-1), ['v/b/1'], 'who is slow has no more room than who is new');
});

test('learns nothing about an endpoint from a delivery that could not be sent, and still only probes it', async () => {
  const { add, finish, hang, running } = openQueues({ firstPerEndpoint: 1, perEndpoint: 8 });
  add(...[1, 2, 3, 4, 5, 6].map((number) => `t/dead/${number}`));
  await hang('t/dead/1');
  await finish('unsent', 't/dead/2', 't/dead/3', 't/dead/4');
  assert.deepEqual(running(), ['t/dead/5']);
});

test('lets no tenant take all the memory, with any number of endpoints, and frees memory when deliveries are sent', async () => {
  const overall = 40 * deliveryBytes;
  const bytes = { perTenant: overall, test: overall, overall };
  const { queues, add, end } = openQueues({ claimedPerTenantBytes: deliveryBytes }, bytes);
  const many = (tenant: string) =>
    Array.from({ length: 100 }, (_, number) => add(`${tenant}/${number}/1`)[0]);
  const taken = (answers: (boolean | undefined)[]) => answers.filter(Boolean).length;
  assert.equal(taken(many('t')), 20, 'half of what is free');
  assert.equal(taken(many('u')), 10, 'half of what was left');
  assert.deepEqual(add('v/good/1', 'v/good/2', 'v/good/3'), [true, true, true]);
  assert.deepEqual(queues.full().tenantIds, ['t', 'u']);
  await end(...[0, 1, 2, 3, 4, 5, 6, 7].map((number) => `t/${number}/1`));
  assert.deepEqual(add('t/100/1'), [true]);
});

test('counts a large body like many small ones', () => {
  const { queues } = openQueues({}, { ...muchMemory, perTenant: 1_000_000 });
  const large = { ...delivery('t/a/1'), body: 'x'.repeat(400_000) };
  assert.deepEqual(
    [1, 2, 3].map((number) => queues.add({ ...large, eventId: `t/a/${number}` })),
    [true, true, false],
  );
});

test('leaves room for live tenants, in memory and under way', () => {
  const bytes = { perTenant: 1e9, test: 20 * deliveryBytes, overall: 40 * deliveryBytes };
  const { add, running } = openQueues({ test: 4, overall: 8 }, bytes);
  for (const tenant of ['t', 'u', 'v', 'w']) {
    add(...Array.from({ length: 50 }, (_, number) => `${tenant}/${number}/1`));
  }
  assert.equal(running().length, 2, 'half of what test tenants may have under way');
  assert.deepEqual(add('x/a/1', 'x/b/1', 'x/c/1'), [true, true, true]);
  assert.deepEqual(running().slice(2), ['x/a/1', 'x/b/1']);
});

test('sends a tenant no more deliveries at once than its limit, and leaves other tenants free', async () => {
  const { add, know, end, running } = openQueues({ perTenant: 3 });
  await know('t/a', 't/b', 't/c', 'u/a');
  add('t/a/1', 't/a/2', 't/b/1', 't/b/2', 't/c/1', 'u/a/1');
  assert.deepEqual(running(), ['t/a/1', 't/a/2', 't/b/1', 'u/a/1']);
  await end('u/a/1');
  assert.equal(running().length, 3, 'the room of another tenant is no use');
  await end('t/a/1');
  assert.equal(running().length, 3);
});

test('sends no more deliveries at once overall than the limit', async () => {
  const { add, know, end, running } = openQueues({ overall: 2 });
  await know('t/a', 'u/a', 'v/a', 'w/a');
  add('t/a/1', 'u/a/1', 'v/a/1', 'w/a/1');
  assert.deepEqual(running(), ['t/a/1', 'u/a/1']);
  await end('t/a/1');
  assert.deepEqual(running(), ['u/a/1', 'v/a/1']);
  await end('u/a/1', 'v/a/1');
  assert.deepEqual(running(), ['w/a/1']);
});

test("gives a tenant's endpoints turns, so that a busy one does not block another", async () => {
  const { begun, add, end } = openQueues({ perEndpoint: 1, perTenant: 1 });
  add('t/busy/1', 't/busy/2', 't/busy/3', 't/busy/4', 't/calm/1', 't/late/1');
  const order = ['t/busy/1', 't/busy/2', 't/calm/1', 't/late/1', 't/busy/3', 't/busy/4'];
  await end(...order);
  assert.deepEqual(begun, order);
});

test('gives tenants turns, so that more endpoints do not mean more turns', async () => {
  const { begun, add, end } = openQueues({ overall: 1 });
  add('t/a/1', 't/b/1', 't/c/1', 't/d/1', 'u/a/1', 'u/a/2', 'v/a/1');
  const order = ['t/a/1', 't/b/1', 'u/a/1', 'v/a/1', 't/c/1', 'u/a/2', 't/d/1'];
  await end(...order);
  assert.deepEqual(begun, order);
});

test('refuses deliveries beyond the queue of an endpoint, but not those of others', async () => {
  const { queues, add, end, running } = openQueues({ waitingPerEndpoint: 3 });
  const taken = add('t/a/1', 't/a/2', 't/a/3', 't/a/4', 't/a/5', 't/a/6', 't/b/1');
  assert.deepEqual(taken, [true, true, true, true, true, false, true]);
  await end('t/a/1');
  assert.deepEqual(add('t/a/7', 't/a/8'), [true, false]);
  assert.deepEqual(queues.full().endpointIds, ['t/a'], 'a claim passes it over');
  await end('t/a/2', 't/a/3', 't/a/4', 't/a/5', 't/a/7', 't/b/1');
  assert.deepEqual(queues.full(), { tenantIds: [], endpointIds: [] });
  assert.deepEqual(running(), []);
});

test('asks once for more deliveries of a skipped endpoint when few wait, and keeps fewer ahead for a slow one', async () => {
  const { queues, roomFor, add, end, finish } = openQueues({ perEndpoint: 1, firstPerEndpoint: 1 });
  const names = Array.from({ length: 15 }, (_, number) => `t/a/${number}`);
  add('t/b/1', ...names);
  await end('t/b/1');
  assert.deepEqual(roomFor, [], 'nobody was passed over');
  assert.deepEqual(queues.full().endpointIds, ['t/a'], 'one is sent, and is not known to be quick');
  await end(...names.slice(0, 4));
  assert.deepEqual(roomFor, [], 'ten wait');
  await end(names[4]!);
  assert.deepEqual(roomFor, ['t/a'], 'nine wait');
  await end(...names.slice(5, 8));
  assert.deepEqual(roomFor, ['t/a'], 'once');
  await finish('slow', names[8]!);
  assert.deepEqual(queues.full().endpointIds, ['t/a'], 'five are enough for one that is slow');
});

test('waits for sends under way at a stop, forgets the waiting deliveries, and accepts no more', async () => {
  const { queues, begun, add, end } = openQueues();
  add('t/a/1', 't/a/2', 't/a/3');
  let stopped = false;
  const stopping = queues.stop().then(() => {
    stopped = true;
  });
  assert.deepEqual(add('t/b/1'), [false]);
  await end('t/a/1');
  assert.equal(stopped, false);
  await end('t/a/2');
  await stopping;
  assert.deepEqual(begun, ['t/a/1', 't/a/2']);
});

interface Plan {
  limits: QueueLimits;
  names: string[];
  /** Which of the sends under way ends next, again and again. */
  ends: number[];
}

const plans: fc.Arbitrary<Plan> = fc.record({
  limits: fc.record({
    firstPerEndpoint: fc.constant(3),
    perEndpoint: fc.integer({ min: 1, max: 3 }),
    perTenant: fc.integer({ min: 1, max: 4 }),
    test: fc.integer({ min: 1, max: 5 }),
    overall: fc.integer({ min: 1, max: 5 }),
    waitingPerEndpoint: fc.constant(100),
    claimedPerTenantBytes: fc.constant(1),
  }),
  names: fc
    .array(fc.constantFrom('t/a', 't/b', 't/c', 'u/a', 'u/b'), { maxLength: 30 })
    .map((all) => all.map((name, number) => `${name}/${number}`)),
  ends: fc.array(fc.nat(), { minLength: 1, maxLength: 10 }),
});

/** How many of these start with each text of this many parts: 1 counts tenants, 2 endpoints. */
function counts(names: string[], dependencies: number): Map<string, number> {
  const counted = new Map<string, number>();
  for (const name of names) {
    const key = name.split('/').slice(0, dependencies).join('/');
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  return counted;
}

/** No limit is exceeded, and nothing waits that has room. */
function checkRoom({ limits }: Plan, running: string[], waiting: string[]): void {
  const byTenant = counts(running, 1);
  const byEndpoint = counts(running, 2);
  const slots = Math.min(limits.overall, limits.test);
  assert.ok(running.length <= slots);
  assert.ok([...byTenant.values()].every((count) => count <= limits.perTenant));
  assert.ok([...byEndpoint.values()].every((count) => count <= limits.perEndpoint));
  if (running.length === slots) return;
  for (const name of waiting) {
    const [tenant, endpoint] = name.split('/');
    const tenantIsFull = byTenant.get(tenant!) === limits.perTenant;
    const endpointIsFull = (byEndpoint.get(`${tenant}/${endpoint}`) ?? 0) >= limits.perEndpoint;
    assert.ok(tenantIsFull || endpointIsFull, `${name} has room and waits`);
  }
}

test('keeps every limit, wastes no room and sends everything, in any order of arrivals and ends', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { begun, add, know, end, running } = openQueues(plan.limits);
      await know('t/a', 't/b', 't/c', 'u/a', 'u/b');
      add(...plan.names);
      const waiting = () => plan.names.filter((name) => !begun.includes(name));
      checkRoom(plan, running(), waiting());
      for (let step = 0; running().length > 0; step++) {
        const under = running();
        await end(under[plan.ends[step % plan.ends.length]! % under.length]!);
        checkRoom(plan, running(), waiting());
      }
      assert.deepEqual(begun.toSorted(), plan.names.toSorted());
      for (const endpoint of counts(plan.names, 2).keys()) {
        const ofEndpoint = (names: string[]) =>
          names.filter((name) => name.startsWith(`${endpoint}/`));
        assert.deepEqual(ofEndpoint(begun), ofEndpoint(plan.names));
      }
    }),
  );
});
