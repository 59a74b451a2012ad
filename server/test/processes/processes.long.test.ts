import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { askLate, Client, isAlive, testProcesses } from '../support/processes.ts';
import { runZimbo } from '../support/zimbo.ts';

const skip = process.platform === 'win32' && 'Windows has no signals';

test('serves one port with two processes that end together, and reports both', {
  skip,
}, async (context) => {
  const { zimbo, url, key, pids } = await testProcesses(context);
  const both = await pids();
  assert.notEqual(both[0], both[1]);
  assert.ok(!both.includes(zimbo.child.pid!), 'the primary answers no requests');
  assert.match(zimbo.output.stdout, /Processes +2/);
  // Each new connection goes to the next process, so both have answered.
  for (let count = 0; count < 4; count++) {
    const client = new Client({ url, key }, { keepAlive: false });
    await client.create();
    assert.deepEqual(client.statuses, [200]);
  }
  zimbo.child.kill('SIGTERM');
  assert.equal(await zimbo.ended, 0);
  assert.deepEqual(both.filter(isAlive), []);
  await assert.rejects(fetch(`${url}/readyz`));
  assert.equal(zimbo.output.stderr, '');
});

test('fails only the requests of a process killed under load, and replaces it', {
  skip,
}, async (context) => {
  const { zimbo, url, key, pids } = await testProcesses(context);
  const before = await pids();
  // One after the other, so that the primary deals out four connections to each process.
  const kept = Array.from({ length: 8 }, () => new Client({ url, key }, { keepAlive: true }));
  for (const client of kept) await client.create();
  const fresh = Array.from({ length: 4 }, () => new Client({ url, key }, { keepAlive: false }));
  const clients = [...kept, ...fresh];
  for (const client of clients) {
    context.after(() => client.stop());
    client.start();
  }
  const answered = () => clients.reduce((sum, { statuses }) => sum + statuses.length, 0);
  await eventually('they are at work', () => answered() > 200);
  process.kill(before[0]!, 'SIGKILL');
  await eventually('another took its place', async () => {
    const now = await pids();
    return !now.includes(before[0]!) && now.includes(before[1]!);
  });
  const then = answered();
  await eventually('the others continue', () => answered() > then + 200);
  for (const client of clients) await client.stop();
  const failing = kept.filter(({ failures }) => failures.length > 0);
  assert.ok(
    failing.length <= 4,
    `${failing.length} of 8 connections failed; the killed process had 4`,
  );
  for (const { failures } of clients) assert.ok(failures.length <= 1, failures.join(', '));
  const failures = clients.flatMap((client) => client.failures);
  assert.ok(!failures.includes('no answer in time'), failures.join(', '));
  assert.deepEqual([...new Set(clients.flatMap(({ statuses }) => statuses))], [200]);
  assert.match(zimbo.output.stderr, /a process died; another takes its place/);
});

test('answers a connection by another process if its own died before accepting it', {
  skip,
}, async (context) => {
  const { url, key, pids } = await testProcesses(context);
  const [frozen] = await pids();
  process.kill(frozen!, 'SIGSTOP');
  // The primary hands one of these to the frozen process, which does not accept it, and then no
  // more.
  const clients = Array.from({ length: 6 }, () => new Client({ url, key }, { keepAlive: false }));
  const creating = clients.map((client) => client.create());
  const answered = () => clients.filter(({ statuses }) => statuses.length > 0).length;
  await eventually('all others are answered', () => answered() === 5);
  process.kill(frozen!, 'SIGKILL');
  await Promise.all(creating);
  assert.deepEqual(
    clients.flatMap(({ failures }) => failures),
    [],
  );
  assert.equal(answered(), 6);
});

test('ends processes silently after their primary was killed, even with a connection on its way', {
  skip,
}, async (context) => {
  const { zimbo, url, key, pids } = await testProcesses(context);
  const both = await pids();
  process.kill(both[0]!, 'SIGSTOP');
  const clients = Array.from({ length: 6 }, () => new Client({ url, key }, { keepAlive: false }));
  const creating = clients.map((client) => client.create());
  const answered = () => clients.filter(({ statuses }) => statuses.length > 0).length;
  await eventually('one connection is on its way to the frozen process', () => answered() === 5);
  const exit = once(zimbo.child, 'exit');
  zimbo.child.kill('SIGKILL');
  await exit;
  process.kill(both[0]!, 'SIGCONT');
  // All writers of its standard error have ended.
  await zimbo.ended;
  await Promise.all(creating);
  assert.equal(zimbo.output.stderr, '');
});

test('replaces all processes on SIGHUP under load, without a failed request', {
  skip,
}, async (context) => {
  const { zimbo, url, key, pids } = await testProcesses(context);
  const before = await pids();
  const clients = [true, true, true, true, false, false].map(
    (keepAlive) => new Client({ url, key }, { keepAlive }),
  );
  for (const client of clients) {
    context.after(() => client.stop());
    client.start();
  }
  const late: Promise<string>[] = [];
  const knocking = setInterval(() => late.push(askLate(url, 300)), 25);
  context.after(() => clearInterval(knocking));
  zimbo.child.kill('SIGHUP');
  await eventually(
    'all are others',
    async () => {
      const now = await pids().catch(() => before);
      return !now.some((pid) => before.includes(pid));
    },
    60_000,
  );
  const answered = () => clients.reduce((sum, { statuses }) => sum + statuses.length, 0);
  const then = answered();
  await eventually('the clients continue', () => answered() > then + 100);
  clearInterval(knocking);
  for (const client of clients) await client.stop();
  assert.deepEqual(
    clients.flatMap(({ failures }) => failures),
    [],
  );
  assert.deepEqual([...new Set(await Promise.all(late))], ['HTTP/1.1 200 OK']);
  assert.deepEqual([...new Set(clients.flatMap(({ statuses }) => statuses))], [200]);
  zimbo.child.kill('SIGTERM');
  assert.equal(await zimbo.ended, 0);
});

test('ends the gateway with the reason if processes can no longer start', {
  skip,
}, async (context) => {
  const { zimbo, pids, databaseUrl } = await testProcesses(context);
  const [first] = await pids();
  const name = new URL(databaseUrl).pathname.slice(1);
  const other = new URL(databaseUrl);
  other.pathname = '/postgres';
  const client = new pg.Client({ connectionString: other.href });
  await client.connect();
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  process.kill(first!, 'SIGKILL');
  const code = await zimbo.ended;
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  await client.end();
  assert.equal(code, 1);
  assert.match(zimbo.output.stderr, /not currently accepting connections/);
});

test('explains a failed start once, in words', { skip }, async (context) => {
  const { url } = await testDatabase(context);
  const server = createServer().listen(0, '127.0.0.1');
  context.after(() => server.close());
  await eventually('it listens', () => server.listening);
  const { port } = server.address() as { port: number };
  const zimbo = runZimbo(context, ['start'], {
    PORT: String(port),
    DATABASE_URL: url,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
    ZIMBO_PROCESSES: '3',
  });
  assert.equal(await zimbo.ended, 1);
  assert.equal(zimbo.output.stdout, '');
  assert.equal(zimbo.output.stderr.match(/is in use/g)?.length, 1);
});

test("applies a tenant's rate limit across all processes", { skip }, async (context) => {
  const { url, key } = await testProcesses(context, { RATE_LIMIT: '1/40' });
  const beganMs = performance.now();
  const clients = Array.from({ length: 100 }, () => new Client({ url, key }, { keepAlive: false }));
  for (const client of clients) await client.create();
  const statuses = clients.flatMap((client) => client.statuses);
  const allowed = statuses.filter((status) => status === 200).length;
  const added = Math.ceil((performance.now() - beganMs) / 1_000);
  assert.equal(statuses.length, 100);
  assert.ok(allowed >= 40 && allowed <= 40 + added, `${allowed} requests allowed`);
});

test('reports the metrics of all processes from any of them, and never decreases after a death', {
  skip,
}, async (context) => {
  const { url, key, pids } = await testProcesses(context);
  const [first] = await pids();
  const clients = Array.from({ length: 10 }, () => new Client({ url, key }, { keepAlive: false }));
  for (const client of clients) await client.create();
  const read = async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { connection: 'close' } });
    const text = await answer.text();
    const figure = (name: RegExp) => [...text.matchAll(name)].map(([, value]) => Number(value));
    return {
      created: figure(/^zimbo_http_request_duration_seconds_count\{.*POST.*\} (\d+)$/gm),
      processes: figure(/^zimbo_processes (\d+)$/gm),
      deaths: figure(/^zimbo_process_deaths_total (\d+)$/gm),
      dueKinds: figure(/^zimbo_due_rows\{kind="payments"\} (\d+)$/gm).length,
      memory: figure(/^process_resident_memory_bytes (\d+)$/gm)[0]!,
      reliable: figure(/^zimbo_clock_reliable (\d+)$/gm),
    };
  };
  for (let count = 0; count < 4; count++) {
    const { memory, ...figures } = await read();
    const whole = { created: [10], processes: [2], deaths: [0], dueKinds: 1, reliable: [1] };
    assert.deepEqual(figures, whole);
    assert.ok(memory > 150e6, `${memory} bytes in three processes`);
  }
  process.kill(first!, 'SIGKILL');
  await eventually('another took its place', async () => !(await pids()).includes(first!));
  const after = await eventually('the death is counted', async () => {
    const figures = await read();
    return figures.processes[0] === 2 && figures;
  });
  assert.deepEqual([after.created, after.deaths], [[10], [1]]);
});
