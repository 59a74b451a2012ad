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
import { shortUrlOf } from '../../storefront/payment-links/short-links.ts';
import type { ObjectKind } from '../../tenants/cells/cell-directory-store.ts';
import { hashApiKey } from '../../tenants/merchants/api-key.ts';
import { targetOf } from './request-target.ts';

const secretKey = Buffer.alloc(32, 7);
const tokens = createCallbackTokens(secretKey);
const attemptProofs = createAttemptProofs(secretKey);
const findUnlimited = (url: string, headers: Record<string, string> = {}) =>
  targetOf({ url, headers } as unknown as IncomingMessage, { tokens, attemptProofs });

test('finds the tenant or merchant of keys, links, callbacks and pages', () => {
  const tenantId = randomUUID();
  const tenant = { lookup: { kind: 'TENANT', id: tenantId } };
  const token = tokenOf({ tenantId, id: randomUUID(), linkSecret: randomBytes(16) });
  for (const path of ['pay', 'pay/live', 'pay/picture', 'pay/link', 'receipt']) {
    assert.deepEqual(findUnlimited(`/${path}/${token}`), tenant, path);
    assert.deepEqual(findUnlimited(`/${path}/${token}?lang=pt`), tenant, path);
    assert.equal(findUnlimited(`/${path}/${token}x`), undefined, path);
    assert.equal(findUnlimited(`/${path}/assets/pay.css`), undefined, path);
  }
  const code = randomUUID();
  const short = { lookup: { kind: 'SHORT_LINK', id: code } };
  const path = new URL(shortUrlOf(code, 'https://pay.cv')).pathname;
  for (const url of [path, `${path}?lang=en`, path.replace(/[^/]+$/, (text) => text.toUpperCase())])
    assert.deepEqual(findUnlimited(url), short, url);
  for (const url of [`${path}x`, '/l/assets/live.js', '/l/'])
    assert.equal(findUnlimited(url), undefined, url);
  const proof = attemptProofs.of({ tenantId, id: tenantId });
  assert.deepEqual(findUnlimited(`/pay/picture/${tenantId}/${proof}.png?v=1`), tenant);
  const dashes = '-'.repeat(36);
  for (const path of [`${tenantId}/${'A'.repeat(22)}.png`, `${dashes}/${proof}.png`, `${dashes}/x`])
    assert.equal(findUnlimited(`/pay/picture/${path}`), undefined, path);
  const reference = randomUUID();
  const callback = tokens.make({ operator: 'CVMOVEL', kind: 'DEBIT', tenantId, reference });
  assert.deepEqual(findUnlimited(`/operators/CVMOVEL/callbacks/${callback}`), tenant);
  assert.equal(
    findUnlimited(`/operators/UNITEL_TMAIS/callbacks/${callback}`),
    undefined,
    'of another',
  );
  const key = `sk_test_${'a'.repeat(32)}`;
  const authorization = `Bearer ${key}`;
  const ofKey = { lookup: { kind: 'KEY', hash: hashApiKey(key) } };
  assert.deepEqual(findUnlimited('/v1/payments', { authorization }), ofKey);
  assert.deepEqual(findUnlimited('/v1/payments', { authorization }), ofKey, 'remembered');
  assert.equal(findUnlimited('/v1/payments', { authorization: 'Bearer nothing' }), undefined);
  assert.equal(findUnlimited('/docs', { authorization }), undefined, 'only the API has keys');
  const merchantId = randomUUID();
  const merchant = { lookup: { kind: 'MERCHANT', id: merchantId } };
  const id = formatId('me', merchantId);
  for (const url of [
    `/console/${id}/live/payments`,
    `/console/staff/merchants/${id}`,
    `/console/staff/ledger/${id}?mode=test`,
    `/admin/v1/merchants/${id}/keys`,
  ]) {
    assert.deepEqual(findUnlimited(url), merchant, url);
  }
  for (const url of ['/console', '/console/sign-in', '/console/staff', '/admin/v1/merchants', '/'])
    assert.equal(findUnlimited(url), undefined, url);
});

test('reads an address as the routes do, in any spelling', () => {
  const key = `sk_test_${'a'.repeat(32)}`;
  const authorization = `Bearer ${key}`;
  const ofKey = { lookup: { kind: 'KEY', hash: hashApiKey(key) } };
  for (const url of [
    'http://localhost/v1/payments',
    '/%761/payments',
    'https://x/%76%31/payments?x=%',
  ])
    assert.deepEqual(findUnlimited(url, { authorization }), ofKey, url);
  for (const url of ['/%zz/v1/payments', '/v1%2Fpayments', '/?x=http://localhost/v1/payments'])
    assert.equal(findUnlimited(url, { authorization }), undefined, url);
});

test('takes the cell from the path of staff, and from the header of their programs', () => {
  assert.deepEqual(findUnlimited('/console/staff/cells/north/reviews'), { cell: 'north' });
  assert.deepEqual(findUnlimited('/admin/v1/payments', { 'zimbo-cell': 'north' }), {
    cell: 'north',
  });
  assert.equal(
    findUnlimited('/v1/payments', { 'zimbo-cell': 'north' }),
    undefined,
    'merchants do not',
  );
  const id = randomUUID();
  const page = `/console/${formatId('me', id)}/live/payments`;
  assert.deepEqual(findUnlimited(page, { 'zimbo-cell': 'north' }), {
    lookup: { kind: 'MERCHANT', id },
  });
});

test('looks up objects that staff name by id, and the merchant of a list', () => {
  const id = randomUUID();
  for (const prefix of ['pi', 're', 'ri', 'se', 'ap', 'ak', 'di', 'dib'] as const) {
    const thing = { lookup: { kind: 'OBJECT', of: prefix, id } };
    const name = formatId(prefix, id);
    assert.deepEqual(findUnlimited(`/admin/v1/reviews/${name}/close`), thing, prefix);
    assert.deepEqual(findUnlimited(`/console/staff/settlements/${name}?lang=pt`), thing, prefix);
    assert.equal(findUnlimited(`/v1/payments/${name}`), undefined, 'merchants bring a key');
  }
  const reversal = { lookup: { kind: 'OBJECT', of: 'reversal', id } };
  assert.deepEqual(findUnlimited(`/console/staff/reviews/${id}`), reversal);
  assert.equal(findUnlimited(`/console/staff/reviews/${'-'.repeat(36)}`), undefined, 'no UUID');
  assert.deepEqual(findUnlimited(`/admin/v1/reviews/${id}`, { 'zimbo-cell': 'north' }), {
    cell: 'north',
  });
  for (const url of ['/console/staff/reviews', '/console/staff/payments/x', '/admin/v1/payments'])
    assert.equal(findUnlimited(url), undefined, url);
  const merchant = { lookup: { kind: 'MERCHANT', id } };
  const ofMerchant = `merchant_id=${formatId('me', id)}`;
  assert.deepEqual(findUnlimited(`/admin/v1/payments?mode=live&${ofMerchant}&limit=5`), merchant);
  assert.deepEqual(findUnlimited(`/admin/v1/settlements?${ofMerchant}`), merchant);
  assert.equal(
    findUnlimited(`/admin/v1/audit-records?${ofMerchant}`),
    undefined,
    'the home has records, too',
  );
});

/** The id prefix of merchants' objects in list paths; all other lists are the home's. */
const prefixes: Record<string, ObjectKind | 'me'> = {
  merchants: 'me',
  payments: 'pi',
  reviews: 'ri',
  settlements: 'se',
  approvals: 'ap',
  keys: 'ak',
  disbursements: 'di',
  'disbursement-batches': 'dib',
};

/** Lists of people, keys of the staff, operators, and the statements of operators and banks. */
const ofHome = ['admin-keys', 'bank-statements', 'operators', 'reconciliations', 'staff'];

test("routes every staff request about a merchant's object to its cell", async () => {
  const { paths } = JSON.parse(await adminOpenApiDocument()) as { paths: object };
  const routes = [
    ...Object.keys(paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1')),
    ...staffPages.map(({ path }) => `/console/staff/${path}`),
    ...pages.map(({ path }) => `/console/:merchant/:mode/${path}`),
  ].filter((path) => path.includes('/:'));
  const id = randomUUID();
  const lost = routes.filter((route) => {
    const [, list = ''] = /\/(?:admin\/v1|console\/staff)\/([\w-]+)\/:id/.exec(route) ?? [];
    // The last part names the merchant of the postings.
    const prefix = route.startsWith('/console/staff/ledger/') ? 'me' : (prefixes[list] ?? 'xx');
    const url = route
      .replace(':merchant', formatId('me', id))
      .replace(':id', formatId(prefix as 'me', id))
      .replaceAll(/:\w+/g, 'x');
    const kind = url.includes(formatId('me', id))
      ? { kind: 'MERCHANT', id }
      : { kind: 'OBJECT', of: prefix, id };
    return !isDeepStrictEqual(findUnlimited(url), { lookup: kind });
  });
  const lists = lost.map((route) => /^\/(?:admin\/v1|console\/staff)\/([\w-]+)/.exec(route)?.[1]);
  assert.deepEqual(
    [...new Set(lists)].toSorted((one, other) => String(one).localeCompare(String(other))),
    ofHome,
  );
});
