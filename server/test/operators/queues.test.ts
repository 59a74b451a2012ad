import { test } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { type Api, eventually } from '../support/gateway.ts';
import { liveGateway } from './gateway.ts';

const payment = { amount: 500, operator: 'CVMOVEL', operatorPhone: '+2389910345' };

async function debited(api: Api): Promise<string> {
  const { body } = await api('POST', '/v1/payments', payment);
  await eventually('the debit', async () => {
    return (await api('GET', `/v1/payments/${body.id}`)).body.status === 'DEBITED';
  });
  return body.id;
}

test('keeps the queues of an operator and of its simulation independent', async (context) => {
  // Longer than this test waits, so that simulated payments cannot go first once these are given up.
  const options = { timing: { operatorTimeoutMs: 60_000 } };
  const { api, live, provider } = await liveGateway(context, { MAX_CALLS: '1' }, options);
  const refund = (by: Api, id: string) => by('POST', '/v1/refunds', { paymentIntentId: id });
  const [ofLive, ofTest] = [await debited(live), await debited(api)];
  // Before the gateway stops, which waits for calls in flight.
  cleanUp(context, () => provider.recover());
  provider.fault = () => 'hang';
  await refund(live, ofLive);
  await live('POST', '/v1/payments', payment);
  await debited(api);
  const { body } = await refund(api, ofTest);
  await eventually('the refund', async () => {
    return (await api('GET', `/v1/refunds/${body.id}`)).body.status === 'SUCCEEDED';
  });
});
