import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { hashApiKey, unlistedPermissions } from './api-key.ts';
import { createMerchant } from './create-merchant.ts';
import { issueKey, listKeys, revokeKey } from './keys.ts';
import { listMerchants } from './store.ts';

async function administration(context: TestContext) {
  const { database } = await testDatabase(context);
  const clock = { nowMs: () => Date.parse('2026-11-21T08:00:00.000Z') };
  return { database, clock, ids: randomIds(), actor: 'cli:maria' };
}

const unknownId = '00000000-0000-7000-8000-000000000000';

test('creates a merchant with a live and a test tenant, and an audit record', async (context) => {
  const dependencies = await administration(context);
  const merchant = await createMerchant(dependencies, '  Loja  ');
  assert.equal(merchant.name, 'Loja');
  assert.deepEqual(await listMerchants(dependencies.database), [merchant]);
  const tenants = await dependencies.database.query({
    text: 'SELECT merchant_id, mode FROM tenants ORDER BY mode',
  });
  assert.deepEqual(tenants, [
    { merchant_id: merchant.id, mode: 'live' },
    { merchant_id: merchant.id, mode: 'test' },
  ]);
  assert.deepEqual(await auditOf(dependencies), [
    { actor: 'cli:maria', action: 'merchant.created' },
  ]);
});

test('creates nothing with an empty, invisible or overlong name', async (context) => {
  const dependencies = await administration(context);
  for (const name of ['', '   ', '\u200b', '\u3164', 'a'.repeat(256), 'a\0b']) {
    await assert.rejects(createMerchant(dependencies, name), { code: 'VALIDATION_ERROR' });
  }
  assert.deepEqual(await listMerchants(dependencies.database), []);
  assert.deepEqual(await auditOf(dependencies), []);
});

test('stores only the hash and the last characters of a key', async (context) => {
  const dependencies = await administration(context);
  const { id: merchantId } = await createMerchant(dependencies, 'Loja');
  const { id, key } = await issueKey(dependencies, { merchantId, mode: 'live' });
  const text = 'SELECT k.*, k::text AS whole FROM api_keys k';
  const [row, ...others] = await dependencies.database.query<Record<string, unknown>>({ text });
  assert.deepEqual(others, []);
  assert.equal(row!.id, id);
  assert.deepEqual(row!.key_hash, hashApiKey(key));
  assert.equal(row!.last4, key.slice(-4));
  assert.deepEqual(row!.permissions, unlistedPermissions('live'));
  assert.ok(!String(row!.whole).includes(key.slice(8, -4)));
  const audit = await dependencies.database.query({
    text: 'SELECT a::text AS whole FROM audit_records a',
  });
  assert.ok(!JSON.stringify(audit).includes(key.slice(8, -4)));
});

test('lists keys with their permissions, and records every step', async (context) => {
  const dependencies = await administration(context);
  const first = await createMerchant(dependencies, 'Loja');
  const second = await createMerchant(dependencies, 'Bar');
  const mine = await issueKey(dependencies, {
    merchantId: first.id,
    mode: 'test',
    permissions: ['events:read'],
  });
  const other = await issueKey(dependencies, { merchantId: second.id, mode: 'live' });
  const all = await listKeys(dependencies);
  assert.deepEqual(
    all.map(({ id, mode }) => [id, mode]),
    [
      [mine.id, 'test'],
      [other.id, 'live'],
    ],
  );
  const [only, ...rest] = await listKeys(dependencies, first.id);
  assert.deepEqual(rest, []);
  assert.deepEqual(only!.permissions, ['events:read']);
  assert.equal((await revokeKey(dependencies, mine.id)).revokedAtMs, dependencies.clock.nowMs());
  assert.deepEqual(
    (await auditOf(dependencies)).map(({ action }) => action),
    [
      'merchant.created',
      'merchant.created',
      'api_key.issued',
      'api_key.issued',
      'api_keys.listed',
      'api_keys.listed',
      'api_key.revoked',
    ],
  );
});

test('changes nothing when a key is revoked again', async (context) => {
  const dependencies = await administration(context);
  const { id: merchantId } = await createMerchant(dependencies, 'Loja');
  const { id } = await issueKey(dependencies, { merchantId, mode: 'test' });
  const first = await revokeKey(dependencies, id);
  const later = { ...dependencies, clock: { nowMs: () => dependencies.clock.nowMs() + 1_000 } };
  assert.deepEqual(await revokeKey(later, id), first);
  const revocations = (await auditOf(dependencies)).filter(
    ({ action }) => action === 'api_key.revoked',
  );
  assert.equal(revocations.length, 1);
});

test('reports unknown merchants and keys, without a trace', async (context) => {
  const dependencies = await administration(context);
  const missing = { code: 'NOT_FOUND' };
  await assert.rejects(issueKey(dependencies, { merchantId: unknownId, mode: 'test' }), missing);
  await assert.rejects(listKeys(dependencies, unknownId), missing);
  await assert.rejects(revokeKey(dependencies, unknownId), missing);
  assert.deepEqual(await auditOf(dependencies), []);
});

async function auditOf({ database }: Awaited<ReturnType<typeof administration>>) {
  const text = 'SELECT actor, action FROM audit_records ORDER BY id';
  return database.query<{ actor: string; action: string }>({ text });
}
