import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { parseId, randomIds } from '../../src/platform/values/ids.ts';
import { issueKey, type KeyOrder } from '../../src/tenants/merchants/keys.ts';
import { fund } from '../support/disbursing.ts';
import {
  type Api,
  anotherGateway,
  apiOf,
  type TestGateway,
  testGateway,
  testKey,
} from '../support/gateway.ts';

const path = '/v1/disbursements';
const wanted = { amount: 1_000, operator: 'MOCK', operatorPhone: '+2389912345' };
/** Of 1000, this is 60. */
const fees = { DISBURSEMENT_FEE_MOCK: '100+50' };

/** A gateway that sends nothing, and a merchant with this balance. */
async function setUp(context: TestContext, balanceMinor = 0) {
  const environment = { ZIMBO_ROLE: 'api', ...fees };
  const gateway = await testGateway(context, { environment });
  const { database } = gateway;
  const text = `SELECT id, merchant_id AS "merchantId" FROM tenants WHERE mode = 'test'`;
  const [tenant] = await database.query<{ id: string; merchantId: string }>({ text });
  if (balanceMinor > 0) await fund(database, tenant!.id, balanceMinor);
  const { id: tenantId, merchantId } = tenant!;
  return { ...gateway, environment, tenantId, merchantId };
}

type World = Awaited<ReturnType<typeof setUp>>;

const send = (api: Api, change: object = {}, key: string = randomUUID()) =>
  api('POST', path, { ...wanted, ...change }, { 'idempotency-key': key });

async function keyWith({ database, merchantId, url }: World, order: Partial<KeyOrder>) {
  const base = { database, clock: systemClock, ids: randomIds() };
  const { key } = await issueKey(base, { merchantId, mode: 'test', ...order });
  return apiOf(url, key);
}

async function balancesOf({ database, tenantId }: World) {
  const text = 'SELECT account, balance_minor AS minor FROM balances WHERE tenant_id = $1';
  const rows = await database.query<{ account: string; minor: bigint }>({ text }, [tenantId]);
  return Object.fromEntries(rows.map(({ account, minor }) => [account, Number(minor)]));
}

const payable = async (world: World) => (await balancesOf(world)).payable;

const countIn = async ({ database }: Pick<TestGateway, 'database'>, table: string) => {
  const text = `SELECT count(*)::integer AS count FROM ${table}`;
  return (await database.query<{ count: number }>({ text }))[0]!.count;
};

test('creates a disbursement: amount and fee leave the balance, and the merchant hears of it', async (context) => {
  const world = await setUp(context, 10_000);
  const { api, zimbo, database } = world;
  const endpoint = await zimbo.webhooks.create({
    url: 'http://127.0.0.1:9/',
    events: ['disbursement.created'],
  });
  const before = await balancesOf(world);
  const more = {
    externalId: 'salary-11',
    customerId: 'c-7',
    description: 'Novembro',
    statementDescriptor: 'LOJA',
    metadata: { z: 1, a: 'São Filipe' },
  };
  const { status, body, text } = await send(api, { ...more, operatorPhone: '+238 991 23 45' });
  assert.equal(status, 200);
  const { id, createdAt, updatedAt, expiresAt, ...rest } = body;
  assert.match(id, /^di_[0-9a-z]{26}$/);
  assert.equal(createdAt, updatedAt);
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 24 * 3_600_000);
  assert.deepEqual(rest, {
    ...more,
    batchId: null,
    amount: '1000',
    currency: 'CVE',
    feeAmount: '60',
    operator: 'MOCK',
    operatorPhone: '+2389912345',
    operatorTxId: null,
    status: 'CREATED',
    failureCode: null,
    failureMessage: null,
  });
  const after = await balancesOf(world);
  assert.equal(after.payable, before.payable! - 1_060);
  assert.equal(after.disbursements_in_transit, 1_000);
  assert.equal(after.fees, before.fees! + 60);
  assert.equal((await api('GET', `${path}/${id}`)).text, text);
  assert.deepEqual(await checkLedger(database), []);
  const { data } = (await api('GET', `/v1/events?object_id=${id}`)).body;
  assert.deepEqual([data.length, data[0].type], [1, 'disbursement.created']);
  assert.deepEqual(data[0].data, body);
  const deliveries = await zimbo.webhooks.deliveries.list(endpoint.id).page();
  assert.deepEqual(
    deliveries.data.map(({ eventId }) => eventId),
    [data[0].id],
  );
});

test('requires an idempotency key, and says which field of a request is wrong', async (context) => {
  const { api } = await setUp(context);
  const without = await api('POST', path, wanted);
  assert.equal(without.status, 400);
  assert.equal(without.body.error.param, 'Idempotency-Key');
  assert.match(without.body.error.message, /^Idempotency-Key is required/);
  for (const [change, param] of [
    [{ amount: 0 }, 'amount'],
    [{ operatorPhone: '991' }, 'operatorPhone'],
    [{ operator: 'BANK' }, 'operator'],
    [{ currency: 'EUR' }, 'currency'],
    [{ paymentIntentId: 'pi_1' }, 'paymentIntentId'],
  ] as const) {
    const { status, body } = await send(api, change);
    assert.deepEqual([status, body.error.param], [400, param]);
  }
});

test('sends money once for a repeated key, with the same bytes for ever', async (context) => {
  const world = await setUp(context, 10_000);
  const { api } = world;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      send(api, n % 2 === 0 ? {} : { operatorPhone: '00238 9912345', currency: 'CVE' }, 'salary'),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  const first = answers.filter(({ headers }) => !headers.has('idempotent-replayed'));
  assert.equal(first.length, 1);
  assert.equal((await api('POST', `${path}/${answers[0]!.body.id}/cancel`)).status, 200);
  assert.equal((await send(api, {}, 'salary')).text, answers[0]!.text);
  for (const change of [{ amount: 999 }, { currency: 'AOA' }]) {
    const other = await send(api, change, 'salary');
    assert.deepEqual([other.status, other.body.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  }
  assert.equal(await countIn(world, 'disbursements'), 1);
});

test('a key that comes twice at once with two currencies sends money once', async (context) => {
  const world = await setUp(context, 10_000);
  await fund(world.database, world.tenantId, 10_000, 'AOA');
  const answers = await Promise.all(
    ['CVE', 'AOA'].map((currency) => send(world.api, { currency }, 'salary')),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]));
  assert.equal(await countIn(world, 'disbursements'), 1);
  assert.deepEqual(await checkLedger(world.database), []);
});

test('twenty requests at once take a balance for ten ten times', async (context) => {
  const world = await setUp(context, 10_600);
  // Each process lets two requests of a merchant write at once.
  const others = await Promise.all(
    [1, 2, 3].map(() =>
      anotherGateway(context, world.databaseUrl, { environment: world.environment }),
    ),
  );
  const apis = [world, ...others].map(({ url }) => apiOf(url, world.key));
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(apis[n % 4]!)));
  const refused = answers.filter(({ status }) => status === 409);
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  assert.equal(refused.length, 10);
  for (const { body } of refused) {
    assert.equal(body.error.code, 'INSUFFICIENT_BALANCE');
    assert.match(body.error.message, /^0 centavos \(CVE\) are available.*needs 1060/);
  }
  assert.equal(await payable(world), 0);
  assert.equal(await countIn(world, 'disbursements'), 10);
  assert.equal(await countIn(world, `events WHERE type = 'disbursement.created'`), 10);
  assert.deepEqual(await checkLedger(world.database), []);
});

test('takes nothing without a balance, and leaves no trace of the key', async (context) => {
  const world = await setUp(context);
  assert.equal((await send(world.api, {}, 'salary')).body.error.code, 'INSUFFICIENT_BALANCE');
  await fund(world.database, world.tenantId, 1_060);
  assert.equal((await send(world.api, {}, 'salary')).status, 200);
});

test('a refund that takes the balance below zero stops disbursements until payments make up for it', async (context) => {
  const world = await setUp(context, 10_000);
  const { api, database, tenantId } = world;
  assert.equal((await send(api, { amount: 5_000 })).status, 200);
  const [payment] = (await api('GET', '/v1/payments')).body.data;
  assert.equal((await api('POST', '/v1/refunds', { paymentIntentId: payment.id })).status, 200);
  assert.ok((await payable(world))! < 0);
  const refused = await send(api, { amount: 1 });
  assert.equal(refused.body.error.code, 'INSUFFICIENT_BALANCE');
  assert.match(refused.body.error.message, /^-5120 centavos/);
  await fund(database, tenantId, 5_120);
  assert.equal((await send(api, { amount: 1 })).status, 409);
  await fund(database, tenantId, 51);
  assert.equal((await send(api, { amount: 1 })).status, 200);
  // A fee never exceeds its amount.
  assert.equal(await payable(world), 51 - 2);
});

test('cancels a disbursement that was not sent, once, and gives back amount and fee', async (context) => {
  const world = await setUp(context, 10_000);
  const { api, database } = world;
  const before = await balancesOf(world);
  const { id } = (await send(api)).body;
  const key = { 'idempotency-key': 'cancel' };
  const cancelled = await api('POST', `${path}/${id}/cancel`, undefined, key);
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'CANCELLED']);
  const again = await api('POST', `${path}/${id}/cancel`, undefined, key);
  assert.equal(again.text, cancelled.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  const once = await api('POST', `${path}/${id}/cancel`);
  assert.deepEqual([once.status, once.body.error.code], [409, 'INVALID_STATE']);
  assert.deepEqual(await balancesOf(world), { ...before, disbursements_in_transit: 0 });
  assert.equal((await api('GET', `${path}/${id}`)).text, cancelled.text);
  const { data } = (await api('GET', `/v1/events?object_id=${id}`)).body;
  const types = data.map(({ type }: { type: string }) => type);
  assert.deepEqual(types, ['disbursement.cancelled', 'disbursement.created']);
  assert.deepEqual(await checkLedger(database), []);
});

test('ten cancellations at once give back once', async (context) => {
  const world = await setUp(context, 10_000);
  const { id } = (await send(world.api)).body;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => world.api('POST', `${path}/${id}/cancel`)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 9);
  assert.equal(await payable(world), 10_000);
});

test('does not cancel what is about to be sent', async (context) => {
  const { api, database } = await setUp(context, 10_000);
  const { id } = (await send(api)).body;
  const text = `UPDATE disbursements SET status = 'PROCESSING', version = version + 1, sent_at = now()`;
  await database.query({ text });
  const { status, body } = await api('POST', `${path}/${id}/cancel`);
  assert.deepEqual([status, body.error.code], [409, 'INVALID_STATE']);
  assert.match(body.error.message, /PROCESSING/);
});

test('another merchant sees and cancels nothing', async (context) => {
  const world = await setUp(context, 10_000);
  const { id } = (await send(world.api, {}, 'salary')).body;
  const stranger = apiOf(world.url, await testKey(world.database));
  assert.equal((await stranger('GET', `${path}/${id}`)).status, 404);
  assert.equal((await stranger('POST', `${path}/${id}/cancel`)).status, 404);
  assert.deepEqual((await stranger('GET', path)).body, { data: [], hasMore: false });
  assert.equal((await send(stranger, {}, 'salary')).body.error.code, 'INSUFFICIENT_BALANCE');
});

test('lists disbursements by status, currency, references and metadata', async (context) => {
  const world = await setUp(context, 100_000);
  const { api, database, tenantId } = world;
  await fund(database, tenantId, 10_000, 'AOA');
  const made: string[] = [];
  for (const change of [
    { externalId: 'a', customerId: 'x', metadata: { team: 1 } },
    { externalId: 'b', customerId: 'x' },
    { operatorPhone: '+244923456789' },
  ])
    made.push((await send(api, change)).body.id);
  const [first, second, third] = made;
  await api('POST', `${path}/${second}/cancel`);
  const batch = randomUUID();
  const text = `UPDATE disbursements SET batch_id = $2, batch_row = 0 WHERE id = $1`;
  await database.query({ text }, [parseId('di', third!), batch]);
  const listed = async (query: string) =>
    (await api('GET', `${path}?${query}`)).body.data.map(({ id }: { id: string }) => id);
  const { body: all } = await api('GET', path);
  const { batchId } = all.data[0];
  const today = `created_gte=${encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())}&created_lte=${encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString())}`;
  for (const [query, expected] of [
    ['', [third, second, first]],
    ['limit=1', [third]],
    [`starting_after=${third}&limit=1`, [second]],
    [`ending_before=${first}&limit=1`, [second]],
    ['status=CANCELLED', [second]],
    ['status=CREATED,CANCELLED', [third, second, first]],
    ['currency=AOA', [third]],
    ['operator=MOCK', [third, second, first]],
    ['customer_id=x', [second, first]],
    ['external_id=a', [first]],
    [`batch_id=${batchId}`, [third]],
    [`${today}&metadata[team]=1`, [first]],
    ['created_gte=2100-01-01T00:00:00Z', []],
  ] as const) {
    assert.deepEqual(await listed(query), expected, query);
  }
  assert.equal((await api('GET', `${path}?status=SENT`)).status, 400);
});

test('masks the phone for a key that may not read phones', async (context) => {
  const world = await setUp(context, 10_000);
  const api = await keyWith(world, { permissions: ['disbursements:read', 'disbursements:write'] });
  const { body } = await send(api);
  assert.equal(body.operatorPhone, '+238•••••45');
  const got = await api('GET', `${path}/${body.id}`);
  const [listed] = (await api('GET', path)).body.data;
  const cancelled = await api('POST', `${path}/${body.id}/cancel`);
  for (const each of [got.body, listed, cancelled.body])
    assert.equal(each.operatorPhone, '+238•••••45');
});

test('a gateway that has not switched disbursements on sends nothing, and still shows and cancels', async (context) => {
  const world = await setUp(context, 10_000);
  const { id } = (await send(world.api, {}, 'salary')).body;
  const off = await anotherGateway(context, world.databaseUrl, {
    environment: { ZIMBO_ROLE: 'api', DISBURSEMENTS: 'off' },
  });
  const api = apiOf(off.url, world.key);
  const refused = await send(api);
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'FORBIDDEN']);
  assert.match(refused.body.error.message, /switched off/);
  assert.equal((await send(api, {}, 'salary')).body.id, id, 'an old answer is repeated');
  assert.equal((await api('GET', `${path}/${id}`)).status, 200);
  assert.equal((await api('POST', `${path}/${id}/cancel`)).status, 200);
});

test('sends nothing while a process runs that does not know disbursements', async (context) => {
  const world = await setUp(context, 10_000);
  const { database, api } = world;
  const first = await send(api, {}, 'salary');
  const text = `INSERT INTO running_processes
      (id, role, host, pid, version, settings, clock_offset_ms, started_at, seen_at)
    VALUES (gen_random_uuid(), 'worker', 'shop-1', 812, '0.1.0', '{"FEE_MOCK": "basisPoints 200"}', 0, now(), now())`;
  await database.query({ text });
  const refused = await send(api);
  assert.deepEqual([refused.status, refused.body.error.code], [500, 'UNAVAILABLE']);
  assert.ok(refused.headers.has('retry-after'));
  assert.equal((await send(api, {}, 'salary')).text, first.text, 'an old answer is repeated');
  const gone = `UPDATE running_processes SET seen_at = now() - interval '4 minutes' WHERE host = 'shop-1'`;
  await database.query({ text: gone });
  assert.equal((await send(api)).status, 200);
});
