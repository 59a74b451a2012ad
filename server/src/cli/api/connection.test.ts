import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testGateway } from '../../../test/support/gateway.ts';
import { runZimbo } from '../../../test/support/zimbo.ts';

const someKey = `sk_test_${'a'.repeat(32)}`;
const nowhere = 'http://127.0.0.1:1';

async function run(context: TestContext, environment: Record<string, string>, ...args: string[]) {
  const { ended, output } = runZimbo(context, args, environment);
  return { code: await ended, ...output };
}

async function emptyDataDir(context: TestContext): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zimbo-cli-'));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

test('falls back to demo.env, but prefers the environment', async (context) => {
  const { url, key } = await testGateway(context);
  const dataDir = await emptyDataDir(context);
  await writeFile(join(dataDir, 'demo.env'), `ZIMBO_URL=${url}\nZIMBO_API_KEY=${key}\n`);
  const found = await run(context, { DATA_DIR: dataDir }, 'payments', 'list', '--json');
  assert.deepEqual(found, { code: 0, stdout: '[]\n', stderr: '' });
  const other = { DATA_DIR: dataDir, ZIMBO_URL: url, ZIMBO_API_KEY: someKey };
  const refused = await run(context, other, 'payments', 'list');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^UNAUTHORIZED: .*\nThe key comes from the environment\.\n$/);
});

test('names the missing setting', async (context) => {
  const dataDir = await emptyDataDir(context);
  const none = await run(context, { DATA_DIR: dataDir }, 'balance');
  assert.equal(none.code, 1);
  assert.match(
    none.stderr,
    /ZIMBO_URL and ZIMBO_API_KEY are not set, and there is no \S+demo\.env/,
  );
  assert.match(none.stderr, /zimbo start/);
  const half = await run(context, { DATA_DIR: dataDir, ZIMBO_API_KEY: someKey }, 'balance');
  assert.equal(half.code, 1);
  assert.match(half.stderr, /^ZIMBO_API_KEY is set, but ZIMBO_URL is not\./);
});

test('reports an unreachable gateway and impossible settings without a stack trace', async (context) => {
  const settings = [
    { ZIMBO_URL: nowhere, ZIMBO_API_KEY: someKey },
    { ZIMBO_URL: nowhere, ZIMBO_API_KEY: 'hunter2' },
    { ZIMBO_URL: 'nonsense', ZIMBO_API_KEY: someKey },
  ];
  const told = await Promise.all(settings.map((one) => run(context, one, 'balance')));
  for (const { code, stdout, stderr } of told) {
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(stderr, /the environment\.\n$/);
    assert.doesNotMatch(stderr, /hunter2|^ {4}at /m);
  }
  assert.match(told[0]!.stderr, /^The gateway at http:\/\/127\.0\.0\.1:1 does not answer\.\n/);
});

test('exits with 2 on wrong usage, without a request', async (context) => {
  const environment = { ZIMBO_URL: nowhere, ZIMBO_API_KEY: someKey };
  const wrong = [
    ['payments'],
    ['payments', 'get'],
    ['payments', 'get', '..'],
    ['payments', 'list', '--limit', '0'],
    ['payments', 'create', '--operator', 'MOCK', '--operator-phone', '+2389912345'],
    ['payments', 'create', '--amount', '1.00', '--operator', 'MOCK', '--operator-phone', '+2'],
    ['products', 'list', '--active', 'maybe'],
    ['checkout', 'create', '--item', 'Café'],
    ['refunds', 'create', 'pi_1', '--metadata', 'x'],
    ['webhooks', 'redeliver', 'we_1'],
    ['webhooks', 'redeliver', 'we_1', 'dl_1', '--since', '2026-11-21T08:00:00Z'],
    ['webhooks', 'redeliver', 'we_1', '--since', '2026-11-21T08:00:00'],
    ['webhooks', 'rotate-secret', 'we_1', '--overlap-hours', 'long'],
    ['trigger', 'payment.stolen'],
    ['listen'],
    ['listen', '--forward-to', 'http://'],
    ['listen', '--forward-to', 'localhost:1', '--events', 'payment.stolen'],
    ['listen', '--forward-to', 'localhost:1', '--secret', 'hunter2'],
    ['listen', '--forward-to', 'localhost:1', '--since', 'yesterday'],
  ];
  const results = await Promise.all(
    wrong.map(async (args) => ({ args, ...(await run(context, environment, ...args)) })),
  );
  for (const { args, code, stdout, stderr } of results) {
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, args.join(' '));
    assert.match(stderr, /Usage|--help/, args.join(' '));
  }
});
