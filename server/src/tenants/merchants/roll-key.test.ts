import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { createMerchant } from './create-merchant.ts';
import { issueKey, listKeys, revokeKey } from './keys.ts';
import { rollKey } from './roll-key.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function setUp(context: TestContext) {
  const { database } = await testDatabase(context);
  const clock = { at: Date.parse('2026-11-21T08:00:00.000Z'), nowMs: () => clock.at };
  const dependencies = { database, clock, ids: randomIds(), actor: 'cli:maria' };
  const { id: merchantId } = await createMerchant(dependencies, 'Loja');
  return { ...dependencies, dependencies, merchantId };
}

test('creates a successor with the same label, permissions and limits, and expires the old key after the overlap', async (context) => {
  const { dependencies, clock, merchantId } = await setUp(context);
  const terms = {
    label: 'till 3',
    expiresAtMs: clock.at + 90 * dayMs,
    allowedAddresses: ['192.0.2.0/24', '2001:db8::/48'],
    maxPaymentMinor: 25_000n,
    maxRefundedPerDayMinor: 100_000n,
  };
  const permissions = ['payments:read', 'refunds:write'];
  const { id } = await issueKey(dependencies, { merchantId, mode: 'test', permissions, terms });
  clock.at += 30 * dayMs;
  const rolled = await rollKey(dependencies, id, { overlapMs: 48 * hourMs });
  const [old, next] = await listKeys(dependencies);
  assert.deepEqual(rolled.old, old);
  assert.equal(old!.expiresAtMs, clock.at + 48 * hourMs);
  assert.equal(old!.rolledTo, rolled.id);
  assert.equal(next!.id, rolled.id);
  assert.equal(next!.last4, rolled.key.slice(-4));
  assert.match(rolled.key, /^sk_test_/);
  assert.notEqual(next!.last4 + next!.id, old!.last4 + old!.id);
  const { label, allowedAddresses, maxPaymentMinor, maxRefundedPerDayMinor } = next!;
  const { expiresAtMs: _, ...limits } = terms;
  assert.deepEqual({ label, allowedAddresses, maxPaymentMinor, maxRefundedPerDayMinor }, limits);
  assert.deepEqual(next!.permissions, permissions);
  assert.equal(next!.expiresAtMs, clock.at + 90 * dayMs, 'it has the lifetime of the old one');
});

test('never extends the life of a key by an overlap', async (context) => {
  const { dependencies, clock, merchantId } = await setUp(context);
  const expiresAtMs = clock.at + hourMs;
  const { id } = await issueKey(dependencies, { merchantId, mode: 'live', terms: { expiresAtMs } });
  const until = clock.at + 7 * dayMs;
  const rolled = await rollKey(dependencies, id, { overlapMs: dayMs, expiresAtMs: until });
  assert.equal(rolled.old.expiresAtMs, expiresAtMs);
  assert.equal(rolled.expiresAtMs, until);
});

test('refuses to roll a rolled, revoked or expired key', async (context) => {
  const { dependencies, clock, merchantId } = await setUp(context);
  const order = { merchantId, mode: 'test' } as const;
  const overlap = { overlapMs: hourMs };
  const rolled = await issueKey(dependencies, order);
  await rollKey(dependencies, rolled.id, overlap);
  await assert.rejects(rollKey(dependencies, rolled.id, overlap), { code: 'INVALID_STATE' });
  const revoked = await issueKey(dependencies, order);
  await revokeKey(dependencies, revoked.id);
  await assert.rejects(rollKey(dependencies, revoked.id, overlap), /revoked/);
  const expired = await issueKey(dependencies, { ...order, terms: { expiresAtMs: clock.at + 1 } });
  clock.at += 1;
  await assert.rejects(rollKey(dependencies, expired.id, overlap), /expired/);
  const unknownId = '00000000-0000-7000-8000-000000000000';
  await assert.rejects(rollKey(dependencies, unknownId, overlap), { code: 'NOT_FOUND' });
  assert.equal((await listKeys(dependencies)).length, 4);
});

test('creates one successor for two concurrent rolls', async (context) => {
  const { dependencies, merchantId } = await setUp(context);
  const { id } = await issueKey(dependencies, { merchantId, mode: 'test' });
  // With two connections open in advance, the first roll is still running when the second begins.
  const pause = { text: 'SELECT pg_sleep(0.05)' };
  await Promise.all([1, 2].map(() => dependencies.database.query(pause)));
  const rolls = await Promise.allSettled(
    [1, 2].map(() => rollKey(dependencies, id, { overlapMs: 0 })),
  );
  assert.deepEqual(rolls.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal((await listKeys(dependencies)).length, 2);
});

test('explains invalid properties, and creates no key', async (context) => {
  const { dependencies, clock, merchantId } = await setUp(context);
  const wrong = [
    { label: '' },
    { label: '\u3164\u2800' },
    { label: 'a'.repeat(101) },
    { label: 'till\u202E3' },
    { expiresAtMs: clock.at },
    { allowedAddresses: ['192.0.2.0/33'] },
    { allowedAddresses: ['0.0.0.0/0'] },
    { allowedAddresses: ['shop.example'] },
    { maxPaymentMinor: 0n },
    { maxRefundedPerDayMinor: -1n },
  ];
  for (const terms of wrong) {
    await assert.rejects(async () => issueKey(dependencies, { merchantId, mode: 'test', terms }), {
      code: 'VALIDATION_ERROR',
    });
  }
  assert.deepEqual(await listKeys(dependencies), []);
});
