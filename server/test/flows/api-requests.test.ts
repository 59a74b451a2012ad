import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listApiRequests } from '../../src/integrations/api-requests/list.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { apiOf, testGateway } from '../support/gateway.ts';

test('shows a tenant the requests of its keys, with their results', async (context) => {
  const gateway = await testGateway(context);
  const { api, database, url } = gateway;
  const [tenant] = await database.query<{ id: string; merchantId: string }>({
    text: `SELECT id, merchant_id AS "merchantId" FROM tenants WHERE mode = 'test'`,
  });
  const { id: tenantId, merchantId } = tenant!;
  const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
  const made = await api('POST', '/v1/payments', payment, { 'x-request-id': 'made' });
  await api('GET', `/v1/payments/${made.body.id}?secret=1`, undefined, { 'x-request-id': 'asked' });
  await api('GET', '/v1/payments/pi_nothing', undefined, { 'x-request-id': 'unknown' });
  await api('GET', '/v1/nothing/+2389912345', undefined, { 'x-request-id': 'lost' });
  await api('POST', '/v1/payments', { amount: -1 }, { 'x-request-id': 'wrong' });
  await apiOf(url, 'sk_test_00000000000000000000000000000000')('GET', '/v1/payments');
  const base = { database, clock: systemClock, ids: randomIds() };
  const terms = { label: 'reads', permissions: ['payments:read'] };
  const reader = await issueKey(base, { merchantId, mode: 'test', ...terms });
  const headers = { 'x-request-id': 'forbidden' };
  await apiOf(url, reader.key)('POST', '/v1/payments', payment, headers);
  await gateway.gateway.stop();

  const { requests } = await listApiRequests(database, tenantId, {}, { limit: 100 });
  const told = requests.map(({ requestId, method, route, status, errorCode }) => ({
    [requestId]: [method, route, status, errorCode],
  }));
  assert.deepEqual(Object.assign({}, ...told), {
    made: ['POST', '/v1/payments', 200, null],
    asked: ['GET', '/v1/payments/:id', 400, 'VALIDATION_ERROR'],
    unknown: ['GET', '/v1/payments/:id', 404, 'NOT_FOUND'],
    lost: ['GET', null, 404, 'NOT_FOUND'],
    wrong: ['POST', '/v1/payments', 400, 'VALIDATION_ERROR'],
    forbidden: ['POST', '/v1/payments', 403, 'FORBIDDEN'],
  });
  assert.equal(requests.length, 6, 'what came without a known key is in nobody’s log');
  assert.equal(new Set(requests.map(({ keyId }) => keyId)).size, 2);
  for (const { atMs, durationMs } of requests) {
    assert.ok(durationMs >= 0 && durationMs < 60_000, `${durationMs} ms`);
    assert.ok(Math.abs(atMs - Date.now()) < 600_000);
  }
});
