import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/gateway.ts';
import { liveGateway, operatorEnvironment } from './gateway.ts';
import { failure, type Provider, startProvider } from './provider.ts';

const payment = (operator: string) => ({ amount: 500, operator, operatorPhone: '+2389910345' });

test("does not delay one operator's payments while another hangs", async (context) => {
  const hanging = await startProvider(context);
  hanging.fault = () => 'hang';
  const environment = operatorEnvironment('UNITEL_TMAIS', hanging, { MAX_CALLS: '2' });
  // Longer than this test waits, so that the other payment cannot go first once these are given up.
  const timing = { operatorTimeoutMs: 60_000 };
  const { live, provider } = await liveGateway(context, {}, { environment, timing });
  // Before the gateway stops, which waits for calls in flight.
  cleanUp(context, () => hanging.recover());
  const stuck = await Promise.all(
    Array.from({ length: 10 }, () => live('POST', '/v1/payments', payment('UNITEL_TMAIS'))),
  );
  assert.ok(
    stuck.every(({ status }) => status === 200),
    'they are accepted, and wait',
  );
  await eventually('both calls hang', () => hanging.exchanges.length === 2);
  const { body: created } = await live('POST', '/v1/payments', payment('CVMOVEL'));
  const statusOf = async (id: string) => (await live('GET', `/v1/payments/${id}`)).body.status;
  await eventually('the debit', async () => (await statusOf(created.id)) === 'DEBITED');
  assert.equal(hanging.exchanges.length, 2, 'no more calls than MAX_CALLS');
  hanging.callbackOrigin = provider.callbackOrigin;
  hanging.recover();
  await eventually('those that waited are debited', () => {
    return hanging.completed('merchantpay').length === 8;
  });
});

test("does not delay one operator's reversals while another hangs", async (context) => {
  const hanging = await startProvider(context);
  const environment = operatorEnvironment('UNITEL_TMAIS', hanging, { MAX_CALLS: '2' });
  const timing = { operatorTimeoutMs: 20_000 };
  const { live, provider } = await liveGateway(context, {}, { environment, timing });
  hanging.callbackOrigin = provider.callbackOrigin;
  const cancelled = async (operator: string, from: Provider, count: number) => {
    for (let made = 1; made <= count; made++) {
      const unanswered = { ...payment(operator), operatorPhone: '+2389910109' };
      const { body } = await live('POST', '/v1/payments', unanswered);
      await eventually('the request', () => from.entries.size === made);
      await live('POST', `/v1/payments/${body.id}/cancel`);
    }
  };
  await cancelled('UNITEL_TMAIS', hanging, 5);
  await cancelled('CVMOVEL', provider, 1);
  hanging.fault = ({ path }) => (path.endsWith('/reversals') ? 'hang' : undefined);
  for (const reference of hanging.entries.keys()) hanging.decide(reference);
  await eventually('two reversals hang', () => hanging.calls(/reversals$/).length === 2);
  for (const reference of provider.entries.keys()) provider.decide(reference);
  await eventually('the other goes back', () => provider.completed('reversal').length === 1);
  assert.equal(hanging.calls(/reversals$/).length, 2, 'no more calls than MAX_CALLS');
  hanging.recover();
  await eventually('those that waited go back', () => hanging.completed('reversal').length >= 3);
});

/** Waits until the gateway knows that the operator refuses it. */
const alert = (url: string) =>
  eventually('the alert', async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return /zimbo_operator_replies_total\{operator="CVMOVEL",outcome="misconfigured"\}/.test(
      metrics,
    );
  });

test('fails no payment for wrong credentials if the operator deduplicates: payments wait, and continue later', async (context) => {
  const { live, provider, url } = await liveGateway(context, { DEDUPLICATES: 'true' });
  provider.isAllowed = () => false;
  const ids = [];
  for (let made = 0; made < 3; made++) {
    ids.push((await live('POST', '/v1/payments', payment('CVMOVEL'))).body.id);
  }
  await alert(url);
  provider.isAllowed = () => true;
  for (const id of ids) {
    await eventually('the debit', async () => {
      const { status } = (await live('GET', `/v1/payments/${id}`)).body;
      assert.ok(!['FAILED', 'EXPIRED'].includes(status), status);
      return status === 'DEBITED';
    });
  }
  assert.equal(provider.completed('merchantpay').length, 3);
});

test('does not repeat a refused request if the operator may debit twice, and the waiting ones continue', async (context) => {
  const timing = { firstBackoffMs: 200 };
  const options = { timing, environment: { PAYMENT_EXPIRY_SECONDS: '8' } };
  const { live, provider, url } = await liveGateway(context, {}, options);
  provider.isAllowed = () => false;
  const make = async () => (await live('POST', '/v1/payments', payment('CVMOVEL'))).body.id;
  const refused = await make();
  await alert(url);
  const waited = await make();
  provider.isAllowed = () => true;
  const becomes = (id: string, wanted: string) =>
    eventually(`${id} is ${wanted}`, async () => {
      return (await live('GET', `/v1/payments/${id}`)).body.status === wanted;
    });
  await becomes(waited, 'DEBITED');
  await becomes(refused, 'EXPIRED');
  assert.equal(provider.completed('merchantpay').length, 1);
  assert.equal(provider.calls(/^POST .*merchantpay/).length, 2, 'each is sent once');
});

test('expires an unsent payment without its operator ever hearing of it', async (context) => {
  const timing = { firstBackoffMs: 60_000 };
  const options = { timing, environment: { PAYMENT_EXPIRY_SECONDS: '1' } };
  const { live, provider, url } = await liveGateway(context, {}, options);
  provider.fault = () => failure(401, 'authorisation', 'clientAuthorisationError');
  await live('POST', '/v1/payments', payment('CVMOVEL'));
  await alert(url);
  const { body: second } = await live('POST', '/v1/payments', payment('CVMOVEL'));
  await eventually('the expiry', async () => {
    const { body } = await live('GET', `/v1/payments/${second.id}`);
    return body.status === 'EXPIRED' && body.failureCode === 'CONFIRMATION_TIMEOUT';
  });
  assert.equal(provider.calls(/^POST/).length, 1);
});
