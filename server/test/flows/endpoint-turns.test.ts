import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, eventually, testGateway, testKey } from '../support/gateway.ts';

const connections = 4;

test('endpoints that wait for one another hold no connections that others need', async (context) => {
  const gateway = await testGateway(context, {
    environment: { ZIMBO_ROLE: 'api', DATABASE_CONNECTIONS: String(connections) },
  });
  const { api, database, url } = gateway;
  const other = apiOf(url, await testKey(database));
  const [tenant] = await database.query<{ id: string }>({
    text: 'SELECT tenant_id AS id FROM api_keys ORDER BY created_at LIMIT 1',
  });
  const answers: Promise<{ status: number }>[] = [];
  // Somebody else holds the tenant for long: another process, or a slow disk.
  await database.transaction(async (transaction) => {
    const text = 'SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE';
    await transaction.query({ text }, [tenant!.id]);
    for (let index = 0; index < 10; index++) {
      const endpoint = { url: `https://shop${index}.example/`, events: ['payment.debited'] };
      answers.push(api('POST', '/v1/webhooks', endpoint));
    }
    await eventually('one waits for the tenant', async () => {
      const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      return (await transaction.query({ text: waits })).length > 0;
    });
    for (let index = 0; index < 10; index++) {
      assert.equal((await other('GET', '/v1/payments')).status, 200);
    }
  });
  for (const answer of answers) assert.equal((await answer).status, 200);
});
