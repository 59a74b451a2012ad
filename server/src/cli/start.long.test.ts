import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { testDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { controlC, skipWithoutTerminal } from '../../test/support/terminal.ts';
import {
  ownDataDir,
  runZimbo,
  runZimboInTerminal,
  terminalCode,
} from '../../test/support/zimbo.ts';

const isWindows = process.platform === 'win32' && 'Windows has no signals';

async function startOnDatabase(context: TestContext) {
  const { url: databaseUrl } = await testDatabase(context);
  const zimbo = runZimbo(context, ['start'], {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
  });
  const [, url] = await zimbo.says(/Gateway +(http:\S+)/);
  await zimbo.says(/Create a merchant[\s\S]*keys create/);
  return { zimbo, url: url!, databaseUrl };
}

test('shows all addresses in a terminal at the first start, and a command that pays', {
  skip: skipWithoutTerminal,
}, async (context) => {
  const { dataDir, inside } = await ownDataDir(context);
  const zimbo = runZimboInTerminal(inside, ['start'], { PORT: '0', DATA_DIR: dataDir });
  const [line] = await zimbo.says(/^curl .*operatorPhone.*$/m);
  const [, url] = await zimbo.says(/Gateway +(http:\S+)/);
  const { stdout } = zimbo.output;
  assert.ok(stdout.includes(dataDir));
  assert.ok(stdout.includes(`${url}/docs`));
  const [, port] = /^http:\/\/localhost:(\d+)\/console\/welcome\/[\w-]{43}$/m.exec(stdout)!;
  assert.equal(port, new URL(url!).port);
  const demo = await readFile(join(dataDir, 'demo.env'), 'utf8');
  const [, key] = /ZIMBO_API_KEY=(\S+)/.exec(demo)!;
  assert.ok(stdout.includes(key!));
  // The request that curl would send, parsed from the line itself.
  const [, address] = /^curl -sS (\S+)/.exec(line)!;
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(
    ([, name, value]) => [name!, value!] as [string, string],
  );
  const [, body] = /-d '([^']+)'/.exec(line)!;
  const answer = await fetch(address!, { method: 'POST', headers, body: body! });
  const payment = (await answer.json()) as Record<string, string>;
  assert.equal(answer.status, 200);
  assert.equal(payment.amount, '10000');
  assert.equal(payment.operator, 'MOCK');

  const listed = runZimbo(inside, ['merchants', 'list', '--json'], { DATA_DIR: dataDir });
  assert.equal(await listed.ended, 0);
  assert.equal(JSON.parse(listed.output.stdout)[0].name, 'Demo');
  zimbo.type(controlC);
  assert.equal(await zimbo.ended, 0);
});

test('shows the location of secrets instead of secrets in a file or a journal', {
  skip: isWindows,
}, async (context) => {
  const { dataDir, inside } = await ownDataDir(context);
  const zimbo = runZimbo(inside, ['start'], { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'trace' });
  await zimbo.says(/^curl .*operatorPhone.*$/m);
  const [, url] = await zimbo.says(/Gateway +(http:\S+)/);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  const { stdout, stderr } = zimbo.output;
  assert.doesNotMatch(stdout + stderr, /sk_test_\w|console\/welcome/);
  const file = join(dataDir, 'demo.env');
  assert.ok(stdout.includes(`Test key  ${file}`), stdout);
  assert.ok(stdout.includes(`. '${file}'`), stdout);
  // Runs the printed command, with only the location of the data.
  const run = async (...args: string[]) => {
    const command = runZimbo(inside, [...args, '--json'], { DATA_DIR: dataDir });
    assert.equal(await command.ended, 0, command.output.stderr);
    return JSON.parse(command.output.stdout);
  };
  assert.match(stdout, /people invite --merchant ID --role owner EMAIL/);
  const [{ id }] = await run('merchants', 'list');
  const invited = await run('people', 'invite', '--merchant', id, '--role', 'owner', 'eva@loja.cv');
  assert.equal(new URL(invited.url).origin, `http://localhost:${new URL(url!).port}`);
  assert.equal((await fetch(invited.url.replace('localhost', '127.0.0.1'))).status, 200);
  zimbo.child.kill('SIGTERM');
  assert.equal(await zimbo.ended, 0);
});

test('creates no demo key on your own database, and shows no password', async (context) => {
  const { zimbo, url } = await startOnDatabase(context);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.doesNotMatch(zimbo.output.stdout, /sk_test_\w|welcome/);
  assert.match(zimbo.output.stdout, /Data +PostgreSQL at \S+\/test_/);
  assert.ok(!zimbo.output.stdout.includes(terminalCode));
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} stops gracefully, even if another signal arrives at the same moment`, {
    skip: isWindows,
  }, async (context) => {
    const { zimbo, url } = await startOnDatabase(context);
    // Two signals of one kind would arrive as one.
    zimbo.child.kill(signal);
    zimbo.child.kill(signal === 'SIGINT' ? 'SIGTERM' : 'SIGINT');
    assert.equal(await zimbo.ended, 0);
    assert.equal(zimbo.output.stdout.match(/Stopping/g)?.length, 1);
    await assert.rejects(fetch(`${url}/readyz`));
  });
}

test('keeps a gateway of one process running after SIGHUP, and says so', {
  skip: isWindows,
}, async (context) => {
  const { zimbo, url } = await startOnDatabase(context);
  zimbo.child.kill('SIGHUP');
  await eventually('it says so', () => zimbo.output.stdout.includes('SIGHUP restarts'));
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  zimbo.child.kill('SIGTERM');
  assert.equal(await zimbo.ended, 0);
});

test('ends at once at a second signal', { skip: isWindows }, async (context) => {
  const { zimbo, url } = await startOnDatabase(context);
  // A request that never ends prevents the server from closing.
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  context.after(() => socket.destroy());
  socket.on('error', () => {});
  await new Promise<void>((resolve) =>
    socket.write('POST /v1/payments HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n', () =>
      resolve(),
    ),
  );
  await fetch(`${url}/readyz`);
  zimbo.child.kill('SIGTERM');
  await zimbo.says(/Stopping/);
  await eventually('it ends', () => {
    zimbo.child.kill('SIGTERM');
    return zimbo.child.exitCode === null ? undefined : true;
  });
  assert.equal(await zimbo.ended, 143);
});

test('explains a failed start', async (context) => {
  const { url, databaseUrl } = await startOnDatabase(context);
  const { port } = new URL(url);
  const second = runZimbo(context, ['start'], {
    PORT: port,
    DATABASE_URL: databaseUrl,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
  });
  assert.equal(await second.ended, 1);
  assert.equal(second.output.stdout, '');
  assert.match(second.output.stderr, new RegExp(`PORT ${port} is in use`));
  assert.doesNotMatch(second.output.stderr, /^ {4}at /m);
});

test('logs nothing after the banner of a trial, also where stderr is no terminal', {
  skip: isWindows,
}, async (context) => {
  const { dataDir, inside } = await ownDataDir(context);
  const zimbo = runZimbo(inside, ['start'], { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: '' });
  await zimbo.says(/^curl .*operatorPhone.*$/m);
  // By then, the gateway has sealed the audit records of its start.
  await delay(12_000);
  zimbo.child.kill('SIGTERM');
  assert.equal(await zimbo.ended, 0);
  assert.equal(zimbo.output.stderr, '');
});
