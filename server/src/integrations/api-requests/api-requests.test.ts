import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { listApiRequests, type RequestFilter } from './list.ts';
import { RequestRecorder } from './recorder.ts';
import { type ApiRequest, chunkOf, redactRequestId, requestsOf, retention } from './request.ts';
import { tidyRequests } from './worker.ts';

const [shop, flood] = [
  '0190a000-0000-7000-8000-000000000001',
  '0190a000-0000-7000-8000-000000000002',
];
const startMs = Date.parse('2026-11-22T12:00:00Z');

const request = (change: Partial<ApiRequest> = {}): Omit<ApiRequest, 'atMs'> => ({
  method: 'GET',
  route: '/v1/payments/:id',
  status: 200,
  errorCode: null,
  keyId: 'key',
  requestId: 'one',
  durationMs: 0,
  madeId: null,
  ...change,
});

/** A log with a clock of its own, which writes when it is stopped. */
async function openLog(context: TestContext) {
  const { database } = await testDatabase(context);
  await addTenants(database, shop, flood);
  const clock = { ms: startMs, nowMs: () => clock.ms };
  const base = { database, clock, ids: randomIds(), log: silentLog };
  return {
    ...base,
    /** The requests that one process collects until it writes. */
    write: async (note: (recorder: RequestRecorder) => void) => {
      const recorder = new RequestRecorder({ ...base, requestLogIntervalMs: 1_000 });
      note(recorder);
      await recorder.stop();
    },
  };
}

const idsOf = async (database: Database, filter: RequestFilter = {}, limit = 100) =>
  (await listApiRequests(database, shop, filter, { limit })).requests.map((one) => one.requestId);

const chunksOf = async (database: Database) =>
  Number(
    (
      await database.query<{ count: bigint }>({ text: 'SELECT count(*) FROM api_request_chunks' })
    )[0]!.count,
  );

test('stores many requests in one row, and lists them newest first', async (context) => {
  const { database, clock, write } = await openLog(context);
  await write((recorder) => {
    for (const requestId of ['a', 'b', 'c']) {
      clock.ms += 10;
      recorder.note(shop, request({ requestId, durationMs: 4.26 }));
    }
  });
  assert.equal(await chunksOf(database), 1);
  const page = await listApiRequests(database, shop, {}, { limit: 2 });
  assert.deepEqual(
    page.requests.map(({ requestId }) => requestId),
    ['c', 'b'],
  );
  assert.deepEqual(page.requests[0], {
    ...request({ requestId: 'c', durationMs: 4.3 }),
    atMs: startMs + 26,
  });
  assert.deepEqual([page.hasMore, page.dropped], [true, 0]);
  const rest = await listApiRequests(database, shop, {}, { limit: 2, after: page.requests[1]! });
  assert.deepEqual(
    rest.requests.map(({ requestId }) => requestId),
    ['a'],
  );
  assert.equal(rest.hasMore, false);
  const strange = await listApiRequests(database, flood, {}, { limit: 2 });
  assert.deepEqual(strange.requests, [], 'another tenant has a log of its own');
});

test('reads compressed and uncompressed chunks alike, with any number of requests', async () => {
  const requests = Array.from({ length: 60 }, (_, index) => ({
    ...request({ requestId: `request ${index}`, keyId: 'x'.repeat(index) }),
    atMs: startMs + index,
  }));
  const starts = new Set<number>();
  for (let count = 1; count <= requests.length; count++) {
    const some = requests.slice(0, count);
    const chunk = await chunkOf({ tenantId: shop, id: shop, failed: false, dropped: 0 }, some);
    assert.deepEqual(await requestsOf(chunk), some);
    starts.add(chunk.entries[0]!);
  }
  assert.ok(starts.size > 1, 'many are deflated');
});

test('lists the concurrent writes of several processes as one log, page by page', async (context) => {
  const { database, clock, write } = await openLog(context);
  for (let round = 0; round < 7; round++) {
    for (const process of [0, 1, 2]) {
      await write((recorder) => {
        for (let index = 0; index < 5; index++) {
          clock.ms = startMs + round * 15 + index * 3 + process;
          const status = index === 4 ? 404 : 200;
          recorder.note(shop, request({ requestId: String(clock.ms - startMs), status }));
        }
      });
    }
  }
  const read: string[] = [];
  let after: ApiRequest | undefined;
  for (;;) {
    const page = await listApiRequests(database, shop, {}, { limit: 10, after });
    read.push(...page.requests.map(({ requestId }) => requestId));
    after = page.requests.at(-1);
    if (!page.hasMore) break;
  }
  assert.deepEqual(
    read,
    Array.from({ length: 105 }, (_, index) => String(104 - index)),
  );
});

test('finds requests for a page in a chunk that was not read yet', async (context) => {
  const { database, clock, write } = await openLog(context);
  for (let number = 0; number < 5; number++) {
    await write((recorder) => {
      for (const after of [10 - number, 100 - number]) {
        clock.ms = startMs + after;
        recorder.note(shop, request({ requestId: String(after) }));
      }
    });
  }
  assert.deepEqual(await idsOf(database, {}, 6), ['100', '99', '98', '97', '96', '10']);
});

test('filters the log by class, method, route, key and request id', async (context) => {
  const { database, write } = await openLog(context);
  await write((recorder) => {
    recorder.note(shop, request({ requestId: 'plain' }));
    recorder.note(shop, request({ requestId: 'wrong', status: 404, errorCode: 'NOT_FOUND' }));
    recorder.note(shop, request({ requestId: 'ours', status: 500 }));
    recorder.note(shop, request({ requestId: 'made', method: 'POST', route: '/v1/payments' }));
    recorder.note(shop, request({ requestId: 'other', keyId: 'second' }));
    recorder.note(shop, request({ requestId: 'lost', route: null, status: 404 }));
  });
  assert.deepEqual((await idsOf(database, { statusClass: 4 })).sort(), ['lost', 'wrong']);
  assert.deepEqual(await idsOf(database, { statusClass: 5 }), ['ours']);
  assert.equal((await idsOf(database, { statusClass: 2 })).length, 3);
  assert.deepEqual(await idsOf(database, { method: 'POST' }), ['made']);
  assert.deepEqual(await idsOf(database, { route: '/v1/payments' }), ['made']);
  assert.deepEqual(await idsOf(database, { keyId: 'second' }), ['other']);
  assert.deepEqual(await idsOf(database, { requestId: 'wrong' }), ['wrong']);
});

test('keeps a flood from displacing others, and counts requests without a place', async (context) => {
  const { database, write } = await openLog(context);
  await write((recorder) => {
    for (let index = 0; index < 5_000; index++) {
      recorder.note(flood, request({ requestId: `f${index}` }));
    }
    recorder.note(flood, request({ requestId: 'failed', status: 500 }));
    recorder.note(shop, request());
  });
  assert.deepEqual(await idsOf(database), ['one']);
  const { requests, dropped } = await listApiRequests(database, flood, {}, { limit: 3_000 });
  assert.deepEqual([requests.length, dropped], [2_001, 3_000]);
  assert.ok(
    requests.some(({ requestId }) => requestId === 'failed'),
    'failures have room of their own',
  );
});

test('writes requests later, once, if a write failed', async (context) => {
  const { database, clock, ids } = await openLog(context);
  let fault: Error | undefined = new Error('away');
  const flaky: Database = {
    ...database,
    query: async (statement, values) => {
      // The write succeeded, but its answer was lost.
      const rows = await database.query<never>(statement, values);
      if (fault) throw fault;
      return rows;
    },
  };
  const log = { ...silentLog, warn: () => {} } as unknown as typeof silentLog;
  const recorder = new RequestRecorder({
    database: flaky,
    clock,
    ids,
    log,
    requestLogIntervalMs: 1_000,
  });
  recorder.note(shop, request({ requestId: 'early' }));
  await recorder.stop();
  recorder.note(shop, request({ requestId: 'late' }));
  fault = undefined;
  await recorder.stop();
  assert.deepEqual(await idsOf(database), ['early']);
  await recorder.stop();
  assert.deepEqual((await idsOf(database)).sort(), ['early', 'late']);
});

test('cuts a phone in a request id, and still finds the id', async (context) => {
  const { database, write } = await openLog(context);
  const requestId = 'order-2389912345-1';
  await write((recorder) => recorder.note(shop, request({ requestId })));
  assert.deepEqual(await idsOf(database, { requestId }), ['order-…45-1']);
});

test('leaves no phone in a request id in any notation, and keeps other ids', () => {
  const phones = [
    'pedido-9912345',
    'pedido_991_23_45',
    'tel.991-23-45',
    '923000145',
    'sms_923-000-145',
    'order2389912345',
    '00244_923_000_145',
  ];
  for (const id of phones) assert.match(redactRequestId(id), /^[a-z]*[-_.]?…45$/, id);
  const others = [
    '4bf92f3577b34da6a3ce929d0e0e4736',
    '0198c2a4-9912-7345-9912-345991234599',
    'order-1790000000000',
    'invoice-2026-11-26-000145',
    '5000000',
  ];
  for (const id of others) assert.equal(redactRequestId(id), id);
});

test('merges small chunks, with every request in its place', async (context) => {
  const log = await openLog(context);
  const { database, clock, write } = log;
  for (let index = 0; index < 40; index++) {
    clock.ms += 1_000;
    await write((recorder) => recorder.note(shop, request({ requestId: String(index) })));
  }
  const before = await idsOf(database);
  await tidyRequests(log);
  assert.equal(await chunksOf(database), 1);
  assert.deepEqual(await idsOf(database), before);
  assert.equal(before.length, 40);
});

test('keeps the last ten thousand requests, and failures for thirty days', async (context) => {
  const log = await openLog(context);
  const { database, clock, write } = log;
  const many = (count: number, status: number) => (recorder: RequestRecorder) => {
    for (let index = 0; index < count; index++) recorder.note(shop, request({ status }));
  };
  await write(many(300, 400));
  for (let index = 0; index < 7; index++) {
    clock.ms += 1_000;
    await write(many(2_000, 200));
  }
  await tidyRequests(log);
  const count = async (statusClass: 2 | 4) =>
    (await listApiRequests(database, shop, { statusClass }, { limit: 20_000 })).requests.length;
  assert.deepEqual([await count(2), await count(4)], [10_000, 300]);
  clock.ms += retention.failedMs;
  await tidyRequests(log);
  assert.deepEqual([await count(2), await count(4)], [10_000, 0]);
});
