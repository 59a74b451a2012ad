import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testConsole } from '../support/console.ts';
import { eventually, processCount } from '../support/gateway.ts';

const atOnce = 4 * processCount;
const connections = 8 * processCount;

const languages = ['pt', 'en'];

const blocked = {
  text: `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
};

test('queues many requests of one session without delaying others', async (context) => {
  const site = await testConsole(context, {
    environment: {
      ZIMBO_ROLE: 'api',
      DATABASE_CONNECTIONS: String(connections),
      RATE_LIMIT: 'off',
    },
  });
  const { api, database } = site.gateway;
  const [greedy, other] = [await site.signIn(), await site.signIn()];
  const pages: ReturnType<typeof greedy.get>[] = [];
  await database.transaction(async (transaction) => {
    // The page's query takes long.
    await transaction.query({ text: 'LOCK TABLE products IN ACCESS EXCLUSIVE MODE' });
    const count = 250 * processCount;
    for (let index = 0; index < count; index++) {
      pages.push(greedy.get(`products?lang=${languages[index % 2]}`));
    }
    await eventually('the first pages wait for the table', async () => {
      return (await database.query(blocked)).length > 0;
    });
    for (let index = 0; index < 5; index++) {
      assert.equal((await other.get('endpoints')).status, 200);
      assert.equal((await api('GET', '/v1/payments')).status, 200);
      assert.ok((await database.query(blocked)).length <= atOnce);
    }
    await Promise.race(pages);
  });
  const answers = await Promise.all(pages);
  const codes = new Set(answers.map(({ status }) => status));
  assert.ok(codes.has(200), 'those that waited are answered');
  assert.ok(codes.has(429), 'those for which there was no room are refused');
  for (const [index, { status, headers, text }] of answers.entries()) {
    if (status !== 429) continue;
    assert.equal(headers.get('retry-after'), '1');
    assert.match(text, index % 2 === 0 ? /<h1>Demasiados pedidos/ : /<h1>Too many requests/);
  }
});

test('delays a fast clicker briefly, and rejects nothing', async (context) => {
  const site = await testConsole(context, { environment: { ZIMBO_ROLE: 'api' } });
  const member = await site.signIn();
  const pages = Array.from({ length: 80 }, () => member.get('products'));
  for (const { status } of await Promise.all(pages)) assert.equal(status, 200);
});
