import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventType } from '../../../sdk/typescript/src/index.ts';
import { eventTypes } from '../../src/integrations/events/event.ts';
import { skipOnCitus } from '../support/citus.ts';
import { eventually, testGateway } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

test('returns an event as the same bytes that webhooks carried', async (context) => {
  const { api, zimbo } = await sharedGateway();
  const receiver = await testReceiver(context);
  await zimbo.webhooks.create({
    url: receiver.url,
    events: ['payment.created', 'payment.debited'],
  });
  const metadata = { z: 1.5, a: 'São Filipe ≠ "Praia"' };
  await zimbo.payments.create({ ...payment, metadata });
  await eventually('two events arrive', () => receiver.received.length === 2);
  for (const { event, raw } of receiver.received) {
    const answer = await api('GET', `/v1/events/${event.id}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.text, raw.toString());
    assert.match(answer.headers.get('content-type')!, /^application\/json/);
  }
  const sent = receiver.received.map(({ event, raw }) => ({ id: event.id, text: raw.toString() }));
  sent.sort((one, other) => (one.id < other.id ? 1 : -1));
  const list = await api('GET', '/v1/events');
  assert.equal(list.text, `{"data":[${sent.map(({ text }) => text).join(',')}],"hasMore":false}`);
});

test('pages through events, newest first, also of one type', async (context) => {
  const { zimbo, database } = await testGateway(context);
  for (let index = 0; index < 5; index++) {
    await zimbo.payments.create({ ...payment, operatorPhone: '+2389912049' });
  }
  await eventually('all have failed', async () => {
    const text = `SELECT FROM events WHERE type = 'payment.failed'`;
    return (await database.query({ text })).length === 5;
  });
  const walk = async (type?: EventType) => {
    const ids: string[] = [];
    for await (const { id } of zimbo.events.list({ limit: 2, type })) ids.push(id);
    return ids;
  };
  const all = await walk();
  assert.equal(all.length, 10);
  assert.deepEqual(all, all.toSorted().toReversed());
  const created = await walk('payment.created');
  const failed = await walk('payment.failed');
  assert.deepEqual([created.length, failed.length], [5, 5]);
  assert.deepEqual([...created, ...failed].toSorted().toReversed(), all);
});

test('accepts every type as a filter, and rejects an unknown type or cursor', async () => {
  const { api, zimbo } = await sharedGateway();
  for (const type of eventTypes) {
    assert.deepEqual(await zimbo.events.list({ type }).page(), { data: [], hasMore: false });
  }
  const bad = ['type=payment.paid', 'type=', 'starting_after=pi_01m7yhp3gfe04vkhm96w446fdc'];
  for (const query of bad)
    assert.equal((await api('GET', `/v1/events?${query}`)).status, 400, query);
});

test('reads a list of one type from its index', {
  skip: skipOnCitus('the plan is in a task of the node'),
}, async (context) => {
  const { database } = await testGateway(context);
  const explain = async (type: string) => {
    const text = `EXPLAIN SELECT body FROM events WHERE tenant_id = $1 AND type = '${type}'
      AND id < $2 ORDER BY id DESC LIMIT 21`;
    const id = '019aa5d4-e0fb-7000-8000-000000000002';
    const rows = await database.query<Record<string, string>>({ text }, [id, id]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  assert.match(await explain('settlement.completed'), /Index Scan Backward using events_type/);
  assert.match(await explain('payment.debited'), /Index Scan Backward using events_type/);
});
