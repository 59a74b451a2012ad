import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { findAdminKey } from '../../src/tenants/people/admin-key-store.ts';
import { revokeAdminKey } from '../../src/tenants/people/admin-keys.ts';
import { adminApi, adminKey } from '../support/admin.ts';
import { anotherGateway, apiOf, eventually, testGateway } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const merchants = '/admin/v1/merchants';

test('opens /admin/v1 only to admin keys, which open nothing else', async (context) => {
  const gateway = await testGateway(context);
  const admin = await adminApi(gateway);
  const listed = await admin('GET', merchants);
  assert.equal(listed.status, 200);
  assert.deepEqual(
    listed.body.data.map(({ name }: { name: string }) => name),
    ['Loja de teste'],
  );
  const nobody = await fetch(`${gateway.url}${merchants}`);
  assert.equal(nobody.status, 401);
  assert.equal(nobody.headers.get('www-authenticate'), 'Bearer');
  const merchant = await gateway.api('GET', merchants);
  assert.equal(merchant.status, 401, 'the key of a merchant');
  assert.match(merchant.body.error.message, /not an admin key/);
  const stranger = await apiOf(gateway.url, `ak_admin_${'a'.repeat(32)}`)('GET', merchants);
  assert.deepEqual([stranger.status, stranger.body.error.code], [401, 'UNAUTHORIZED']);
  const tenant = await admin('GET', '/v1/payments');
  assert.equal(tenant.status, 401, 'in /v1');
  assert.match(tenant.body.error.message, /not an API key/);
  const nowhere = await admin('GET', '/admin/v1/nothing');
  assert.equal(nowhere.status, 404);
  assert.match(nowhere.body.error.message, /begin with \/admin\/v1/);
  assert.equal((await gateway.api('GET', '/admin/v1/nothing')).status, 401, 'a key comes first');
});

test('limits a key to its permissions, addresses and expiry', async (context) => {
  const gateway = await testGateway(context, { environment: { TRUST_PROXY: '127.0.0.1' } });
  const { database, url } = gateway;
  const lacking = await adminApi(gateway, { permissions: ['payments.read'] });
  const refused = await lacking('GET', merchants);
  assert.equal(refused.status, 403);
  assert.equal(refused.body.error.code, 'FORBIDDEN');
  assert.match(refused.body.error.message, /lacks the permission merchants\.read/);
  const near = await adminApi(gateway, { allowedAddresses: ['192.0.2.0/24'] });
  const from = (address: string) =>
    near('GET', merchants, undefined, { 'x-forwarded-for': address });
  assert.equal((await from('192.0.2.9')).status, 200);
  const elsewhere = await from('198.51.100.1');
  assert.deepEqual([elsewhere.status, elsewhere.body.error.code], [403, 'ADDRESS_NOT_ALLOWED']);
  const old = await adminKey(gateway, { expiresAtMs: Date.now() + 60_000 });
  const past = `UPDATE admin_keys SET expires_at = now() - interval '1 ms' WHERE id = $1`;
  await database.query({ text: past }, [old.id]);
  const expired = await apiOf(url, old.key)('GET', merchants);
  assert.equal(expired.status, 401);
  assert.match(expired.body.error.message, /expired/);
});

test('rejects a revoked key in every process', async (context) => {
  const gateway = await testGateway(context);
  const { database, databaseUrl } = gateway;
  const other = await anotherGateway(context, databaseUrl);
  const { id, key } = await adminKey(gateway);
  const apis = [apiOf(gateway.url, key), apiOf(other.url, key)];
  for (const api of apis) assert.equal((await api('GET', merchants)).status, 200);
  await revokeAdminKey({ database, clock: systemClock, ids: randomIds() }, id);
  for (const api of apis) {
    await eventually('it is refused', async () => (await api('GET', merchants)).status === 401);
  }
});

test('throttles guesses by address, while a valid key keeps working', async () => {
  const gateway = await sharedGateway();
  const admin = await adminApi(gateway);
  assert.equal((await admin('GET', merchants)).status, 200);
  const guess = (number: number) =>
    apiOf(gateway.url, `ak_admin_${String(number).padStart(32, '0')}`)('GET', merchants);
  const throttled: Awaited<ReturnType<typeof guess>>[] = [];
  // On a slow machine the bucket refills meanwhile, and takes more of them.
  for (let round = 0; round < 10 && throttled.length === 0; round++) {
    const guesses = await Promise.all(Array.from({ length: 150 }, (_, number) => guess(number)));
    throttled.push(...guesses.filter(({ status }) => status === 429));
  }
  assert.ok(throttled.length > 0, 'some were throttled');
  assert.equal(throttled[0]!.body.error.code, 'RATE_LIMITED');
  assert.ok(Number(throttled[0]!.headers.get('retry-after')) > 0);
  assert.equal((await admin('GET', merchants)).status, 200);
});

test('records the last use of a key, and stores only its hash', async (context) => {
  const gateway = await testGateway(context, { timing: { keyUseIntervalMs: 20 } });
  const { database, url } = gateway;
  const { id, key } = await adminKey(gateway, { label: 'nightly' });
  assert.equal((await findAdminKey(database, id))!.lastUsedAtMs, null);
  await apiOf(url, key)('GET', merchants);
  await eventually(
    'its use is noted',
    async () => (await findAdminKey(database, id))!.lastUsedAtMs !== null,
  );
  const text = `SELECT (SELECT jsonb_agg(to_jsonb(k)) FROM admin_keys k)::text
    || (SELECT jsonb_agg(to_jsonb(r)) FROM audit_records r)::text AS stored`;
  const [row] = await database.query<{ stored: string }>({ text });
  assert.ok(row!.stored.includes(formatId('ak', id)), 'the audit log tells of it');
  assert.ok(!row!.stored.includes(key.slice('ak_admin_'.length)));
});

test('serves the API only on the operations listener, if there is one', async (context) => {
  const gateway = await testGateway(context, { environment: { OPERATIONS_PORT: '0' } });
  const own = await gateway.gateway.operations!.listen({ host: '127.0.0.1', port: 0 });
  const { key } = await adminKey(gateway);
  assert.equal((await apiOf(gateway.url, key)('GET', merchants)).status, 404);
  assert.equal((await apiOf(own, key)('GET', merchants)).status, 200);
  assert.equal((await fetch(`${own}${merchants}`)).status, 401);
  for (const path of ['/admin/docs', '/admin/openapi.json', '/admin/docs/scalar.js']) {
    assert.equal((await fetch(gateway.url + path)).status, 404, `${path} for everybody`);
    assert.equal((await fetch(own + path)).status, 200, path);
  }
});

test('has a reference of its own', async (context) => {
  const { url } = await testGateway(context);
  const pathsOf = async (address: string): Promise<string[]> => {
    const document = (await (await fetch(url + address)).json()) as { paths: object };
    return Object.keys(document.paths);
  };
  const [own, public_] = [await pathsOf('/admin/openapi.json'), await pathsOf('/openapi.json')];
  assert.ok(own.includes(merchants));
  assert.ok(own.every((path) => path.startsWith('/admin/v1/')));
  assert.ok(public_.every((path) => path.startsWith('/v1/')));
  assert.match(await (await fetch(`${url}/admin/docs`)).text(), /<title>Zimbo admin API</);
});
