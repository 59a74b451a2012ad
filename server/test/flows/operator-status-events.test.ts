/** Merchants who subscribe hear once of each change of an operator's status, also if the process dies meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { apiOf, eventually, testKey, zimboOf } from '../support/gateway.ts';
import {
  countMeasurements,
  liveOperators,
  type OperatorsWorld,
} from '../support/operator-statuses.ts';

const type = 'operator.status_changed';
const restMs = 300_000;
const down = { unanswered: 20 };
const up = { answered: 20, unanswered: 0 };

/** A clock that is ahead by so much. */
const later = (byMs: number) => ({
  clock: { ...systemClock, nowMs: () => systemClock.nowMs() + byMs },
});

/** Live merchants, each with an endpoint that subscribes to the event. */
async function subscribers(
  { gateway: { database } }: OperatorsWorld,
  count: number,
): Promise<void> {
  const text = `
WITH merchant AS (
  INSERT INTO merchants (id, name, created_at)
  SELECT gen_random_uuid(), 'Loja', now() FROM generate_series(1, $1) RETURNING id
), tenant AS (
  INSERT INTO tenants (id, merchant_id, mode, created_at) SELECT gen_random_uuid(), id, 'live', now() FROM merchant
  RETURNING id
)
INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, created_at, updated_at)
SELECT id, gen_random_uuid(), 1, 'http://127.0.0.1:9/', ARRAY['${type}'], 'ACTIVE', '', now(), now() FROM tenant`;
  await database.query({ text }, [count]);
}

/** How many events each tenant has that has any, and of which statuses. */
async function announced({ gateway: { database } }: OperatorsWorld): Promise<string[]> {
  const text = `
SELECT count(*) || ' x ' || statuses AS line FROM (
  SELECT e.tenant_id, string_agg(e.body::json #>> '{data,status}', ',' ORDER BY e.id) AS statuses
  FROM events e JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.event_id = e.id
  WHERE e.type = $1 GROUP BY 1
) AS each GROUP BY statuses ORDER BY 1`;
  return (await database.query<{ line: string }>({ text }, [type])).map(({ line }) => line);
}

test('tells only live merchants who subscribe, and shows them the event', async (context) => {
  const world = await liveOperators(context, {}, 50);
  const { gateway, live, liveKey } = world;
  const order = { url: 'https://shop.invalid/', events: [type] };
  const { id } = (await live('POST', '/v1/webhooks', order)).body;
  const stranger = apiOf(gateway.url, await testKey(gateway.database, 'live'));
  await stranger('POST', '/v1/webhooks', { ...order, events: ['payment.debited'] });
  await gateway.api('POST', '/v1/webhooks', order);
  await countMeasurements(world, down);
  const deliveries = () => live('GET', `/v1/webhooks/${id}/deliveries`);
  await eventually('there is a delivery', async () => (await deliveries()).body.data.length > 0);
  const [delivery, ...more] = (await deliveries()).body.data;
  assert.deepEqual([delivery.eventType, more], [type, []]);
  const event = await zimboOf(gateway.url, liveKey).events.get(delivery.eventId);
  assert.equal(event.type, type);
  assert.deepEqual(event.data, (await live('GET', '/v1/operators/CVMOVEL')).body);
  for (const api of [stranger, gateway.api]) {
    assert.deepEqual((await api('GET', '/v1/events')).body.data, []);
  }
});

test('announces an operator at most once in five minutes, with its status of then', async (context) => {
  const world = await liveOperators(context);
  await subscribers(world, 1);
  await countMeasurements(world, down);
  await world.judge();
  await world.announce();
  await world.announce();
  assert.deepEqual(await announced(world), ['1 x DOWN']);
  await countMeasurements(world, up);
  await world.judge();
  await world.announce(later(restMs - 5_000));
  assert.deepEqual(await announced(world), ['1 x DOWN'], 'not yet');
  await world.announce(later(restMs));
  assert.deepEqual(await announced(world), ['1 x DOWN,UP']);
});

test('says nothing of an operator that is back within the five minutes', async (context) => {
  const world = await liveOperators(context);
  await subscribers(world, 1);
  for (const calls of [down, up, down]) {
    await countMeasurements(world, calls);
    await world.judge();
    await world.announce();
  }
  await world.announce(later(2 * restMs));
  assert.deepEqual(await announced(world), ['1 x DOWN']);
});

test('carries on where a process died, and tells everybody once', async (context) => {
  const world = await liveOperators(context);
  await subscribers(world, 250);
  await countMeasurements(world, down);
  await world.judge();
  const dies = () => {
    throw new Error('the process dies');
  };
  // After the intent, before the first effect.
  await assert.rejects(world.announce({ ids: { next: dies } }), /dies/);
  assert.deepEqual(await announced(world), []);
  // After the first chunk.
  await assert.rejects(world.announce({ dispatcher: { wake: dies } }), /dies/);
  assert.deepEqual(await announced(world), ['100 x DOWN']);
  // Meanwhile the operator is back: everybody still gets the same.
  await countMeasurements(world, up);
  await world.judge();
  await world.announce();
  assert.deepEqual(await announced(world), ['250 x DOWN']);
  await world.announce(later(restMs));
  assert.deepEqual(await announced(world), ['250 x DOWN,UP']);
});

test('tells everybody once, however many processes announce', async (context) => {
  const world = await liveOperators(context);
  await subscribers(world, 350);
  await countMeasurements(world, down);
  await world.judge();
  await Promise.all(Array.from({ length: 6 }, () => world.announce()));
  await world.announce();
  assert.deepEqual(await announced(world), ['350 x DOWN']);
});
