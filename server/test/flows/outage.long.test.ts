import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '../../src/app/start.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import { skipOnCitus } from '../support/citus.ts';
import { cleanUp } from '../support/cleanup.ts';
import { silentLog } from '../support/database.ts';
import { anotherGateway, apiOf, eventually, gatewayDatabase, testKey } from '../support/gateway.ts';
import { Line } from '../support/line.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };

for (const outage of ['cut', 'hanging'] as const) {
  test(`answers 500 soon while the line to the database is ${outage}, and recovers afterwards`, {
    skip: skipOnCitus('connections go past the line, straight to the node'),
  }, async (context) => {
    const { url: databaseUrl, database } = await gatewayDatabase(context);
    const key = await testKey(database);
    const line = await Line.open(databaseUrl);
    cleanUp(context, () => line.close());
    const gateway = await anotherGateway(context, line.url);
    const api = apiOf(gateway.url, key);
    const { body: before } = await api('POST', '/v1/payments', payment);

    const { body: session } = await api('POST', '/v1/checkout/sessions', { amount: 10_000 });

    line.set(outage);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api('POST', '/v1/payments', payment)),
    );
    for (const { status, body, headers } of answers) {
      assert.equal(status, 500);
      assert.equal(body.error.code, 'UNAVAILABLE');
      assert.equal(headers.get('retry-after'), '1');
      assert.doesNotMatch(body.error.message, /connect|database|ECONN/i);
    }
    const page = await fetch(gateway.url + new URL(session.url).pathname, {
      headers: { 'accept-language': 'pt' },
    });
    assert.deepEqual([page.status, page.headers.get('retry-after')], [500, '1']);
    assert.match(await page.text(), /De momento, o serviço não está disponível/);
    const cookie = `zimbo=${'a'.repeat(43)}`;
    const console = await fetch(`${gateway.url}/console`, { headers: { cookie } });
    assert.equal(console.status, 500);
    assert.match(await console.text(), /serviço não está disponível|service is not available/);
    assert.equal((await fetch(`${gateway.url}/readyz`)).status, 503);
    assert.equal((await fetch(`${gateway.url}/healthz`)).status, 200);

    line.set('open');
    const after = await eventually('payments are accepted again', async () => {
      const { status, body } = await api('POST', '/v1/payments', payment);
      return status === 200 && body;
    });
    for (const { id } of [before, after]) {
      await eventually(
        'the payment is debited',
        async () => {
          const { body } = await api('GET', `/v1/payments/${id}`);
          return body.status === 'DEBITED';
        },
        30_000,
      );
    }
  });
}

test('survives a connection that breaks during the start', {
  skip: skipOnCitus('connections go past the line, straight to the node'),
}, async (context) => {
  const { url: databaseUrl } = await gatewayDatabase(context);
  const line = await Line.open(databaseUrl);
  cleanUp(context, () => line.close());
  line.breakOn('SELECT 1 FROM merchants LIMIT 1');
  const config = loadConfig({
    ...process.env,
    PORT: '0',
    DATABASE_URL: line.url,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const gateway = await startGateway(config, silentLog);
  cleanUp(context, () => gateway.stop());
  assert.ok(line.isBroken);
  assert.equal((await fetch(`${gateway.url}/readyz`)).status, 200);
});
