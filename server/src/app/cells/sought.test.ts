import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { adminOpenApiDocument } from '../../../scripts/openapi.ts';
import { createCallbackTokens } from '../../integrations/operators/callback-token.ts';
import { pages } from '../../interfaces/console/pages/index.ts';
import { staffPages } from '../../interfaces/console/staff/index.ts';
import { formatId } from '../../platform/values/ids.ts';
import { createAttemptProofs } from '../../storefront/checkout/attempt-proofs.ts';
import { tokenOf } from '../../storefront/checkout/link.ts';
import type { ThingKind } from '../../tenants/cells/place-store.ts';
import { hashApiKey } from '../../tenants/merchants/api-key.ts';
import { aimOf } from './sought.ts';

const secretKey = Buffer.alloc(32, 7);
const tokens = createCallbackTokens(secretKey);
const attemptProofs = createAttemptProofs(secretKey);
const ask = (url: string, headers: Record<string, string> = {}) =>
  aimOf({ url, headers } as unknown as IncomingMessage, { tokens, attemptProofs });

test('what was given out says whose it is: keys, links, callbacks and pages', () => {
  const tenantId = randomUUID();
  const tenant = { sought: { kind: 'TENANT', id: tenantId } };
  const token = tokenOf({ tenantId, id: randomUUID(), linkSecret: randomBytes(16) });
  for (const path of ['pay', 'pay/live', 'pay/picture', 'pay/link', 'receipt']) {
    assert.deepEqual(ask(`/${path}/${token}`), tenant, path);
    assert.deepEqual(ask(`/${path}/${token}?lang=pt`), tenant, path);
    assert.equal(ask(`/${path}/${token}x`), undefined, path);
    assert.equal(ask(`/${path}/assets/pay.css`), undefined, path);
  }
  const proof = attemptProofs.of({ tenantId, id: tenantId });
  assert.deepEqual(ask(`/pay/picture/${tenantId}/${proof}.png?v=1`), tenant);
  const dashes = '-'.repeat(36);
  for (const path of [`${tenantId}/${'A'.repeat(22)}.png`, `${dashes}/${proof}.png`, `${dashes}/x`])
    assert.equal(ask(`/pay/picture/${path}`), undefined, path);
  const reference = randomUUID();
  const callback = tokens.make({ operator: 'CVMOVEL', kind: 'DEBIT', tenantId, reference });
  assert.deepEqual(ask(`/operators/CVMOVEL/callbacks/${callback}`), tenant);
  assert.equal(ask(`/operators/UNITEL_TMAIS/callbacks/${callback}`), undefined, 'of another');
  const key = `sk_test_${'a'.repeat(32)}`;
  const authorization = `Bearer ${key}`;
  const ofKey = { sought: { kind: 'KEY', hash: hashApiKey(key) } };
  assert.deepEqual(ask('/v1/payments', { authorization }), ofKey);
  assert.deepEqual(ask('/v1/payments', { authorization }), ofKey, 'remembered');
  assert.equal(ask('/v1/payments', { authorization: 'Bearer nothing' }), undefined);
  assert.equal(ask('/docs', { authorization }), undefined, 'only the API has keys');
  const merchantId = randomUUID();
  const merchant = { sought: { kind: 'MERCHANT', id: merchantId } };
  const id = formatId('me', merchantId);
  for (const url of [
    `/console/${id}/live/payments`,
    `/console/staff/merchants/${id}`,
    `/console/staff/ledger/${id}?mode=test`,
    `/admin/v1/merchants/${id}/keys`,
  ]) {
    assert.deepEqual(ask(url), merchant, url);
  }
  for (const url of ['/console', '/console/sign-in', '/console/staff', '/admin/v1/merchants', '/'])
    assert.equal(ask(url), undefined, url);
});

test('an address is read as the routes read it, however it is spelled', () => {
  const key = `sk_test_${'a'.repeat(32)}`;
  const authorization = `Bearer ${key}`;
  const ofKey = { sought: { kind: 'KEY', hash: hashApiKey(key) } };
  for (const url of [
    'http://localhost/v1/payments',
    '/%761/payments',
    'https://x/%76%31/payments?x=%',
  ])
    assert.deepEqual(ask(url, { authorization }), ofKey, url);
  for (const url of ['/%zz/v1/payments', '/v1%2Fpayments', '/?x=http://localhost/v1/payments'])
    assert.equal(ask(url, { authorization }), undefined, url);
});

test('staff name a cell in the path, and their programs in a header', () => {
  assert.deepEqual(ask('/console/staff/cells/north/reviews'), { cell: 'north' });
  assert.deepEqual(ask('/admin/v1/payments', { 'zimbo-cell': 'north' }), { cell: 'north' });
  assert.equal(ask('/v1/payments', { 'zimbo-cell': 'north' }), undefined, 'merchants do not');
});

test('what staff name by its id alone is sought, and so is the merchant of a list', () => {
  const id = randomUUID();
  for (const prefix of ['pi', 're', 'ri', 'se', 'ap', 'ak'] as const) {
    const thing = { sought: { kind: 'THING', of: prefix, id } };
    const name = formatId(prefix, id);
    assert.deepEqual(ask(`/admin/v1/reviews/${name}/close`), thing, prefix);
    assert.deepEqual(ask(`/console/staff/settlements/${name}?lang=pt`), thing, prefix);
    assert.equal(ask(`/v1/payments/${name}`), undefined, 'merchants bring a key');
  }
  const reversal = { sought: { kind: 'THING', of: 'reversal', id } };
  assert.deepEqual(ask(`/console/staff/reviews/${id}`), reversal);
  assert.equal(ask(`/console/staff/reviews/${'-'.repeat(36)}`), undefined, 'no UUID');
  assert.deepEqual(ask(`/admin/v1/reviews/${id}`, { 'zimbo-cell': 'north' }), { cell: 'north' });
  for (const url of ['/console/staff/reviews', '/console/staff/payments/x', '/admin/v1/payments'])
    assert.equal(ask(url), undefined, url);
  const merchant = { sought: { kind: 'MERCHANT', id } };
  const ofMerchant = `merchant_id=${formatId('me', id)}`;
  assert.deepEqual(ask(`/admin/v1/payments?mode=live&${ofMerchant}&limit=5`), merchant);
  assert.deepEqual(ask(`/admin/v1/settlements?${ofMerchant}`), merchant);
  assert.equal(ask(`/admin/v1/audit-records?${ofMerchant}`), undefined, 'the home has some, too');
});

/** Of what an id is, in the paths of lists that have things of merchants; all else is the home's. */
const prefixes: Record<string, ThingKind | 'me'> = {
  merchants: 'me',
  payments: 'pi',
  reviews: 'ri',
  settlements: 'se',
  approvals: 'ap',
  keys: 'ak',
};

/** Lists of people, keys of the staff, operators and their statements. */
const ofHome = ['admin-keys', 'operators', 'reconciliations', 'staff'];

test('each route of the staff that names a thing of a merchant leads to its cell', async () => {
  const { paths } = JSON.parse(await adminOpenApiDocument()) as { paths: object };
  const routes = [
    ...Object.keys(paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1')),
    ...staffPages.map(({ path }) => `/console/staff/${path}`),
    ...pages.map(({ path }) => `/console/:merchant/:mode/${path}`),
  ].filter((path) => path.includes('/:'));
  const id = randomUUID();
  const lost = routes.filter((route) => {
    const [, list = ''] = /\/(?:admin\/v1|console\/staff)\/([\w-]+)\/:id/.exec(route) ?? [];
    // The postings of a merchant.
    const prefix = route.startsWith('/console/staff/ledger/') ? 'me' : (prefixes[list] ?? 'xx');
    const url = route
      .replace(':merchant', formatId('me', id))
      .replace(':id', formatId(prefix as 'me', id))
      .replaceAll(/:\w+/g, 'x');
    const kind = url.includes(formatId('me', id))
      ? { kind: 'MERCHANT', id }
      : { kind: 'THING', of: prefix, id };
    return !isDeepStrictEqual(ask(url), { sought: kind });
  });
  const lists = lost.map((route) => /^\/(?:admin\/v1|console\/staff)\/([\w-]+)/.exec(route)?.[1]);
  assert.deepEqual(
    [...new Set(lists)].toSorted((one, other) => String(one).localeCompare(String(other))),
    ofHome,
  );
});
