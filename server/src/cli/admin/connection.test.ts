import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { adminKey } from '../../../test/support/admin.ts';
import { runCommand } from '../../../test/support/command-line.ts';
import { testGateway } from '../../../test/support/gateway.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { createMerchant } from '../../tenants/merchants/create-merchant.ts';
import { addMerchantCommands } from '../merchants.ts';

const list = (environment: Record<string, string>) =>
  runCommand(addMerchantCommands, ['merchants', 'list', '--json'], {
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    ...environment,
  });

test('fetches all pages of a list, oldest first', async (context) => {
  const gateway = await testGateway(context, { environment: { RATE_LIMIT: 'off' } });
  const dependencies = { database: gateway.database, clock: systemClock, ids: randomIds() };
  for (let count = 0; count < 120; count += 1) await createMerchant(dependencies, `Loja ${count}`);
  const { key } = await adminKey(gateway);
  const said = await list({ ZIMBO_ADMIN_KEY: key, ZIMBO_ADMIN_URL: `${gateway.url}/` });
  const names = (JSON.parse(said.stdout) as { name: string }[]).map(({ name }) => name);
  const made = Array.from({ length: 120 }, (_, count) => `Loja ${count}`);
  assert.deepEqual(names.slice(1), made);
});

test('explains connection problems in words', async (context) => {
  const gateway = await testGateway(context);
  const { key } = await adminKey(gateway, { permissions: ['payments.read'] });
  const lacking = await list({ ZIMBO_ADMIN_KEY: key, ZIMBO_URL: gateway.url });
  assert.deepEqual(
    [lacking.code, lacking.stderr],
    [1, 'This API key lacks the permission merchants.read.\n'],
  );
  const nowhere = await list({ ZIMBO_ADMIN_KEY: key });
  assert.match(nowhere.stderr, /the address of a gateway is not.*\n.*ZIMBO_ADMIN_URL/);
  const silent = await list({ ZIMBO_ADMIN_KEY: key, ZIMBO_URL: 'http://127.0.0.1:9' });
  assert.match(silent.stderr, /does not answer/);
  for (const url of ['10.0.0.5:3000', 'localhost:3000', 'ftp://localhost', 'http://']) {
    const { stderr } = await list({ ZIMBO_ADMIN_KEY: key, ZIMBO_ADMIN_URL: url });
    assert.match(stderr, /^ZIMBO_ADMIN_URL must be a URL .*\n.*http:\/\/localhost:3001\n$/, url);
  }
  const unknown = await list({ ZIMBO_ADMIN_KEY: `${key}€`, ZIMBO_URL: gateway.url });
  assert.match(unknown.stderr, /^ZIMBO_ADMIN_KEY must be /);
  const other = createServer((_request, response) => response.end('hello'));
  context.after(() => other.close());
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  const { port } = other.address() as { port: number };
  const stranger = await list({ ZIMBO_ADMIN_KEY: key, ZIMBO_URL: `http://127.0.0.1:${port}` });
  assert.match(stranger.stderr, /not like a gateway/);
});
