/** The terms of a merchant: suspension, fees, and the largest payment. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { changeTerms, suspendMerchant } from '../../src/tenants/merchants/change-terms.ts';
import { okPhone, openSession, pageOf, reachPayment } from '../support/checkout.ts';
import { type Member, testConsole } from '../support/console.ts';
import { anotherGateway, apiOf, eventually } from '../support/gateway.ts';
import { hiddenValue } from '../support/stranger.ts';

const wanted = { amount: 10_000, operator: 'MOCK', operatorPhone: okPhone };

async function setUp(context: TestContext) {
  const site = await testConsole(context, { environment: { FEE_MOCK: '200' } });
  const { gateway, merchantId } = site;
  const author = { clock: systemClock, ids: randomIds(), actor: 'cli:maria', origin: 'praia-1' };
  const dependencies = { database: gateway.database, ...author };
  return {
    ...site,
    site,
    change: (change: Parameters<typeof changeTerms>[2]) =>
      changeTerms(dependencies, merchantId, change),
    suspend: (isSuspended: boolean) => suspendMerchant(dependencies, merchantId, isSuspended),
  };
}

type Api = Awaited<ReturnType<typeof setUp>>['gateway']['api'];

/** A process learns of new terms once its cached key is three seconds old. */
const answers = (api: Api, status: number) =>
  eventually(`payments are ${status}`, async () => {
    const answer = await api('POST', '/v1/payments', wanted);
    return answer.status === status && answer;
  });

test('refuses new objects of a suspended merchant in every process, and still serves reads', async (context) => {
  const { gateway, suspend, origin } = await setUp(context);
  const other = await anotherGateway(context, gateway.databaseUrl, {
    environment: { CONSOLE_URL: origin },
  });
  const { api } = gateway;
  const key = randomUUID();
  const first = await api('POST', '/v1/payments', wanted, { 'idempotency-key': key });
  const paid = await reach(api, first.body.id);
  const session = await openSession(gateway, { amount: 5_000 });
  await suspend(true);
  for (const { url } of [gateway, other]) {
    const { body } = await answers(apiOf(url, gateway.key), 403);
    assert.equal(body.error.code, 'FORBIDDEN');
    assert.match(body.error.message, /merchant is suspended/);
  }
  for (const [path, body] of [
    ['/v1/checkout/sessions', { amount: 5_000 }],
    ['/v1/refunds', { paymentIntentId: paid.id }],
    ['/v1/settlements/process', {}],
  ] as const) {
    assert.equal((await api('POST', path, body)).status, 403, path);
  }
  const replayed = await api('POST', '/v1/payments', wanted, { 'idempotency-key': key });
  assert.equal(replayed.text, first.text, 'what was taken keeps its answer');
  assert.equal((await api('GET', `/v1/payments/${paid.id}`)).status, 200);
  assert.equal((await api('GET', '/v1/balance')).status, 200);
  const page = pageOf(gateway, session);
  const { text: shown } = await page.look();
  assert.match(shown, /não recebe pagamentos/);
  assert.doesNotMatch(shown, /name="phone"/, 'nobody types a number for nothing');
  const refused = await page.pay(okPhone);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /não recebe pagamentos/);
  assert.equal(await suspend(false), true);
  assert.equal(await suspend(false), false);
  await answers(api, 200);
  assert.equal((await page.pay(okPhone)).status, 303);
  await reachPayment(gateway, session, 'DEBITED');
});

async function reach(api: Api, id: string) {
  return eventually('the payment is DEBITED', async () => {
    const { body } = await api('GET', `/v1/payments/${id}`);
    return body.status === 'DEBITED' && body;
  });
}

test('finishes payments as usual if their merchant is suspended meanwhile', async (context) => {
  const { gateway, suspend } = await setUp(context);
  const { body } = await gateway.api('POST', '/v1/payments', wanted);
  await suspend(true);
  assert.equal((await reach(gateway.api, body.id)).status, 'DEBITED');
});

test('says in the console that the merchant is suspended, and charges, refunds and pays out nothing', async (context) => {
  const { gateway, suspend, site } = await setUp(context);
  const { body } = await gateway.api('POST', '/v1/payments', wanted);
  const paid = await reach(gateway.api, body.id);
  const owner = await site.signIn('OWNER');
  await suspend(true);
  assert.match((await owner.get('payments')).text, /This merchant is suspended/);
  const before = await countOf(gateway);
  const key = hiddenValue((await owner.get('charge')).text, 'key');
  const sale = { currency: 'CVE', amount: '100', operator: 'MOCK', country: '238', key };
  await refusedIn(owner, 'charge', { ...sale, action: 'charge', phone: '9912345' });
  await refusedIn(owner, 'charge', { ...sale, action: 'link' });
  const refund = `payments/${paid.id}/refund`;
  const fields = hiddenValue((await owner.get(refund)).text, 'key');
  await refusedIn(owner, refund, { action: 'refund', amount: '10', key: fields });
  assert.deepEqual(await countOf(gateway), before);
});

async function refusedIn(owner: Member, path: string, fields: Record<string, string>) {
  const { status, text } = await owner.send(path, fields);
  assert.ok(status === 400 || status === 403, `${path}: ${status}`);
  assert.match(text, /This merchant is suspended/, path);
}

async function countOf({ database }: Awaited<ReturnType<typeof setUp>>['gateway']) {
  const text = `SELECT (SELECT count(*) FROM payments) AS payments, (SELECT count(*) FROM refunds) AS refunds,
    (SELECT count(*) FROM checkout_sessions) AS sessions`;
  return (await database.query({ text }))[0];
}

test("replaces the configured fees by the merchant's, for payments from then on", async (context) => {
  const { gateway, change } = await setUp(context);
  const { api } = gateway;
  const feeNow = async () => {
    await api('POST', '/v1/payments', wanted);
    const text = 'SELECT fee_minor AS fee FROM payments ORDER BY id DESC LIMIT 1';
    return (await gateway.database.query<{ fee: bigint }>({ text }))[0]!.fee;
  };
  const reaches = (fee: bigint) =>
    eventually(`the fee is ${fee}`, async () => (await feeNow()) === fee);
  await reaches(200n);
  await change({ fees: { ALL: { basisPoints: 100, fixedMinor: 5n } } });
  await reaches(105n);
  const ofMock = { basisPoints: 0, fixedMinor: 7n };
  await change({ fees: { ALL: { basisPoints: 100, fixedMinor: 5n }, MOCK: ofMock } });
  await reaches(7n);
  await change({ fees: {} });
  await reaches(200n);
});

test("allows no payment beyond the merchant's limit, not even through a session", async (context) => {
  const { gateway, change } = await setUp(context);
  const { api } = gateway;
  const session = await openSession(gateway, { amount: 10_000 });
  await change({ maxPaymentMinor: 9_999n });
  const { body } = await answers(api, 400);
  assert.match(body.error.message, /^amount must be at most 9999, the limit of this merchant/);
  assert.equal((await api('POST', '/v1/checkout/sessions', { amount: 10_000 })).status, 400);
  assert.equal((await pageOf(gateway, session).pay(okPhone)).status, 400);
  assert.equal((await api('POST', '/v1/payments', { ...wanted, amount: 9_999 })).status, 200);
  for (const wrong of [
    { maxPaymentMinor: 0n },
    { fees: { NOBODY: { basisPoints: 1, fixedMinor: 0n } } },
    { fees: { MOCK: { basisPoints: 10_001, fixedMinor: 0n } } },
  ]) {
    await assert.rejects(async () => change(wrong), { code: 'VALIDATION_ERROR' });
  }
});
