/** An operator in its own process fails and recovers: the staff pages and `/admin/v1` show that. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Rates } from '../../../operator-simulator/src/faults.ts';
import { testSimulator } from '../../../operator-simulator/test/support.ts';
import type { Timing } from '../../src/app/gateway-options.ts';
import { staffRoles } from '../../src/tenants/people/staff-permissions.ts';
import { adminApi } from '../support/admin.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import {
  type Api,
  anotherGateway,
  apiOf,
  eventually,
  processCount,
  testKey,
} from '../support/gateway.ts';

interface Watching {
  pause: { reason: string } | null;
}

interface World extends TestConsole {
  environment: Record<string, string>;
  /** Sets the probability of each fault for the operator's answers. */
  faults: Rates;
  live: Api;
  admin: Api;
  /** Accepted live payments to phones with this ending. @returns their ids */
  pay(count: number, suffix?: string): Promise<string[]>;
  becomes(ids: readonly string[], status: string): Promise<void>;
  /** The operator's status from `/admin/v1`, once it has this state and this many answers. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of all shapes.
  state(wanted: string, calls?: number): Promise<any>;
}

/** A gateway whose CVMOVEL is the operator simulator. */
async function open(
  context: TestContext,
  change: Record<string, string> = {},
  timing: Partial<Timing> = {},
): Promise<World> {
  const faults: Rates = {};
  const simulator = await testSimulator(context, (options) => {
    options.faults = faults;
    options.slowMs = 5_200;
  });
  const environment = {
    OPERATOR_CVMOVEL_URL: simulator.url,
    OPERATOR_CVMOVEL_SECRET: simulator.secret,
    OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@1234',
    OPERATOR_CVMOVEL_MODE: 'polling',
    OPERATOR_CVMOVEL_DEDUPLICATES: 'true',
    ...change,
  };
  // A busy machine must not look like an operator that is down.
  const often = { measureIntervalMs: 50, operatorTimeoutMs: 5_000, ...timing };
  const site = await testConsole(context, { environment, timing: often });
  const { gateway } = site;
  const live = apiOf(gateway.url, await testKey(gateway.database, 'live'));
  const admin = await adminApi(gateway);
  let made = 0;
  return {
    ...site,
    environment,
    faults,
    live,
    admin,
    pay: (count, suffix = '345') =>
      Promise.all(
        Array.from({ length: count }, async () => {
          made += 1;
          const operatorPhone = `+23899${String(made).padStart(2, '0')}${suffix}`;
          const order = { amount: 500, operator: 'CVMOVEL', operatorPhone };
          return (await live('POST', '/v1/payments', order)).body.id as string;
        }),
      ),
    async becomes(ids, status) {
      for (const id of ids) {
        await eventually(`${id} is ${status}`, async () => {
          return (await live('GET', `/v1/payments/${id}`)).body.status === status;
        });
      }
    },
    state: (wanted, calls = 0) =>
      eventually(`the operator is ${wanted}`, async () => {
        const { body } = await admin('GET', '/admin/v1/operator-states');
        const [operator] = body.data;
        return operator.state === wanted && operator.lastHour.answered >= calls && operator;
      }),
  };
}

/** Moves everything so far ten minutes back in time. */
const letTimePass = ({ gateway }: World) =>
  gateway.database.query({
    text: `UPDATE operator_measurements SET slot_at = (slot_at AT TIME ZONE 'UTC' - interval '10 minutes') AT TIME ZONE 'UTC' WHERE slot_seconds = 60`,
  });

test('shows an operator as down, and as up again, on the pages and in the API', async (context) => {
  const world = await open(context);
  const staff = await world.signInStaff('AUDITOR');
  assert.match((await staff.get('operators')).text, /No calls in the last hour/);
  assert.match((await staff.get('operators/CVMOVEL')).text, /No calls in this period/);
  await world.becomes(await world.pay(12), 'DEBITED');
  // A request and a query for each.
  const up = await world.state('UP', 24);
  assert.deepEqual([up.reason, up.since, up.lastHour.answeredShare], [null, null, 1]);
  assert.ok(up.lastHour.p95Ms > 0 && up.lastHour.p50Ms <= up.lastHour.p95Ms);
  world.faults['error-5xx'] = 1;
  const waiting = await world.pay(12);
  const down = await world.state('DOWN');
  assert.equal(down.reason, 'PAUSED');
  assert.ok(Math.abs(Date.parse(down.since) - Date.now()) < 60_000);
  assert.equal(down.processes.length, processCount);
  const reasons = down.processes.map(({ pause }: Watching) => pause?.reason);
  assert.ok(reasons.includes('UNANSWERED'));
  assert.ok(down.unanswered + down.unsent > 0, 'payments wait');
  const list = await staff.get('operators');
  assert.match(list.text, /data-status="DOWN">.*?<\/svg>Down<.*does not answer: calls are paused/s);
  assert.match(list.text, new RegExp(`Open or half-open in [12] of ${processCount}`));
  assert.match(list.text, /Simulator \(test mode\).*No calls in the last hour/s);
  const page = await staff.get('operators/CVMOVEL');
  assert.match(page.text, /Down<.*unanswered: <time/s);
  assert.match(page.text, /No usable answer<\/td>.*Unknown outcome<\/td>/s);
  assert.match(page.text, /The circuit breaker opened/);
  const asked = await staff.send('operators/CVMOVEL', { action: 'ask' });
  assert.match(asked.text, /The operator is not available\..*Problem<\/dt><dd><bdi>50[03]/s);
  delete world.faults['error-5xx'];
  await world.becomes(waiting, 'DEBITED');
  await letTimePass(world);
  await world.becomes(await world.pay(2), 'DEBITED');
  const back = await world.state('UP');
  assert.ok(back.processes.every(({ pause }: Watching) => pause === null));
  assert.ok(back.since !== null, 'it has not been up for long');
  assert.match((await staff.get('operators')).text, /data-status="UP">.*?<\/svg>Up</s);
});

test('shows a slow operator as degraded, with its latency', async (context) => {
  const world = await open(context, {}, { operatorTimeoutMs: 20_000 });
  world.faults.slow = 1;
  await world.pay(12);
  const { reason, lastHour } = await world.state('DEGRADED');
  assert.equal(reason, 'SLOW');
  assert.ok(lastHour.p50Ms >= 5_000, `${lastHour.p50Ms} ms`);
  const staff = await world.signInStaff('OPERATIONS');
  assert.match(
    (await staff.get('operators')).text,
    /Degraded<.*The operator answers slowly\..*[5-7](\.\d)? s</s,
  );
  // A client that waits for a slow answer would delay the end of this test.
  delete world.faults.slow;
});

test('shows an operator with errors as degraded, and one that rejects our credentials as down', async (context) => {
  const world = await open(context);
  await world.becomes(await world.pay(12, '069'), 'FAILED');
  assert.equal((await world.state('DEGRADED')).reason, 'FAILING');
  const staff = await world.signInStaff('FINANCE');
  const page = await staff.get('operators/CVMOVEL?period=day');
  assert.match(page.text, /The operator reported an error\.<\/td>.*Refused<\/td>.*>12<\/td>/s);
  const refused = await open(context, { OPERATOR_CVMOVEL_SECRET: 'another' });
  await refused.pay(1);
  assert.equal((await refused.state('DOWN')).reason, 'REFUSES_US');
  const other = await refused.signInStaff();
  assert.match(
    (await other.get('operators')).text,
    /Down<.*The operator rejects our requests: wrong credentials/s,
  );
});

test('each role sees the pages; an operator that is not configured has none, and nobody can be asked of the simulator', async (context) => {
  const world = await open(context);
  for (const role of staffRoles) {
    const member = await world.signInStaff(role);
    for (const path of ['operators', 'operators/CVMOVEL', 'operators/SIMULATOR?period=week']) {
      assert.equal((await member.get(path)).status, 200, `${role} at ${path}`);
    }
    for (const name of ['UNITEL_TMAIS', 'MOCK', '__proto__', 'x']) {
      assert.equal((await member.get(`operators/${name}`)).status, 404, name);
    }
  }
  const admin = await world.signInStaff();
  const simulator = await admin.get('operators/SIMULATOR');
  assert.doesNotMatch(simulator.text, /Ask now/);
  assert.equal((await admin.post('operators/SIMULATOR', { action: 'ask' })).status, 404);
  const asked = await admin.send('operators/CVMOVEL', { action: 'ask' });
  assert.match(
    asked.text,
    /The operator reports that it is available\..*Balance of our account<\/dt><dd><bdi>0 CVE/s,
  );
  assert.doesNotMatch(asked.text, /data-refresh-ms/, 'the answer stays');
});

test("returns the page's measurements of both processes over the API, within bounds", async (context) => {
  const world = await open(context);
  const { databaseUrl } = world.gateway;
  const timing = { measureIntervalMs: 50, operatorTimeoutMs: 5_000 };
  const options = { environment: world.environment, timing };
  const other = await anotherGateway(context, databaseUrl, options);
  await world.becomes(await world.pay(6), 'DEBITED');
  const through = apiOf(other.url, await testKey(world.gateway.database, 'live'));
  const order = { amount: 700, operator: 'CVMOVEL', operatorPhone: '+2389912345' };
  const { body: created } = await through('POST', '/v1/payments', order);
  await eventually('the other process has it debited', async () => {
    return (await through('GET', `/v1/payments/${created.id}`)).body.status === 'DEBITED';
  });
  await eventually('both processes say what they know', async () => {
    const { body } = await world.admin('GET', '/admin/v1/operator-states');
    return body.data[0].processes.length === 2 * processCount;
  });
  const path = '/admin/v1/operators/CVMOVEL/measurements';
  const sum = async (query: string) => {
    const { body } = await world.admin('GET', `${path}${query}`);
    return body.data.reduce((all: number, each: { answered: number }) => all + each.answered, 0);
  };
  const hour = await eventually('all is written', async () => {
    const answered = await sum('');
    return answered >= 14 && answered;
  });
  for (const step of [300, 1_800, 3_600, 10_800, 86_400])
    assert.equal(await sum(`?step=${step}`), hour, `in steps of ${step} s`);
  assert.equal((await world.admin('GET', path)).body.data.length, 61);
  const staff = await world.signInStaff();
  const { text } = await staff.get('operators/CVMOVEL?period=week');
  const drawn = [...text.matchAll(/data-head="Answered"><data value="(\d+)">/g)];
  const shown = drawn.reduce((all, [, value]) => all + Number(value), 0);
  assert.ok(shown >= hour, 'the page has the same');
  const wrong: [string, string][] = [
    ['?step=61', 'step'],
    ['?from=yesterday', 'from'],
    ['?from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z', 'from'],
    ['?from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z', 'from'],
    ['?other=1', 'other'],
  ];
  for (const [query, field] of wrong) {
    const { status, body } = await world.admin('GET', path + query);
    assert.equal(status, 400, query);
    assert.equal(body.error.code, 'VALIDATION_ERROR', query);
    assert.match(body.error.message, new RegExp(field), query);
  }
  const unknown = await world.admin('GET', path.replace('CVMOVEL', 'MOCK'));
  assert.equal(unknown.status, 404);
  const simulator = await world.admin('GET', path.replace('CVMOVEL', 'SIMULATOR'));
  assert.equal(simulator.status, 200);
});

test('measures test mode apart from live operators', async (context) => {
  const world = await open(context);
  const { api } = world.gateway;
  const order = { amount: 500, operator: 'CVMOVEL', operatorPhone: '+2389912345' };
  assert.equal((await api('POST', '/v1/payments', order)).status, 200);
  const simulator = await eventually('the simulator was called', async () => {
    const { body } = await world.admin('GET', '/admin/v1/operator-states');
    const [live, test] = body.data;
    assert.equal(live.lastHour.answered, 0);
    return test.lastHour.answered > 0 && test;
  });
  assert.deepEqual([simulator.operator, simulator.state], ['SIMULATOR', 'UP']);
});
