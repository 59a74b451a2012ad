import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testNameServer } from '../../../test/support/name-server.ts';
import { until } from '../../../test/support/webhook-receiver.ts';
import { HostsFile } from './hosts-file.ts';
import { createNameServerLookup, type NameServerOptions } from './name-servers.ts';
import { withSystemFallback } from './target-lookups.ts';

const loopback6 = Buffer.from([...Array(15).fill(0), 1]);

async function start(context: TestContext, options: NameServerOptions = {}) {
  const { server, asked } = await testNameServer(context, {
    'four.example': { A: '192.0.2.1' },
    'six.example': { AAAA: loopback6 },
    'both.example': { A: '192.0.2.2', AAAA: loopback6 },
    'nothing.example': {},
    'alias.example': { CNAME: 'further.example' },
    'further.example': { CNAME: 'both.example' },
    'silent.example': 'silent',
  });
  const lookUp = createNameServerLookup({ servers: [server], ...options });
  const addresses = async (name: string) => (await lookUp(name)).map(({ address }) => address);
  return { addresses, asked, lookUp };
}

test('resolves names with IPv4 addresses, IPv6 addresses or both, and aliases', async (context) => {
  const { addresses } = await start(context);
  assert.deepEqual(await addresses('four.example'), ['192.0.2.1']);
  assert.deepEqual(await addresses('six.example'), ['::1']);
  assert.deepEqual(await addresses('both.example'), ['192.0.2.2', '::1']);
  assert.deepEqual(await addresses('alias.example'), ['192.0.2.2', '::1']);
});

test('distinguishes unknown names from name servers that do not answer', async (context) => {
  const { addresses } = await start(context, { tryMs: 50, longestMs: 60_000 });
  for (const name of ['unknown.example', 'nothing.example'])
    await assert.rejects(addresses(name), { code: 'ENOTFOUND' });
  await assert.rejects(addresses('silent.example'), { code: 'EAI_AGAIN' });
});

test('gives a look-up up in time, while others go on', async (context) => {
  const { addresses, asked } = await start(context, { tryMs: 600_000, longestMs: 200 });
  const silent = Array.from({ length: 40 }, () => addresses('silent.example'));
  const ended = Promise.allSettled(silent);
  await until(() => asked.length >= 80);
  assert.deepEqual(await addresses('four.example'), ['192.0.2.1']);
  for (const outcome of await ended)
    assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'EAI_AGAIN');
});

test('prefers the hosts file, even after a change, and resolves localhost to this machine', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-hosts-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'hosts');
  const { addresses, asked } = await start(context, { hosts: new HostsFile(path) });
  assert.deepEqual(await addresses('localhost'), ['127.0.0.1', '::1']);
  assert.deepEqual(await addresses('shop.localhost'), ['127.0.0.1', '::1']);
  writeFileSync(
    path,
    '# mine\n10.0.0.1 Till.Example till # here\r\n\n::2 till.example\n10.0.0.1 till\n',
  );
  assert.deepEqual(await addresses('till.example'), ['10.0.0.1', '::2']);
  assert.deepEqual(await addresses('TILL.'), ['10.0.0.1']);
  assert.deepEqual(await addresses('localhost'), ['127.0.0.1', '::1']);
  assert.deepEqual(asked, []);
  writeFileSync(path, '');
  await assert.rejects(addresses('till.example'), { code: 'ENOTFOUND' });
});

test('asks the system for names that no name server knows, one at a time', async (context) => {
  const { lookUp } = await start(context, { tryMs: 50 });
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const local = withSystemFallback(lookUp, (hostname) => {
    asked.push(hostname);
    return new Promise((resolve) => answers.push(() => resolve([{ address: '10.0.0.9' }])));
  });
  const owner = { tenantId: 'a', mode: 'live' } as const;
  const found = ['till.local', 'printer.local'].map((name) => local(name, owner));
  await assert.rejects(local('silent.example', owner), { code: 'EAI_AGAIN' });
  assert.deepEqual(await local('four.example', owner), [{ address: '192.0.2.1' }]);
  await until(() => asked.length === 1);
  answers[0]!();
  await until(() => asked.length === 2);
  answers[1]!();
  for (const addresses of await Promise.all(found))
    assert.deepEqual(addresses, [{ address: '10.0.0.9' }]);
  assert.deepEqual(asked.toSorted(), ['printer.local', 'till.local']);
});
