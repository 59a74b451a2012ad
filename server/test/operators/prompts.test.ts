import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pageOf } from '../support/checkout.ts';
import { apiOf, eventually, reach, testKey, zimboOf } from '../support/gateway.ts';
import { liveGateway } from './gateway.ts';

const declined = '+2389910039';
const silent = '+2389910109';
const paying = '+2389910345';
const paymentOf = (operatorPhone: string) => ({
  amount: 1_000,
  operator: 'CVMOVEL',
  operatorPhone,
});

/** A gateway with low limits, and a merchant with a live key. */
async function limited(context: TestContext, limit: string) {
  const options = { environment: { PROMPTS_PER_PHONE: limit } };
  const gateway = await liveGateway(context, {}, options);
  const merchant = async () => {
    const key = await testKey(gateway.database, 'live');
    const { payments } = zimboOf(gateway.url, key);
    const api = apiOf(gateway.url, key);
    const pay = async (phone: string) => {
      const answer = await api('POST', '/v1/payments', paymentOf(phone));
      assert.equal(answer.status, 200);
      assert.equal(answer.body.status, 'CREATED');
      return answer.body.id as string;
    };
    const failureOf = async (id: string) => (await reach(payments, id, 'FAILED')).failureCode;
    return { key, api, payments, pay, failureOf };
  };
  const prompts = () => gateway.provider.calls(/merchantpay/).length;
  return { ...gateway, merchant, prompts };
}

test('creates a live payment and fails it unsent if its phone has an open prompt, or had too many', async (context) => {
  const { merchant, prompts } = await limited(context, '2/3');
  const { pay, failureOf, payments, api } = await merchant();
  const first = await pay(silent);
  await eventually('the prompt', () => prompts() === 1);
  assert.equal(await failureOf(await pay(silent)), 'PAYER_BUSY');
  await api('POST', `/v1/payments/${first}/cancel`);

  assert.equal(await failureOf(await pay(declined)), 'PAYER_DECLINED');
  assert.equal(await failureOf(await pay(declined)), 'PAYER_DECLINED');
  const refused = await pay(declined);
  assert.equal(await failureOf(refused), 'PAYER_LIMIT_REACHED');
  assert.equal(prompts(), 3);
  const { body } = await api('GET', '/v1/events?type=payment.failed&limit=1');
  assert.equal(body.data[0].data.id, refused, 'the merchant is told as of any failure');

  const other = await merchant();
  assert.equal(await other.failureOf(await other.pay(declined)), 'PAYER_DECLINED');
  assert.equal(await other.failureOf(await other.pay(declined)), 'PAYER_LIMIT_REACHED');
  await reach(payments, await pay(paying), 'DEBITED');
});

test('replays the first answer to a repeated request, also after the payment failed unsent', async (context) => {
  const { merchant, prompts } = await limited(context, '1/1');
  const { pay, failureOf, api } = await merchant();
  await failureOf(await pay(declined));
  const send = () =>
    api('POST', '/v1/payments', paymentOf(declined), { 'idempotency-key': 'order-7' });
  const { text, body } = await send();
  assert.equal(await failureOf(body.id), 'PAYER_LIMIT_REACHED');
  assert.equal((await send()).text, text);
  assert.equal(prompts(), 1);
});

test('explains on the payment page why a phone is not prompted', async (context) => {
  const gateway = await limited(context, '1/1');
  const { key, pay, failureOf } = await gateway.merchant();
  await failureOf(await pay(declined));
  const live = { ...gateway, key, zimbo: zimboOf(gateway.url, key), api: apiOf(gateway.url, key) };
  const session = await live.zimbo.checkout.sessions.create({ amount: 1_000, currency: 'CVE' });
  const page = pageOf(live, session);
  assert.equal((await page.pay(declined, 'CVMOVEL')).status, 303);
  const shown = await eventually('the failure', async () => {
    const { text } = await page.look();
    return /Pagamento recusado/.test(text) && text;
  });
  assert.match(shown, /Este número atingiu o limite de pagamentos/);
  assert.equal(gateway.prompts(), 1);
});

test('limits no payments in test mode, and needs no further statement for them', async (context) => {
  const { api, database } = await limited(context, '1/1');
  const test = { ...paymentOf('+2389912039'), operator: 'MOCK' };
  for (let time = 0; time < 3; time++) {
    const { body } = await api('POST', '/v1/payments', test);
    await eventually('it is declined', async () => {
      const { body: now } = await api('GET', `/v1/payments/${body.id}`);
      return now.failureCode === 'PAYER_DECLINED';
    });
  }
  const text = 'SELECT count(*)::integer AS count FROM phone_prompts';
  assert.deepEqual(await database.query({ text }), [{ count: 0 }]);
});
