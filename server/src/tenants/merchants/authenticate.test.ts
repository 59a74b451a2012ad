import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import type { Database, Statement } from '../../platform/postgres/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { standardTerms } from '../../platform/values/merchant-terms.ts';
import { makeAuthenticate } from './authenticate.ts';
import { createMerchant } from './create-merchant.ts';
import { issueKey, revokeKey } from './keys.ts';
import { KnownKeys } from './recent-keys.ts';

/** A real database behind a counter, a stopped clock, and one key. */
async function setUp(context: TestContext) {
  const { database } = await testDatabase(context);
  const clock = { at: 1_000_000, nowMs: () => clock.at };
  const dependencies = { database, clock, ids: randomIds() };
  const { id: merchantId } = await createMerchant(dependencies, 'Loja');
  const issued = await issueKey(dependencies, {
    merchantId,
    mode: 'test',
    permissions: ['events:read'],
  });
  const asked: Statement[] = [];
  const counting: Database = {
    ...database,
    query: (statement, values) => {
      asked.push(statement);
      return database.query(statement, values);
    },
  };
  return { ...dependencies, dependencies, merchantId, issued, asked, counting };
}

test('returns the tenant, merchant, mode and permissions of a key', async (context) => {
  const { database, clock, merchantId, issued } = await setUp(context);
  const principal = await makeAuthenticate({ database, clock })(issued.key);
  const text = `SELECT id FROM tenants WHERE mode = 'test'`;
  const [tenant] = await database.query<{ id: string }>({ text });
  assert.deepEqual(principal, {
    tenantId: tenant!.id,
    merchantId,
    mode: 'test',
    permissions: new Set(['events:read']),
    terms: standardTerms,
    key: {
      id: issued.id,
      expiresAtMs: null,
      allowsAddress: null,
      maxPaymentMinor: null,
      maxRefundedPerDayMinor: null,
      maxDisbursementMinor: null,
      maxDisbursedPerDayMinor: null,
    },
  });
});

test('queries the database once for concurrent requests, and again after 3 seconds', async (context) => {
  const { clock, issued, asked, counting } = await setUp(context);
  const authenticate = makeAuthenticate({ database: counting, clock });
  await Promise.all(Array.from({ length: 50 }, async () => authenticate(issued.key)));
  assert.equal(asked.length, 1);
  clock.at += 2_999;
  await authenticate(issued.key);
  assert.equal(asked.length, 1);
  clock.at += 1;
  await authenticate(issued.key);
  assert.equal(asked.length, 2);
});

test('refuses a revoked key within 5 seconds', async (context) => {
  const { dependencies, database, clock, issued } = await setUp(context);
  const authenticate = makeAuthenticate({ database, clock });
  assert.ok(await authenticate(issued.key));
  await revokeKey(dependencies, issued.id);
  clock.at += 5_000;
  assert.equal(await authenticate(issued.key), undefined);
});

test('refuses a revoked key even if the clock is set back', async (context) => {
  const { dependencies, database, clock, issued } = await setUp(context);
  const authenticate = makeAuthenticate({ database, clock });
  assert.ok(await authenticate(issued.key));
  await revokeKey(dependencies, issued.id);
  clock.at -= 60_000;
  assert.equal(await authenticate(issued.key), undefined);
});

const unknownKeys = Array.from({ length: 4 }, (_, index) => `sk_test_${String(index).repeat(32)}`);

test('does not query an unknown key again for 5 seconds', async (context) => {
  const { clock, asked, counting } = await setUp(context);
  const authenticate = makeAuthenticate({ database: counting, clock });
  const [key] = unknownKeys as [string];
  assert.equal(await authenticate(key), undefined);
  clock.at += 4_999;
  assert.equal(await authenticate(key), undefined);
  assert.equal(asked.length, 1);
  clock.at += 1;
  assert.equal(await authenticate(key), undefined);
  assert.equal(asked.length, 2);
});

test('bounds the memory for unknown keys without forgetting valid ones', async (context) => {
  const { clock, issued, asked, counting } = await setUp(context);
  const authenticate = makeAuthenticate({ database: counting, clock, maxEntries: 2 });
  await authenticate(issued.key);
  for (const key of unknownKeys) await authenticate(key);
  assert.equal(asked.length, 5);
  await authenticate(issued.key);
  assert.equal(asked.length, 5, 'the valid one is remembered');
  await authenticate(unknownKeys[0]!);
  assert.equal(asked.length, 6, 'the oldest unknown one is not');
});

test('admits a key before its look-up, unless it was valid within a day', async (context) => {
  const { dependencies, clock, issued, asked, counting } = await setUp(context);
  const authenticate = makeAuthenticate({ database: counting, clock });
  const never = () => false;
  assert.equal(await authenticate(issued.key, never), undefined);
  assert.equal(asked.length, 0);
  assert.ok(await authenticate(issued.key, () => true));
  clock.at += 86_399_999;
  assert.ok(await authenticate(issued.key, never));
  assert.equal(asked.length, 2);
  await revokeKey(dependencies, issued.id);
  clock.at += 3_000;
  assert.equal(await authenticate(issued.key, never), undefined);
  clock.at += 5_000;
  assert.equal(await authenticate(issued.key, never), undefined);
  assert.equal(asked.length, 3, 'once revoked, it counts as unknown');
});

test('needs no admission for keys used within a day before the start', async (context) => {
  const { dependencies, database, clock, merchantId } = await setUp(context);
  const calendarMs = Date.now();
  const ages = {
    lately: 86_000_000,
    oldest: 86_399_000,
    longAgo: 86_401_000,
    revoked: 0,
    expired: 0,
  };
  const keys: Record<string, string> = {};
  for (const [name, ageMs] of Object.entries(ages)) {
    const { key, id } = await issueKey(dependencies, { merchantId, mode: 'test' });
    keys[name] = key;
    await database.query(
      {
        text: `UPDATE api_keys SET last_used_at = $2, revoked_at = CASE WHEN $3 = 'revoked' THEN now() END,
          expires_at = CASE WHEN $3 = 'expired' THEN now() - interval '1 s' END WHERE id = $1`,
      },
      [id, new Date(calendarMs - ageMs), name],
    );
  }
  const known = new KnownKeys();
  await known.load(database, { calendarMs, ms: clock.at });
  const authenticate = makeAuthenticate({ database, clock, known });
  const passing = [];
  for (const [name, key] of Object.entries(keys)) {
    if (await authenticate(key, () => false)) passing.push(name);
  }
  assert.deepEqual(passing, ['lately', 'oldest']);

  const few = new KnownKeys({ maxEntries: 1 });
  await few.load(database, { calendarMs, ms: clock.at });
  const bounded = makeAuthenticate({ database, clock, known: few });
  assert.equal(await bounded(keys.oldest!, () => false), undefined, 'memory is bounded');
  assert.ok(await bounded(keys.lately!, () => false), 'the latest ones are kept');
});

test('rejects on a database error, and does not cache the error', async (context) => {
  const { database, clock, issued } = await setUp(context);
  let broken = true;
  const flaky: Database = {
    ...database,
    query: (statement, values) =>
      broken ? Promise.reject(new Error('gone')) : database.query(statement, values),
  };
  const authenticate = makeAuthenticate({ database: flaky, clock });
  await assert.rejects(async () => authenticate(issued.key), /gone/);
  broken = false;
  assert.ok(await authenticate(issued.key));
});

test('caches a limited number of keys, and evicts the oldest first', async (context) => {
  const { dependencies, clock, merchantId, asked, counting } = await setUp(context);
  const authenticate = makeAuthenticate({ database: counting, clock, maxEntries: 2 });
  const keys: string[] = [];
  for (let index = 0; index < 3; index++) {
    keys.push((await issueKey(dependencies, { merchantId, mode: 'test' })).key);
  }
  for (const key of keys) await authenticate(key);
  assert.equal(asked.length, 3);
  await authenticate(keys[2]!);
  await authenticate(keys[1]!);
  assert.equal(asked.length, 3);
  await authenticate(keys[0]!);
  assert.equal(asked.length, 4);
});
