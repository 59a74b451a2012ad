import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, type TestGateway } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912159' };

async function walk({ api }: TestGateway, query: string, onPage?: () => Promise<unknown>) {
  const ids: string[] = [];
  let after = '';
  for (;;) {
    const { body } = await api('GET', `/v1/payments?${query}${after}`);
    ids.push(...body.data.map((item: { id: string }) => item.id));
    await onPage?.();
    if (!body.hasMore) return ids;
    after = `&starting_after=${ids.at(-1)}`;
  }
}

test('returns each payment once, newest first, in a walk through the pages while others are created', async () => {
  const gateway = await sharedGateway();
  const created: string[] = [];
  for (let index = 0; index < 23; index++) {
    created.push((await gateway.api('POST', '/v1/payments', payment)).body.id);
  }
  const walked = await walk(gateway, 'limit=5', () => gateway.api('POST', '/v1/payments', payment));
  assert.deepEqual(walked, created.toReversed());
});

test('returns 20 rows without a limit', async () => {
  const gateway = await sharedGateway();
  await Promise.all(Array.from({ length: 21 }, () => gateway.api('POST', '/v1/payments', payment)));
  const { body } = await gateway.api('GET', '/v1/payments');
  assert.equal(body.data.length, 20);
  assert.equal(body.hasMore, true);
  const full = await gateway.api('GET', '/v1/payments?limit=21');
  assert.deepEqual([full.body.data.length, full.body.hasMore], [21, false]);
});

test('narrows a list by filters', async () => {
  const gateway = await sharedGateway();
  const create = async (change: object) => {
    const { body } = await gateway.api('POST', '/v1/payments', { ...payment, ...change });
    await eventually('a later instant', () => Date.now() > Date.parse(body.createdAt));
    return body;
  };
  const aoa = await create({ currency: 'AOA', customerId: 'c 1' });
  const unitel = await create({ operator: 'UNITEL_TMAIS', externalId: 'e&1' });
  const failing = await create({ operatorPhone: '+2389912049' });
  await eventually('one payment failed', async () => {
    const { body } = await gateway.api('GET', `/v1/payments/${failing.id}`);
    return body.status === 'FAILED';
  });
  const expected: [string, string[]][] = [
    ['currency=AOA', [aoa.id]],
    ['customer_id=c%201', [aoa.id]],
    ['operator=UNITEL_TMAIS', [unitel.id]],
    ['external_id=e%261', [unitel.id]],
    ['status=FAILED', [failing.id]],
    ['status=FAILED&currency=AOA', []],
    [`created_gte=${failing.createdAt}`, [failing.id]],
    [`created_lte=${aoa.createdAt}`, [aoa.id]],
    [
      `created_gte=${aoa.createdAt}&created_lte=${failing.createdAt}`,
      [failing.id, unitel.id, aoa.id],
    ],
  ];
  for (const [query, ids] of expected) assert.deepEqual(await walk(gateway, query), ids, query);
});

test("continues after a deleted row's cursor, and rejects a malformed cursor", async () => {
  const gateway = await sharedGateway();
  const { body: only } = await gateway.api('POST', '/v1/payments', payment);
  const after = (id: string) => gateway.api('GET', `/v1/payments?starting_after=${id}`);
  const later = await after('pi_7zzzzzzzzzzzzzzzzzzzzzzzzz');
  assert.deepEqual(
    later.body.data.map((item: { id: string }) => item.id),
    [only.id],
  );
  assert.deepEqual((await after('pi_00000000000000000000000000')).body.data, []);
  for (const id of ['nothing', only.id.replace('pi_', 'we_'), '']) {
    assert.equal((await after(id)).status, 400, id);
  }
});

test('rejects parameters that a list does not know or cannot read', async () => {
  const { api } = await sharedGateway();
  const bad = [
    'limit=0',
    'limit=101',
    'limit=abc',
    'limit=1.5',
    'limit=',
    'nothing=1',
    'status=PAID',
    'operator=mock',
    'currency=EUR',
    'created_gte=yesterday',
    'created_gte=2026-01-01',
    'created_gte=2026-01-01T00:00:00',
    'created_gte=2026-02-30T00:00:00Z',
    'created_lte=2026-13-01T00:00:00Z',
    'limit=5&limit=6',
    'customer_id=a&customer_id=b',
  ];
  for (const query of bad) {
    const { status, body } = await api('GET', `/v1/payments?${query}`);
    assert.equal(status, 400, query);
    assert.equal(body.error.code, 'VALIDATION_ERROR');
    assert.ok(body.error.message.includes(query.split('=')[0]!), body.error.message);
  }
});
