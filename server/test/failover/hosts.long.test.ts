import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { Zimbo } from '../../../sdk/typescript/src/index.ts';
import { openLog } from '../../src/platform/observability/log.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { migrate } from '../../src/platform/postgres/migrations.ts';
import { primaryUrlOf } from '../../src/platform/postgres/primary.ts';
import { isTransient } from '../../src/platform/postgres/transient-errors.ts';
import { silentLog } from '../support/database.ts';
import { Scratch } from '../support/embedded-postgres.ts';
import { eventually } from '../support/eventually.ts';
import { anotherGateway, apiOf, reach, testKey } from '../support/gateway.ts';
import { Replication } from '../support/replication.ts';
import { runZimbo } from '../support/zimbo.ts';

let replication: Replication;
before(async () => {
  replication = await Replication.start();
  await migrate(replication.url, { now: new Date() });
});
after(() => replication.stop());

const write = { text: 'CREATE TEMPORARY TABLE IF NOT EXISTS scratch ()' };
const portOf = async (database: Database) => {
  await database.query(write);
  const text = 'SELECT inet_server_port() AS port';
  const [row] = await database.query<{ port: number }>({ text });
  return row!.port;
};
/** A pool whose queries hang for long unless their connections are ended. */
const patient = { maxConnections: 4, statementTimeoutMs: 30_000, connectTimeoutMs: 30_000 };

/** One pool at a time, so that each test starts from a known state. */
async function withDatabase(run: (database: Database, told: string[]) => Promise<void>) {
  const told: string[] = [];
  const log = silentLog.child({});
  log.error = (_about: unknown, words?: string) => told.push(words!);
  const database = openDatabase({ url: replication.url, log, ...patient });
  try {
    await run(database, told);
  } finally {
    await database.close();
  }
}

test('connects to the primary, in any order of hosts', async () => {
  const { primary, standby, url } = replication;
  const [first, second] = replication.servers.map(({ url: each }) => new URL(each).host);
  const reversed = url.replace(`${first},${second}`, `${second},${first}`);
  for (const each of [url, reversed]) {
    assert.equal(new URL(await primaryUrlOf(each)).port, `${primary.port}`);
  }
  assert.equal(await primaryUrlOf(standby.url), standby.url, 'probes no single host');
});

test('sends all statements to a standby promoted after the primary was killed', () =>
  withDatabase(async (database) => {
    assert.equal(await portOf(database), replication.primary.port);
    const killedAtMs = performance.now();
    await replication.primary.kill();
    await replication.promote();
    const port = await eventually('it answers again', () =>
      portOf(database).catch(() => undefined),
    );
    assert.equal(port, replication.primary.port);
    const ageMs = database.primaryAgeMs!();
    assert.ok(ageMs <= performance.now() - killedAtMs, 'counts from the change of primary');
    await replication.rebuild();
  }));

test('leaves a frozen primary with its pending statements, and does not return when it thaws', () =>
  withDatabase(async (database, told) => {
    const old = replication.primary;
    assert.equal(await portOf(database), old.port);
    const hanging = assert.rejects(database.query({ text: 'SELECT pg_sleep(120)' }), /terminated/);
    old.freeze();
    await replication.promote();
    await hanging;
    assert.equal(await portOf(database), replication.primary.port);
    old.thaw();
    await eventually('it is told', () => told.length > 0);
    assert.match(told.join(), /replaced primary takes writes again/);
    assert.equal(await portOf(database), replication.primary.port);
    // Of another pool in this process, too.
    await withDatabase(async (other) =>
      assert.equal(await portOf(other), replication.primary.port),
    );
    await replication.rebuild();
    assert.equal(told.length, 1);
  }));

test('names each host in the temporary error while no host takes writes', async () => {
  await replication.primary.kill();
  const database = openDatabase({ url: replication.url, log: silentLog, maxConnections: 1 });
  try {
    await assert.rejects(portOf(database), (error: Error) => {
      assert.ok(isTransient(error));
      assert.match(error.message, /No host of DATABASE_URL takes writes/);
      assert.match(error.message, /ECONNREFUSED/);
      assert.match(error.message, /it is a standby/);
      return true;
    });
  } finally {
    await database.close();
  }
  await replication.primary.start();
});

test('reports a wrong password at once', async () => {
  const url = replication.url.replace(/:[^:@]*@/, ':wrong@');
  await assert.rejects(primaryUrlOf(url), { code: '28P01' });
});

/** A gateway on these servers, with its log. */
async function gatewayOn(context: TestContext, databaseUrl: string) {
  const lines: { level: number; msg: string; refused?: number }[] = [];
  const log = openLog('info', { write: (line) => lines.push(JSON.parse(line)) });
  const gateway = await anotherGateway(context, databaseUrl, { log });
  const setUp = openDatabase({ url: replication.primary.url, log: silentLog, maxConnections: 1 });
  const key = await testKey(setUp);
  await setUp.close();
  const ready = async () => {
    const answer = await fetch(`${gateway.url}/readyz`);
    return { code: answer.status, ...((await answer.json()) as { status: string }) };
  };
  return { ...gateway, key, lines, ready, api: apiOf(gateway.url, key) };
}
const order = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

test('answers UNAVAILABLE during a fail-over, and accepts the repeated request', async (context) => {
  const { url, key, api, lines, ready, gateway } = await gatewayOn(context, replication.url);
  assert.equal((await api('POST', '/v1/payments', order)).status, 200);
  await replication.primary.kill();
  const answers = await Promise.all([1, 2, 3].map(() => api('POST', '/v1/payments', order)));
  for (const { status, body, headers } of answers) {
    assert.deepEqual([status, body.error.code], [500, 'UNAVAILABLE']);
    assert.equal(headers.get('retry-after'), '1');
  }
  assert.equal((await ready()).code, 503);
  const zimbo = new Zimbo(key, { baseUrl: url, maxRetries: 20 });
  const created = zimbo.payments.create(order);
  await replication.promote();
  const { id } = await created;
  await reach(zimbo.payments, id, 'DEBITED');
  assert.equal((await ready()).code, 200);
  await gateway.stop();
  const told = lines.filter(({ level, msg }) => level >= 40 && !msg.includes('takes no work'));
  assert.deepEqual(
    told.map(({ msg }) => msg),
    [
      'the database does not answer, or takes no writes',
      'another host is the primary; connections now go there',
      'the database answers again',
    ],
  );
  assert.ok(told[2]!.refused! >= 3);
  await replication.rebuild();
});

test('reports unready on a read-only database, and recovers automatically', async (context) => {
  const { primary } = replication;
  const { api, ready } = await gatewayOn(context, primary.url);
  await primary.set('default_transaction_read_only', 'on');
  const { status, body } = await api('POST', '/v1/payments', order);
  assert.deepEqual([status, body.error?.code], [500, 'UNAVAILABLE']);
  assert.deepEqual(await ready(), { code: 503, status: 'the database takes no writes' });
  await primary.set('default_transaction_read_only', 'off');
  await eventually('it takes payments', async () => {
    const answer = await api('POST', '/v1/payments', order);
    return answer.status === 200;
  });
  await eventually('it is ready', async () => (await ready()).code === 200);
});

test('reports unready while commits wait for a missing standby', async (context) => {
  const { ready } = await gatewayOn(context, replication.url);
  await replication.makeSynchronous();
  assert.equal((await ready()).code, 200);
  await replication.standby.kill();
  const wait = 'commits wait for a standby';
  await eventually('it is not ready', async () => (await ready()).status === wait, 30_000);
  await replication.standby.start();
  await eventually('it is ready again', async () => (await ready()).code === 200, 30_000);
  await replication.makeAsynchronous();
});

test('finds the primary for commands, and warns in the doctor of live money on asynchronous standbys', async (context) => {
  const setUp = openDatabase({ url: replication.primary.url, log: silentLog, maxConnections: 1 });
  await testKey(setUp, 'live');
  await setUp.close();
  const environment = { DATABASE_URL: replication.url, ZIMBO_SECRET_KEY: '07'.repeat(32) };
  const folder = (await Scratch.make(context)).directory;
  const [doctor, backup] = [
    runZimbo(context, ['doctor', '--json'], { ...environment, DATA_DIR: folder }),
    runZimbo(context, ['backup', join(folder, 'backup')], environment),
  ];
  await doctor.ended;
  assert.equal(await backup.ended, 0, backup.output.stderr);
  const { checks } = JSON.parse(doctor.output.stdout) as {
    checks: { name: string; status: string; figure: string }[];
  };
  const find = (name: string) => checks.find((check) => check.name === name)!;
  const hosts = replication.servers.map(({ url }) => new URL(url).host).join(',');
  assert.ok(find('Server').figure.includes(`${hosts}/zimbo`), find('Server').figure);
  assert.equal(find('Replication').status, 'warning');
  assert.match(find('Replication').figure, /^asynchronous/);
});
