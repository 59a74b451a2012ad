import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, eventually, testGateway, testKey } from '../support/gateway.ts';

const connections = 4;

const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

test('holds no connections that others need while endpoints wait for one another', async (context) => {
  const gateway = await testGateway(context, {
    environment: { ZIMBO_ROLE: 'api', DATABASE_CONNECTIONS: String(connections) },
  });
  const { api, database, url } = gateway;
  const other = apiOf(url, await testKey(database));
  const [tenant] = await database.query<{ id: string }>({
    text: 'SELECT tenant_id AS id FROM api_keys ORDER BY created_at LIMIT 1',
  });
  const answers: Promise<{ status: number }>[] = [];
  // Another process, or a slow disk, holds the tenant for long.
  await database.transaction(async (transaction) => {
    const text = 'SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE';
    await transaction.query({ text }, [tenant!.id]);
    for (let index = 0; index < 10; index++) {
      const endpoint = { url: `https://shop${index}.example/`, events: ['payment.debited'] };
      answers.push(api('POST', '/v1/webhooks', endpoint));
    }
    await eventually('one waits for the tenant', async () => {
      return (await transaction.query({ text: waiting })).length > 0;
    });
    for (let index = 0; index < 10; index++) {
      assert.equal((await other('GET', '/v1/payments')).status, 200);
    }
  });
  for (const answer of answers) assert.equal((await answer).status, 200);
});

test('holds no connections that others need while acts of one merchant wait for a row', async (context) => {
  const gateway = await testGateway(context, {
    environment: { ZIMBO_ROLE: 'api', DATABASE_CONNECTIONS: String(connections) },
  });
  const { api, database, url } = gateway;
  const other = apiOf(url, await testKey(database));
  const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
  const endpoint = await api('POST', '/v1/webhooks', {
    url: 'https://shop.example/',
    events: ['payment.created'],
  });
  const path = `/v1/webhooks/${endpoint.body.id}`;
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => (await api('POST', '/v1/payments', payment)).body.id),
  );
  const key = (name: string, index: number) => ({ 'idempotency-key': `${name} ${index}` });
  const since = '2026-01-01T00:00:00Z';
  const acts: Promise<{ status: number }>[] = [];
  const ranges: Promise<{ status: number; headers: Headers }>[] = [];
  await database.transaction(async (transaction) => {
    const tables = ['webhook_endpoints', 'deliveries', 'payments'];
    for (const table of tables)
      await transaction.query({ text: `SELECT FROM ${table} FOR UPDATE` });
    for (const [index, id] of ids.entries()) {
      acts.push(api('PATCH', path, { events: ['payment.debited'] }));
      acts.push(api('POST', `${path}/rotate-secret`, { overlapHours: 0 }, key('rotate', index)));
      acts.push(api('POST', `/v1/payments/${id}/cancel`, undefined, key('cancel', index)));
      for (const name of ['one', 'two', 'three']) {
        ranges.push(api('POST', `${path}/redeliver`, { since }, key(name, index)));
      }
    }
    await eventually('acts wait for their rows', async () => {
      return (await transaction.query({ text: waiting })).length > 0;
    });
    for (let index = 0; index < 10; index++) {
      assert.equal((await other('GET', '/v1/payments')).status, 200);
    }
  });
  for (const act of acts) assert.equal((await act).status, 200);
  const answers = await Promise.all(ranges);
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0, 'few wait');
  assert.ok(refused.length < answers.length, 'one runs at a time');
  for (const { status, headers } of refused) {
    assert.equal(status, 429);
    assert.equal(headers.get('retry-after'), '1');
  }
});
