import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Delivery } from './delivery-store.ts';
import { type LaneLimits, Lanes, type Outcome } from './lanes.ts';

const roomy: LaneLimits = {
  firstPerEndpoint: 2,
  perEndpoint: 2,
  perTenant: 100,
  overall: 100,
  waitingPerEndpoint: 100,
  waitingOverall: 1_000,
};

/** Lanes whose sends lie open until the test ends them. Deliveries are named `tenant/endpoint/number`. */
function openLanes(limits: Partial<LaneLimits> = {}) {
  const running = new Map<string, (outcome: Outcome) => void>();
  const begun: string[] = [];
  const lanes = new Lanes({ ...roomy, ...limits }, ({ eventId }) => {
    begun.push(eventId);
    return new Promise((resolve) => running.set(eventId, resolve));
  });
  const add = (...names: string[]) => names.map((name) => lanes.add(delivery(name)));
  const finish = async (outcome: Outcome, ...names: string[]) => {
    for (const name of names) {
      const resolve = running.get(name);
      assert.ok(resolve, `${name} is not under way`);
      running.delete(name);
      resolve(outcome);
      await turn();
    }
  };
  const end = (...names: string[]) => finish('answered', ...names);
  const hang = (...names: string[]) => finish('hung', ...names);
  return { lanes, begun, add, finish, end, hang, running: () => [...running.keys()] };
}

function delivery(name: string): Delivery {
  const [tenantId = '', endpoint] = name.split('/');
  const endpointId = `${tenantId}/${endpoint}`;
  const rest = { endpointVersion: 1, sequence: 1, body: '{}', attemptCount: 0, dueAtMs: 0 };
  return { tenantId, endpointId, eventId: name, ...rest };
}

test('an endpoint gets no more deliveries at once than its limit, in their order', async () => {
  const { begun, add, end, running } = openLanes();
  add('t/a/1', 't/a/2', 't/a/3', 't/a/4');
  assert.deepEqual(running(), ['t/a/1', 't/a/2']);
  await end('t/a/2');
  assert.deepEqual(running(), ['t/a/1', 't/a/3']);
  await end('t/a/1', 't/a/3', 't/a/4');
  assert.deepEqual(begun, ['t/a/1', 't/a/2', 't/a/3', 't/a/4']);
});

test('an endpoint that hangs leaves the others free', async () => {
  const { add, end, running } = openLanes();
  add('t/dead/1', 't/dead/2', 't/dead/3');
  for (let number = 1; number <= 20; number++) {
    add(`t/good/${number}`);
    await end(`t/good/${number}`);
  }
  assert.deepEqual(running(), ['t/dead/1', 't/dead/2']);
});

test('an endpoint that hangs is probed one at a time until it answers, and all such share a quarter', async () => {
  const { add, end, hang, running } = openLanes({
    firstPerEndpoint: 4,
    perEndpoint: 5,
    overall: 8,
  });
  const names = (endpoint: string) => [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `t/${endpoint}/${n}`);
  add(...names('a'), ...names('b'));
  assert.equal(running().length, 8);
  await hang(...running());
  assert.deepEqual(running(), ['t/a/5', 't/b/5'], 'each has its probe');
  add(...names('c').slice(0, 4));
  await hang('t/c/1', 't/c/2');
  assert.deepEqual(running(), ['t/a/5', 't/b/5', 't/c/3', 't/c/4']);
  await hang('t/c/3', 't/c/4');
  add('t/c/5');
  assert.deepEqual(running(), ['t/a/5', 't/b/5'], 'a quarter is all they get');
  await end('t/a/5');
  assert.deepEqual(running(), ['t/b/5', 't/a/6', 't/c/5', 't/a/7'], 'who answers gets more');
});

test('what could not be sent tells nothing of its endpoint: one that hangs is still only probed', async () => {
  const { add, finish, hang, running } = openLanes({ firstPerEndpoint: 1, perEndpoint: 8 });
  add(...[1, 2, 3, 4, 5, 6].map((number) => `t/dead/${number}`));
  await hang('t/dead/1');
  await finish('unsent', 't/dead/2', 't/dead/3', 't/dead/4');
  assert.deepEqual(running(), ['t/dead/5']);
});

test('endpoints that hang never take all the room in memory', () => {
  const { add } = openLanes({ waitingOverall: 50 });
  for (const endpoint of ['a', 'b', 'c']) {
    add(...Array.from({ length: 100 }, (_, number) => `t/${endpoint}/${number}`));
  }
  assert.deepEqual(add('t/good/1', 't/good/2', 't/good/3'), [true, true, true]);
});

test('a tenant gets no more deliveries at once than its limit, and leaves other tenants free', async () => {
  const { add, end, running } = openLanes({ perTenant: 3 });
  add('t/a/1', 't/a/2', 't/b/1', 't/b/2', 't/c/1', 'u/a/1');
  assert.deepEqual(running(), ['t/a/1', 't/a/2', 't/b/1', 'u/a/1']);
  await end('u/a/1');
  assert.equal(running().length, 3, 'the room of another tenant is no use');
  await end('t/a/1');
  assert.equal(running().length, 3);
});

test('no more deliveries are under way overall than the limit', async () => {
  const { add, end, running } = openLanes({ overall: 2 });
  add('t/a/1', 'u/a/1', 'v/a/1', 'w/a/1');
  assert.deepEqual(running(), ['t/a/1', 'u/a/1']);
  await end('t/a/1');
  assert.deepEqual(running(), ['u/a/1', 'v/a/1']);
  await end('u/a/1', 'v/a/1');
  assert.deepEqual(running(), ['w/a/1']);
});

test('room in a tenant goes round: an endpoint with much to send does not keep it from another', async () => {
  const { begun, add, end } = openLanes({ perEndpoint: 1, perTenant: 1 });
  add('t/busy/1', 't/busy/2', 't/busy/3', 't/busy/4', 't/calm/1', 't/late/1');
  const order = ['t/busy/1', 't/busy/2', 't/calm/1', 't/late/1', 't/busy/3', 't/busy/4'];
  await end(...order);
  assert.deepEqual(begun, order);
});

test('room overall goes round from tenant to tenant', async () => {
  const { begun, add, end } = openLanes({ overall: 1 });
  add('t/a/1', 't/a/2', 't/a/3', 'u/a/1', 'u/a/2');
  const order = ['t/a/1', 't/a/2', 'u/a/1', 't/a/3', 'u/a/2'];
  await end(...order);
  assert.deepEqual(begun, order);
});

test('beyond what may wait for an endpoint, deliveries are refused and others are not', async () => {
  const { lanes, add, end, running } = openLanes({ waitingPerEndpoint: 3 });
  const taken = add('t/a/1', 't/a/2', 't/a/3', 't/a/4', 't/a/5', 't/a/6', 't/b/1');
  assert.deepEqual(taken, [true, true, true, true, true, false, true]);
  await end('t/a/1');
  assert.deepEqual(add('t/a/7', 't/a/8'), [true, false]);
  assert.deepEqual(lanes.full(), ['t/a'], 'a claim passes it over');
  await end('t/a/2', 't/a/3', 't/a/4', 't/a/5', 't/a/7', 't/b/1');
  assert.deepEqual(lanes.full(), []);
  assert.deepEqual(running(), []);
});

test('stop waits for what is under way, forgets what waits, and takes no more', async () => {
  const { lanes, begun, add, end } = openLanes();
  add('t/a/1', 't/a/2', 't/a/3');
  let stopped = false;
  const stopping = lanes.stop().then(() => {
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
  limits: LaneLimits;
  names: string[];
  /** Which of those under way ends next, again and again. */
  ends: number[];
}

const plans: fc.Arbitrary<Plan> = fc.record({
  limits: fc.record({
    firstPerEndpoint: fc.constant(3),
    perEndpoint: fc.integer({ min: 1, max: 3 }),
    perTenant: fc.integer({ min: 1, max: 4 }),
    overall: fc.integer({ min: 1, max: 5 }),
    waitingPerEndpoint: fc.constant(100),
    waitingOverall: fc.constant(1_000),
  }),
  names: fc
    .array(fc.constantFrom('t/a', 't/b', 't/c', 'u/a', 'u/b'), { maxLength: 30 })
    .map((all) => all.map((name, number) => `${name}/${number}`)),
  ends: fc.array(fc.nat(), { minLength: 1, maxLength: 10 }),
});

/** How many of these begin with each text of this many parts: 1 counts tenants, 2 endpoints. */
function counts(names: string[], parts: number): Map<string, number> {
  const counted = new Map<string, number>();
  for (const name of names) {
    const key = name.split('/').slice(0, parts).join('/');
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  return counted;
}

/** No limit is passed, and nothing waits that has room. */
function checkRoom({ limits }: Plan, running: string[], waiting: string[]): void {
  const byTenant = counts(running, 1);
  const byEndpoint = counts(running, 2);
  assert.ok(running.length <= limits.overall);
  assert.ok([...byTenant.values()].every((count) => count <= limits.perTenant));
  assert.ok([...byEndpoint.values()].every((count) => count <= limits.perEndpoint));
  if (running.length === limits.overall) return;
  for (const name of waiting) {
    const [tenant, endpoint] = name.split('/');
    const tenantIsFull = byTenant.get(tenant!) === limits.perTenant;
    const endpointIsFull = (byEndpoint.get(`${tenant}/${endpoint}`) ?? 0) >= limits.perEndpoint;
    assert.ok(tenantIsFull || endpointIsFull, `${name} has room and waits`);
  }
}

test('whatever comes and ends in whatever order, no limit is passed, no room is wasted, and all is sent', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { begun, add, end, running } = openLanes(plan.limits);
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
