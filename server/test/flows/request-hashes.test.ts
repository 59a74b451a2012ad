import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { erasePerson } from '../../src/operations/privacy/erasures.ts';
import { canonicalJson } from '../../src/platform/formats/canonical-json.ts';
import { firstVersionOf } from '../../src/platform/idempotency/idempotency.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { reencryptDigestKey } from '../../src/platform/secrets/digest-key.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-box.ts';
import { type Api, anotherGateway, apiOf, reach, testGateway } from '../support/gateway.ts';
import { privacyDependencies, testKeys } from '../support/privacy.ts';

const phone = '+2389912345';
const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: phone };
const meaning = { ...payment, currency: 'CVE' };
const next = Buffer.alloc(32, 9);

/** Creates one of everything that takes an idempotency key. */
async function requestAll(api: Api, paymentId: string) {
  const asked: [string, object][] = [
    ['/v1/refunds', { paymentIntentId: paymentId, amount: 1_000 }],
    ['/v1/settlements/process', { currency: 'CVE' }],
    ['/v1/checkout/sessions', { amount: 5_000 }],
    ['/v1/products', { name: 'Café', price: 100 }],
    ['/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['payment.debited'] }],
  ];
  const texts: string[] = [];
  for (const [path, body] of asked) {
    const answer = await api('POST', path, body, { 'idempotency-key': 'all' });
    assert.equal(answer.status, 200, answer.text);
    texts.push(answer.text);
  }
  return texts;
}

const tables = ['payments', 'refunds', 'settlements', 'checkout_sessions', 'products'];

async function hashesOf(database: Database): Promise<Buffer[]> {
  const hashes = [...tables, 'webhook_endpoints'].map(
    (table) => `SELECT request_hash AS hash FROM ${table} WHERE request_hash IS NOT NULL`,
  );
  const text = hashes.join(' UNION ALL ');
  return (await database.query<{ hash: Buffer }>({ text })).map(({ hash }) => hash);
}

async function oneOfEach(context: TestContext) {
  const gateway = await testGateway(context);
  const { api, zimbo } = gateway;
  const headers = { 'idempotency-key': `of ${phone}` };
  const first = await api('POST', '/v1/payments', payment, headers);
  await reach(zimbo.payments, first.body.id, 'DEBITED');
  const texts = await requestAll(api, first.body.id);
  const repeated = (by: Api) => by('POST', '/v1/payments', payment, headers);
  return { ...gateway, first, texts, headers, repeated };
}

test('stores no hash of a request that can be computed without the key', async (context) => {
  const { database } = await oneOfEach(context);
  const hashes = await hashesOf(database);
  assert.equal(hashes.length, 6);
  for (const hash of hashes) assert.deepEqual([hash[0], hash.length], [3, 37]);
  const guess = createHash('sha256').update(canonicalJson(meaning)).digest();
  assert.ok(hashes.every((hash) => !hash.includes(guess)));
});

test('still recognises requests from before a new secret key', async (context) => {
  const { database, databaseUrl, key, first, texts, repeated } = await oneOfEach(context);
  const { current } = testKeys;
  assert.equal(await reencryptDigestKey(database, createSecretBox(next, current)), true);
  const environment = { ZIMBO_SECRET_KEY: next.toString('base64') };
  const { url } = await anotherGateway(context, databaseUrl, { environment });
  const api = apiOf(url, key);
  assert.equal((await repeated(api)).text, first.text);
  const other = { ...payment, amount: 1 };
  const headers = { 'idempotency-key': `of ${phone}` };
  assert.equal((await api('POST', '/v1/payments', other, headers)).status, 409);
  // The endpoint is left out: its secret was not re-encrypted here.
  await database.query({ text: 'DELETE FROM webhook_endpoints' });
  assert.deepEqual((await requestAll(api, first.body.id)).slice(0, 4), texts.slice(0, 4));
});

test('compares new requests under a foreign secret key, but no earlier ones', async (context) => {
  const { databaseUrl, key, first, repeated } = await oneOfEach(context);
  const environment = { ZIMBO_SECRET_KEY: next.toString('base64') };
  const foreign = await anotherGateway(context, databaseUrl, { environment });
  const api = apiOf(foreign.url, key);
  const refused = await repeated(api);
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  const headers = { 'idempotency-key': 'meanwhile' };
  const meanwhile = await api('POST', '/v1/payments', payment, headers);
  assert.equal((await api('POST', '/v1/payments', payment, headers)).text, meanwhile.text);
  await foreign.gateway.stop();
  // The key is back, and the other one known: both kinds are compared.
  const both = { ZIMBO_SECRET_KEY_PREVIOUS: next.toString('base64') };
  const { url } = await anotherGateway(context, databaseUrl, { environment: both });
  assert.equal((await repeated(apiOf(url, key))).text, first.text);
  const again = await apiOf(url, key)('POST', '/v1/payments', payment, headers);
  assert.equal(again.text, meanwhile.text);
});

test('compares an older hash by the old rules, and keys it when its phone is erased', async (context) => {
  const { api, database, repeated, first } = await oneOfEach(context);
  const [row] = await database.query<{ hash: Buffer }>({
    text: 'SELECT request_hash AS hash FROM payments',
  });
  const keyed = row!.hash;
  const ofBefore = [
    firstVersionOf(payment),
    Buffer.concat([Buffer.of(2), firstVersionOf(meaning)]),
  ];
  for (const hash of ofBefore) {
    await database.query({ text: 'UPDATE payments SET request_hash = $1' }, [hash]);
    assert.equal((await repeated(api)).text, first.text);
  }
  await erasePerson(privacyDependencies(context, database), phone);
  const [erased] = await hashesOf(database);
  assert.ok(ofBefore.every((hash) => !erased!.includes(hash)));
  assert.equal((await repeated(api)).headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(privacyDependencies(context, database).requestHashes.seal(keyed), keyed);
});
