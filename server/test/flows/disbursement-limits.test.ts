/** Who may disburse, and how much. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { changeDisbursementTerms } from '../../src/tenants/merchants/disbursement-terms.ts';
import type { KeyTerms } from '../../src/tenants/merchants/key-restrictions.ts';
import { issueKey, type KeyOrder } from '../../src/tenants/merchants/keys.ts';
import { fund } from '../support/disbursing.ts';
import { type Api, anotherGateway, apiOf, testGateway } from '../support/gateway.ts';

const path = '/v1/disbursements';
const wanted = { amount: 1_000, operator: 'MOCK', operatorPhone: '+2389912345' };

/** A gateway that sends nothing, and a merchant with enough balance. */
async function setUp(context: TestContext) {
  const environment = { ZIMBO_ROLE: 'api', DISBURSEMENT_FEE_MOCK: '100' };
  const gateway = await testGateway(context, { environment });
  const { database, url, databaseUrl } = gateway;
  const text = `SELECT id, merchant_id AS "merchantId" FROM tenants WHERE mode = 'test'`;
  const [tenant] = await database.query<{ id: string; merchantId: string }>({ text });
  const { id: tenantId, merchantId } = tenant!;
  await fund(database, tenantId, 1_000_000);
  const base = { database, clock: systemClock, ids: randomIds() };
  return {
    ...gateway,
    tenantId,
    merchantId,
    base,
    other: () => anotherGateway(context, databaseUrl, { environment }),
    async keyWith(terms: Partial<KeyTerms>, order: Partial<KeyOrder> = {}) {
      const { key } = await issueKey(base, { merchantId, mode: 'test', terms, ...order });
      return { key, api: apiOf(url, key) };
    },
  };
}

const send = (api: Api, change: object = {}, key: string = randomUUID()) =>
  api('POST', path, { ...wanted, ...change }, { 'idempotency-key': key });

const codes = (answers: { status: number; body: { error?: { code: string } } }[]) =>
  answers.map(({ status, body }) => (status === 200 ? 'made' : body.error!.code)).sort();

test('a key disburses no more in one disbursement, and no more a day, than it may, however many requests come together', async (context) => {
  const world = await setUp(context);
  const { api, key } = await world.keyWith({
    maxDisbursementMinor: 1_000n,
    maxDisbursedPerDayMinor: 3_500n,
  });
  const large = await send(api, { amount: 1_001 });
  assert.deepEqual([large.status, large.body.error.code], [403, 'KEY_LIMIT_EXCEEDED']);
  assert.match(large.body.error.message, /at most 1000 centavos \(CVE\) in one disbursement/);
  const second = await world.other();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => send(n % 2 === 0 ? api : apiOf(second.url, key))),
  );
  const exceeded = Array.from({ length: 7 }, () => 'KEY_LIMIT_EXCEEDED');
  assert.deepEqual(codes(answers), [...exceeded, 'made', 'made', 'made']);
  const { body } = answers.find(({ status }) => status === 403)!;
  assert.match(body.error.message, /at most 3500 centavos \(CVE\) a day \(UTC\); 500 are left/);
  assert.equal((await send(api, { amount: 500 })).status, 200, 'what is left is left');
  assert.equal((await send(world.api)).status, 200, 'another key has its own limit');
  const { id } = (await api('GET', path)).body.data[1];
  assert.equal((await api('POST', `${path}/${id}/cancel`)).status, 200);
  assert.equal((await send(api, { amount: 1 })).status, 403, 'a cancelled one still counts');
  const yesterday = 'UPDATE disbursement_days SET day = day - 1';
  await world.database.query({ text: yesterday });
  assert.equal((await send(api)).status, 200, 'a day has its own');
});

test('a merchant disburses no more in one disbursement, a day, and to one wallet than its terms allow', async (context) => {
  const world = await setUp(context);
  await changeDisbursementTerms(world.base, world.merchantId, {
    maxMinor: 1_000n,
    maxPerDayMinor: 4_500n,
    maxPerWalletAndDayMinor: 2_500n,
  });
  // A process that has not seen a key reads the merchant's terms with it.
  const { api } = await world.keyWith({});
  const large = await send(api, { amount: 1_001 });
  assert.deepEqual([large.status, large.body.error.code], [403, 'FORBIDDEN']);
  assert.match(large.body.error.message, /merchant may disburse at most 1000 centavos/);
  // A zero before the number reaches the same phone.
  const phones = ['+2389912345', '+23809912345'];
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => send(api, { operatorPhone: phones[n % 2] })),
  );
  assert.deepEqual(codes(answers), [
    ...Array.from({ length: 4 }, () => 'FORBIDDEN'),
    'made',
    'made',
  ]);
  const { body } = answers.find(({ status }) => status === 403)!;
  assert.match(body.error.message, /to one wallet at most 2500 centavos.*500 are left today/);
  const others = await Promise.all(
    Array.from({ length: 4 }, (_, n) => send(api, { operatorPhone: `+238991234${n}` })),
  );
  assert.deepEqual(codes(others), ['FORBIDDEN', 'FORBIDDEN', 'made', 'made']);
  const full = others.find(({ status }) => status === 403)!;
  assert.match(full.body.error.message, /may disburse at most 4500 centavos.*500 are left today/);
  assert.equal((await send(api, { operatorPhone: '+2389912399', amount: 500 })).status, 200);
});

test('the phone of a wallet stands in no sum of a day', async (context) => {
  const { api, database } = await setUp(context);
  await send(api);
  const text = `SELECT scope, scope_key AS key, amount_minor::integer AS amount FROM disbursement_days ORDER BY scope`;
  const days = await database.query<{ scope: string; key: string; amount: number }>({ text });
  assert.deepEqual(
    days.map(({ scope, amount }) => [scope, amount]),
    [
      ['KEY', 1_000],
      ['MERCHANT', 1_000],
      ['WALLET', 1_000],
    ],
  );
  assert.match(days[2]!.key, /^[0-9a-f]{64}$/);
});

test('a repeated request counts once towards the limits', async (context) => {
  const world = await setUp(context);
  const { api } = await world.keyWith({ maxDisbursedPerDayMinor: 1_000n });
  const [first, second] = [await send(api, {}, 'salary'), await send(api, {}, 'salary')];
  assert.deepEqual([first.status, second.status, second.text], [200, 200, first.text]);
});

test('a live key disburses only where its permission is named and its merchant is allowed to', async (context) => {
  const world = await setUp(context);
  const { base, merchantId } = world;
  const plain = await world.keyWith({}, { mode: 'live' });
  for (const answer of [await send(plain.api), await plain.api('GET', path)]) {
    assert.equal(answer.status, 403);
    assert.match(answer.body.error.message, /lacks the permission disbursements:(read|write)/);
  }
  const permissions = ['disbursements:read', 'disbursements:write'] as const;
  const named = await world.keyWith({}, { mode: 'live', permissions });
  const refused = await send(named.api);
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'FORBIDDEN']);
  assert.match(refused.body.error.message, /may not disburse with live keys/);
  assert.equal((await send(world.api)).status, 200, 'a test key needs neither');
  await changeDisbursementTerms(base, merchantId, { isAllowed: true });
  const allowed = await world.keyWith({}, { mode: 'live', permissions });
  const mock = await send(allowed.api);
  assert.deepEqual([mock.status, mock.body.error.param], [400, 'operator']);
});

test('a suspended merchant disburses nothing', async (context) => {
  const world = await setUp(context);
  const text = 'UPDATE merchants SET suspended_at = now() WHERE id = $1';
  await world.database.query({ text }, [world.merchantId]);
  const { api } = await world.keyWith({});
  const { status, body } = await send(api);
  assert.equal(status, 403);
  assert.match(body.error.message, /merchant is suspended/);
});
