import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, anotherGateway, apiOf, testGateway, testKey } from '../support/gateway.ts';

const endpoint = (url: string) => ({ url, events: ['payment.debited'] });

function create(api: Api, url: string, key?: string) {
  return api('POST', '/v1/webhooks', endpoint(url), key ? { 'idempotency-key': key } : {});
}

test('limits the webhook endpoints of a tenant, however many are created at once', async (context) => {
  const options = { environment: { ZIMBO_ROLE: 'api', WEBHOOK_ENDPOINTS: '5' } };
  const { url, api, database, databaseUrl, key } = await testGateway(context, options);
  // Within a process they wait for one another anyway.
  const beside = apiOf((await anotherGateway(context, databaseUrl, options)).url, key);
  const first = await create(api, 'https://shop.example/first', 'the first');
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      create(index % 2 === 0 ? api : beside, `https://shop.example/${index}`),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 4);
  const refused = answers.filter(({ status }) => status === 409);
  assert.equal(refused.length, 26);
  for (const { body } of refused) {
    assert.equal(body.error.code, 'LIMIT_REACHED');
    assert.match(body.error.message, /5 webhook endpoints/);
  }
  const again = await create(api, 'https://shop.example/first', 'the first');
  assert.equal(again.status, 200, 'a replay makes no endpoint');
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');

  const other = apiOf(url, await testKey(database));
  assert.equal((await create(other, 'https://shop.example/first')).status, 200);

  await api('DELETE', `/v1/webhooks/${first.body.id}`);
  assert.equal((await create(api, 'https://shop.example/new')).status, 200, 'one place is free');
});

test('limits the endpoints on one host, in any spelling, created or moved there', async (context) => {
  const { api } = await testGateway(context, {
    environment: { ZIMBO_ROLE: 'api', WEBHOOK_ENDPOINTS_PER_HOST: '2' },
  });
  const target = 'https://shop.example/hook';
  const [, second] = [await create(api, target), await create(api, `${target}?a=1`)];
  for (const spelling of [
    target,
    `${target}?b=2`,
    `${target}/`,
    `${target};a`,
    'https://shop.example/hoo%6b',
    'https://shop.example/another/path',
    'HTTPS://SHOP.example:443/hook',
    'https://shop.example./hook',
    'https://sho%70.example/hook',
    'http://shop.example:443/hook',
    `${target}#x`,
  ]) {
    const { status, body } = await create(api, spelling);
    assert.deepEqual([status, body.error?.code], [409, 'LIMIT_REACHED'], spelling);
    assert.match(body.error.message, /2 webhook endpoints on shop\.example:443/);
  }
  assert.equal((await create(api, 'https://shop.example:8443/hook')).status, 200, 'another port');
  const other = await create(api, 'https://other.example/hook');
  assert.equal(other.status, 200);
  const moved = await api('PATCH', `/v1/webhooks/${other.body.id}`, { url: `${target}?c=3` });
  assert.deepEqual([moved.status, moved.body.error?.code], [409, 'LIMIT_REACHED']);
  const stays = await api('PATCH', `/v1/webhooks/${second!.body.id}`, { url: `${target}?d=4` });
  assert.equal(stays.status, 200, 'one that is there already may stay');
});

test('lets an endpoint stay on its host after the limit was lowered', async (context) => {
  const { api, databaseUrl, key } = await testGateway(context, {
    environment: { ZIMBO_ROLE: 'api' },
  });
  const [first] = [await create(api, 'https://shop.example/1')];
  await create(api, 'https://shop.example/2');
  await create(api, 'https://shop.example/3');
  const environment = { ZIMBO_ROLE: 'api', WEBHOOK_ENDPOINTS_PER_HOST: '1' };
  const lowered = apiOf((await anotherGateway(context, databaseUrl, { environment })).url, key);
  const stays = await lowered('PATCH', `/v1/webhooks/${first!.body.id}`, {
    url: 'https://shop.example/4',
  });
  assert.equal(stays.status, 200);
});
