import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Zimbo } from '../../../../sdk/typescript/src/index.ts';
import { testGateway } from '../../../test/support/gateway.ts';
import { newEvent } from '../../integrations/events/event.ts';
import { randomIds } from '../../platform/values/ids.ts';
import type { ZimboEvent } from './connection.ts';
import { Follower } from './follower.ts';

const ids = randomIds();
const looksPerDeepLook = 10;

/** Events committed one by one, whenever the test says. */
async function eventSource(context: TestContext) {
  const gateway = await testGateway(context);
  const [tenant] = await gateway.database.query<{ id: string }>({
    text: `SELECT id FROM tenants WHERE mode = 'test'`,
  });
  const commit = async (...instantsMs: number[]) => {
    const added = instantsMs.map((createdAtMs) => eventAt(tenant!.id, createdAtMs));
    await gateway.database.query(
      {
        text: `
INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
SELECT $1, id, 'payment.debited', id, 1, body, created_at
FROM unnest($2::uuid[], $3::text[], $4::timestamptz[]) AS given (id, body, created_at)`,
      },
      [
        tenant!.id,
        added.map((event) => event.id),
        added.map((event) => event.body),
        added.map((event) => new Date(event.createdAtMs)),
      ],
    );
    return added.map((event) => JSON.parse(event.body).id as string);
  };
  return { ...gateway, commit };
}

function eventAt(tenantId: string, createdAtMs: number) {
  const id = ids.next(createdAtMs);
  const about = { tenantId, id, type: 'payment.debited' as const, objectId: id, sequence: 1 };
  return newEvent({ ...about, createdAtMs }, '{"id":"pi_1"}');
}

const idsOf = (events: ZimboEvent[]) => events.map(({ id }) => id);

/** All events that this many polls return. */
async function look(follower: Follower, times: number): Promise<string[]> {
  const found: string[] = [];
  for (let count = 0; count < times; count++) found.push(...idsOf(await follower.look()));
  return found;
}

const start = Date.UTC(2026, 10, 21, 8);

test('skips earlier events, and returns each new event once, oldest first', async (context) => {
  const { zimbo, commit } = await eventSource(context);
  await commit(start, start + 1);
  const follower = await Follower.fromNow(zimbo);
  assert.deepEqual(await look(follower, looksPerDeepLook), []);
  const added = await commit(start + 5, start + 6, start + 7);
  assert.deepEqual(await look(follower, 1), added);
  assert.deepEqual(await look(follower, 2 * looksPerDeepLook), []);
});

test('returns an event that is committed after newer ones', async (context) => {
  const { zimbo, commit } = await eventSource(context);
  await commit(start);
  const follower = await Follower.fromNow(zimbo);
  const newer = await commit(...Array.from({ length: 250 }, (_, index) => start + 20_000 + index));
  assert.deepEqual(await look(follower, looksPerDeepLook), newer);
  const late = await commit(start + 5_000);
  assert.deepEqual(await look(follower, looksPerDeepLook), late);
  assert.deepEqual(await look(follower, looksPerDeepLook), []);
});

test('returns an event that appears far down just before a leap in time', async (context) => {
  const { zimbo, commit } = await eventSource(context);
  await commit(start);
  const follower = await Follower.fromNow(zimbo);
  const newer = await commit(...Array.from({ length: 250 }, (_, index) => start + 1_000 + index));
  assert.deepEqual(await look(follower, 1), newer);
  const [late, muchNewer] = await commit(start + 500, start + 3_600_000);
  assert.deepEqual(await look(follower, looksPerDeepLook), [muchNewer, late]);
});

test('starts at an instant and follows several pages', async (context) => {
  const { zimbo, commit } = await eventSource(context);
  await commit(start - 1);
  const instants = Array.from({ length: 230 }, (_, index) => start + index * 1_000);
  const added = await commit(...instants);
  const follower = new Follower(zimbo, start);
  assert.deepEqual(await look(follower, 1), added);
  assert.deepEqual(await look(follower, looksPerDeepLook), []);
});

test('loses nothing when a poll breaks off', async (context) => {
  const { url, key, commit } = await eventSource(context);
  let pages = 0;
  let isBreaking = false;
  const zimbo = new Zimbo(key, {
    baseUrl: url,
    maxRetries: 0,
    fetch: (...request) => {
      pages += 1;
      if (isBreaking && pages === 2) throw new Error('the connection breaks');
      return fetch(...request);
    },
  });
  const follower = await Follower.fromNow(zimbo);
  const added = await commit(...Array.from({ length: 150 }, (_, index) => start + index));
  pages = 0;
  isBreaking = true;
  await assert.rejects(follower.look());
  isBreaking = false;
  assert.deepEqual(await look(follower, 1), added);
});
