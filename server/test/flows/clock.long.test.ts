import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { checkLedger } from '../../src/money/ledger/check.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { readDatabaseMs } from '../../src/platform/postgres/database-clock.ts';
import { liveGateway } from '../operators/gateway.ts';
import { skipOnCitus } from '../support/citus.ts';
import { furtherCells } from '../support/further-cells.ts';
import {
  anotherGateway,
  apiOf,
  eventually,
  processCount,
  type TestGateway,
  testGateway,
} from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
const second = 1_000;
const minute = 60_000;

/** The clock of a machine, which is off by as much as the test says. */
function wrongClock(offMs: number) {
  const state = { offMs };
  return { state, wallClock: { nowMs: () => Date.now() + state.offMs } };
}

/** Of several cells, that of the home. */
const figureOf = async ({ url }: { url: string }, name: string) => {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:{cell="home"})? (\\S+)$`, 'm').exec(metrics)?.[1]);
};

interface Row {
  createdAt: number;
  expiresAt: number;
  dueAt: number;
}

const rowsOf = (database: Database) =>
  database.query<Row>({
    text: 'SELECT created_at AS "createdAt", expires_at AS "expiresAt", due_at AS "dueAt" FROM payments ORDER BY id',
  });

for (const offMs of [5 * second, 15 * second].flatMap((ms) => [ms, -ms])) {
  test(`a gateway ${offMs / second} s off writes leases and instants by the database’s clock, and signs by its own`, async (context) => {
    const gateway = await testGateway(context, { ...wrongClock(offMs) });
    const { api, database } = gateway;
    const receiver = await testReceiver(context);
    await api('POST', '/v1/webhooks', { url: receiver.url, events: ['payment.created'] });
    const before = await readDatabaseMs(database);
    await api('POST', '/v1/payments', { ...payment, operatorPhone: '+2389912999' });
    const [row] = await rowsOf(database);
    const after = await readDatabaseMs(database);
    const isNow = (ms: number) => ms > before - 2 * second && ms < after + 2 * second;
    assert.ok(isNow(row!.createdAt), 'created_at');
    assert.ok(isNow(row!.expiresAt - 300 * second), 'expires_at');
    assert.ok(isNow(row!.dueAt - 6 * second), 'the lease');
    await eventually('the webhook comes', () => receiver.received.length > 0);
    const signedMs = Number(receiver.received[0]!.headers['x-service-timestamp']) * second;
    assert.ok(isNow(signedMs - offMs), 'the signature');
    assert.equal(Math.round(await figureOf(gateway, 'zimbo_clock_offset_seconds')), offMs / second);
    assert.equal(await figureOf(gateway, 'zimbo_clock_reliable'), 1);
  });
}

test("sends operators dates by the machine's clock", async (context) => {
  const { live, provider, database } = await liveGateway(
    context,
    {},
    { ...wrongClock(-15 * second) },
  );
  const { status } = await live('POST', '/v1/payments', { ...payment, operator: 'CVMOVEL' });
  assert.equal(status, 200);
  const [debit] = await eventually('the operator is asked', () => {
    const found = provider.exchanges.filter(({ method }) => method === 'POST');
    return found.length > 0 && found;
  });
  const nowMs = await readDatabaseMs(database);
  for (const said of [debit!.requestHeaders['x-date'], debit!.requestBody.requestDate]) {
    const agoMs = nowMs - Date.parse(said);
    assert.ok(agoMs > 14 * second && agoMs < 25 * second, `${said} was ${agoMs} ms ago`);
  }
});

test('shares work once among gateways whose clocks differ by half a minute', async (context) => {
  const first = await testGateway(context, { ...wrongClock(15 * second) });
  const other = await anotherGateway(context, first.databaseUrl, { ...wrongClock(-15 * second) });
  assert.ok(Math.abs(first.gateway.clock.nowMs() - other.gateway.clock.nowMs()) < second);
  const receiver = await testReceiver(context);
  const events = ['payment.created', 'payment.debited'];
  await first.api('POST', '/v1/webhooks', { url: receiver.url, events });
  const elsewhere = apiOf(other.url, first.key);
  await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      (number % 2 ? first.api : elsewhere)('POST', '/v1/payments', payment),
    ),
  );
  await eventually('every payment is debited and told of', () => receiver.received.length >= 80);
  const told = receiver.received.map(({ event }) => `${event.type} ${event.data.id}`);
  assert.equal(new Set(told).size, 80);
  assert.equal(told.length, 80, 'no event came twice');
  assert.deepEqual(await checkLedger(first.database), []);
});

/** A gateway whose clock is five minutes off, and what it logs. */
async function farOff(context: TestContext, offMs: number, environment = {}) {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const { state, wallClock } = wrongClock(offMs);
  const gateway = await testGateway(context, { log, wallClock, environment });
  return { gateway, state, lines };
}

const callsOf = async ({ url }: { url: string }) => {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = metrics.matchAll(/^zimbo_operator_call_duration_seconds_count\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};

const allDebited = (gateway: TestGateway, count: number) =>
  eventually('all payments are debited', async () => {
    const text = `SELECT FROM payments WHERE status = 'DEBITED'`;
    return (await gateway.database.query({ text })).length === count;
  });

for (const offMs of [5 * minute, -5 * minute]) {
  test(`a gateway ${offMs / minute} min off answers, but takes no work until its clock is right`, async (context) => {
    const { gateway, state, lines } = await farOff(context, offMs);
    assert.ok(lines.some((line) => /"level":50.*is 300\.\d s .*takes no work/.test(line)));
    const receiver = await testReceiver(context);
    await gateway.api('POST', '/v1/webhooks', { url: receiver.url, events: ['payment.created'] });
    const before = await readDatabaseMs(gateway.database);
    await Promise.all(
      Array.from({ length: 10 }, () => gateway.api('POST', '/v1/payments', payment)),
    );
    for (const row of await rowsOf(gateway.database)) {
      assert.equal(row.dueAt, row.createdAt, 'due for others at once');
      assert.ok(Math.abs(row.createdAt - before) < 30 * second);
    }
    const leased = 'SELECT FROM deliveries WHERE due_at > clock_timestamp()';
    assert.deepEqual(
      await gateway.database.query({ text: leased }),
      [],
      'so is what is to be told',
    );
    const { body, status } = await gateway.api('GET', '/readyz');
    assert.equal(status, 200);
    assert.equal(body.status, 'ready');
    assert.match(body.workers, /^stopped: the clock of this machine is 300\.\d s /);
    assert.equal(await figureOf(gateway, 'zimbo_clock_reliable'), 0);

    const other = await anotherGateway(context, gateway.databaseUrl);
    await allDebited(gateway, 10);
    await eventually('all is told', () => receiver.received.length === 10);
    assert.equal(await callsOf(gateway), 0, 'it has asked no operator for anything');
    await other.gateway.stop();

    state.offMs = 0;
    await eventually('it takes work again', () => gateway.gateway.clock.isReliable?.());
    await gateway.api('POST', '/v1/payments', payment);
    await allDebited(gateway, 11);
    await eventually('that is told', () => lines.some((line) => /reliable again/.test(line)));
    assert.equal((await gateway.api('GET', '/readyz')).body.workers, undefined);
  });
}

test('reports only workers unready while their clock is wrong', async (context) => {
  const worker = await farOff(context, 5 * minute, { ZIMBO_ROLE: 'worker' });
  const { status, body } = await worker.gateway.api('GET', '/readyz');
  assert.equal(status, 503);
  assert.equal(body.status, 'the workers have stopped');
  const api = await farOff(context, 5 * minute, { ZIMBO_ROLE: 'api' });
  const answer = await api.gateway.api('GET', '/readyz');
  assert.deepEqual([answer.status, answer.body], [200, { status: 'ready' }]);
});

test('measures the clock at once after lost connections to the database', {
  skip: skipOnCitus('the connections of all cells would be ended'),
}, async (context) => {
  const { api, database } = await testGateway(context);
  const seen = async () => {
    const text = 'SELECT seen_at::text AS seen FROM running_processes';
    return (await database.query<{ seen: string }>({ text }))[0]!.seen;
  };
  const before = await seen();
  const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      -- Autovacuum belongs to the superuser, who alone may end it.
      AND backend_type = 'client backend'`;
  await eventually('it is measured again', async () => {
    if ((await seen()) !== before) return true;
    await database.query({ text });
    await api('GET', '/v1/payments');
    return false;
  });
});

test('logs differing settings once, and the end of the difference', async (context) => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const timing = { clockIntervalMs: 50 };
  const first = await testGateway(context, { log, timing });
  const environment = { OPERATOR_TIMEOUT_SECONDS: '20', ZIMBO_ROLE: 'worker' };
  const other = await anotherGateway(context, first.databaseUrl, { environment });
  const [told] = await eventually('it is told', () => {
    const found = lines.filter((line) => line.includes('OPERATOR_TIMEOUT_SECONDS'));
    return found.length > 0 && found;
  });
  assert.match(told!, /"level":40.*OPERATOR_TIMEOUT_SECONDS differs: /);
  assert.match(told!, / 10 in all on .* \(pid \d+\)/);
  assert.match(told!, / 20 in worker on .* \(pid \d+\)/);
  const differing = 'zimbo_settings_differing';
  assert.equal(await figureOf(first, differing), 1);
  assert.equal(await figureOf(other, differing), 1);
  await other.gateway.stop();
  await eventually('its end is told', () =>
    lines.some((line) => /is the same .* again/.test(line)),
  );
  await eventually('all know of it', async () => (await figureOf(first, differing)) === 0);
  const same = await anotherGateway(context, first.databaseUrl);
  await eventually('both have looked at each other', async () => {
    const text = 'SELECT FROM running_processes WHERE started_at < seen_at';
    return (await first.database.query({ text })).length > 0;
  });
  assert.equal(await figureOf(same, differing), 0);
  const count = lines.filter((line) => line.includes('OPERATOR_TIMEOUT_SECONDS')).length;
  assert.equal(
    count,
    2 * processCount * (1 + furtherCells.length),
    'each process tells of each once',
  );
});
