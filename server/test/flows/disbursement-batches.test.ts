import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import {
  batchesPath,
  batchFees,
  batchWorker,
  batchWorld,
  endRows,
  numbers,
  payable,
  reached,
  refusalOf,
  rowsTo,
  sendBatch,
  stored,
} from '../support/batches.ts';
import { fund } from '../support/disbursing.ts';
import { type Answer, anotherGateway, apiOf, eventually } from '../support/gateway.ts';

test('answers a batch of 1,000 rows at once, and creates each of its disbursements once, in order', async (context) => {
  const world = await batchWorld(context, 1_010_000);
  const { api, database } = world;
  const wanted = { items: rowsTo(1_000), externalId: 'salaries-11', description: 'Novembro' };
  const { status, body, text } = await sendBatch(api, wanted);
  assert.equal(status, 200);
  const { id, createdAt, updatedAt, ...rest } = body;
  assert.match(id, /^dib_[0-9a-z]{26}$/);
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(rest, {
    externalId: 'salaries-11',
    description: 'Novembro',
    status: 'CREATED',
    itemCount: 1_000,
    currency: 'CVE',
    amount: '1000000',
    feeAmount: '10000',
    totals: [{ currency: 'CVE', amount: '1000000', feeAmount: '10000' }],
    counts: { created: 1_000, processing: 0, succeeded: 0, failed: 0, cancelled: 0 },
    retryOf: null,
    duplicateOf: null,
    completedAt: null,
  });
  assert.equal((await api('GET', `${batchesPath}/${id}`)).text, text);
  assert.deepEqual(await stored(world), []);
  for (const _ of [1, 2, 3]) batchWorker(context, database, batchFees);
  const written = await reached(api, id, 'PROCESSING');
  assert.deepEqual(written.counts, rest.counts);
  const rows = await stored(world);
  assert.deepEqual(
    rows.map(({ row, externalId }) => [row, externalId]),
    numbers(1_000).map((row) => [row, `row-${row}`]),
  );
  assert.equal(await payable(world), 0);
  assert.deepEqual(await checkLedger(database), []);
  const page = (await api('GET', `${batchesPath}/${id}/disbursements?limit=2`)).body;
  assert.deepEqual(
    page.data.map(({ batchId, externalId }: { batchId: string; externalId: string }) => [
      batchId,
      externalId,
    ]),
    [
      [id, 'row-999'],
      [id, 'row-998'],
    ],
  );
  const next = `${batchesPath}/${id}/disbursements?limit=1&starting_after=${page.data[1].id}`;
  assert.equal((await api('GET', next)).body.data[0].externalId, 'row-997');
});

test('completes a batch once each row has ended, and tells the merchant', async (context) => {
  const world = await batchWorld(context, 1_010 * 4);
  const { api, zimbo } = world;
  const endpoint = await zimbo.webhooks.create({
    url: 'http://127.0.0.1:9/',
    events: ['disbursement_batch.completed'],
  });
  const { id } = (await sendBatch(api, { items: rowsTo(5) })).body;
  batchWorker(context, world.database, batchFees);
  await reached(api, id, 'PROCESSING');
  assert.deepEqual((await api('GET', `/v1/events?object_id=${id}`)).body.data, []);
  await endRows(world, 'SUCCEEDED', 'batch_row < 2');
  await endRows(world, 'FAILED');
  const completed = await reached(api, id, 'COMPLETED');
  const counts = { created: 0, processing: 0, succeeded: 2, failed: 3, cancelled: 0 };
  assert.deepEqual(completed.counts, counts);
  assert.equal(completed.completedAt, completed.updatedAt);
  const { data } = (await api('GET', `/v1/events?object_id=${id}`)).body;
  assert.deepEqual(
    data.map(({ type }: { type: string }) => type),
    ['disbursement_batch.completed'],
  );
  assert.deepEqual(data[0].data, completed);
  const deliveries = await zimbo.webhooks.deliveries.list(endpoint.id).page();
  assert.deepEqual(
    deliveries.data.map(({ eventId }) => eventId),
    [data[0].id],
  );
});

test('tells all problems of the rows, and creates nothing', async (context) => {
  const world = await batchWorld(context, 10_000);
  const { api, database } = world;
  const items = rowsTo(1_000, { description: 'x'.repeat(200) }) as Record<string, unknown>[];
  items[3]!.amount = 0;
  items[3]!.note = 'unknown';
  items[998]!.operatorPhone = '991';
  const answer = await sendBatch(api, { items });
  assert.deepEqual(refusalOf(answer), [400, 'VALIDATION_ERROR']);
  const params = (given: Answer) =>
    given.body.error.details.map(({ param }: { param: string }) => param);
  assert.deepEqual(params(answer).sort(), [
    'items[3].amount',
    'items[3].note',
    'items[998].operatorPhone',
  ]);
  const many = await sendBatch(api, { items: rowsTo(30, { amount: 0 }) });
  assert.equal(params(many).length, 20);
  const nested = numbers(33).reduce<object>((inner) => ({ inner }), {});
  const deep = rowsTo(3).map((row, index) => ({ ...row, metadata: index === 1 ? {} : nested }));
  assert.deepEqual(params(await sendBatch(api, { items: deep })), [
    'items[0].metadata',
    'items[2].metadata',
  ]);
  for (const body of [{ items: [] }, { items: rowsTo(1_001) }]) {
    const { error } = (await sendBatch(api, body)).body;
    assert.deepEqual([error.code, error.param], ['VALIDATION_ERROR', 'items']);
  }
  const lost = await sendBatch(api, {
    items: rowsTo(1),
    retryOf: 'dib_01m7yhp3gfe04vkhm96w446fdc',
  });
  assert.deepEqual(refusalOf(lost), [404, 'NOT_FOUND']);
  const without = await api('POST', batchesPath, { items: rowsTo(1) });
  assert.equal(without.body.error.param, 'Idempotency-Key');
  const text = 'SELECT id FROM disbursement_batches';
  assert.deepEqual(await database.query({ text }), []);
});

test('takes a body of up to 4 MiB, on this route alone', async (context) => {
  const { api } = await batchWorld(context);
  const large = { text: 'x'.repeat(3_000) };
  const { status, body } = await sendBatch(api, { items: rowsTo(1_000, { metadata: large }) });
  assert.deepEqual([status, body.itemCount], [200, 1_000]);
  const larger = await sendBatch(api, {
    items: rowsTo(1_000, { metadata: { text: 'x'.repeat(4_200) } }),
  });
  assert.equal(larger.status, 400);
  assert.match(larger.body.error.message, /not be larger than 4 MiB/);
  const single = { ...rowsTo(1)[0], description: 'x'.repeat(1_100_000) };
  const other = await api('POST', '/v1/disbursements', single, { 'idempotency-key': 'a' });
  assert.match(other.body.error.message, /not be larger than 1 MiB/);
});

test('fails the rows that the balance does not cover: the rest of the file is not lost', async (context) => {
  const world = await batchWorld(context, 700 * 1_010);
  const { api, database } = world;
  const items = rowsTo(1_000);
  items[900]!.amount = 1;
  const { id } = (await sendBatch(api, { items })).body;
  await fund(database, world.tenantId, 2);
  batchWorker(context, database, batchFees);
  const { counts } = await reached(api, id, 'PROCESSING');
  assert.deepEqual([counts.created, counts.failed], [701, 299]);
  const rows = await stored(world);
  assert.deepEqual(
    rows.filter(({ status }) => status === 'CREATED').map(({ row }) => row),
    [...numbers(700), 900],
  );
  assert.ok(rows.every(({ status, code }) => (status === 'FAILED') === (code !== null)));
  const failed = (await api('GET', `${batchesPath}/${id}/disbursements?status=FAILED`)).body
    .data[0];
  assert.deepEqual([failed.failureCode, failed.externalId], ['INSUFFICIENT_BALANCE', 'row-999']);
  assert.equal(await payable(world), 0);
  assert.deepEqual(await checkLedger(database), []);
});

test('creates one batch for a repeated key, and answers with the same bytes for ever', async (context) => {
  const world = await batchWorld(context, 10_000);
  const { api, url, databaseUrl, environment, key } = world;
  const other = await anotherGateway(context, databaseUrl, { environment });
  const apis = [api, apiOf(other.url, key)];
  const items = rowsTo(3);
  const spelled = items.map((row) => ({
    ...row,
    currency: 'CVE',
    description: null,
    operatorPhone: row.operatorPhone.replace('+', '00'),
  }));
  const answers = await Promise.all(
    numbers(8).map((n) => sendBatch(apis[n % 2]!, { items: n < 4 ? items : spelled }, 'november')),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(answers.filter(({ headers }) => headers.has('idempotent-replayed')).length, 7);
  const [first] = answers;
  batchWorker(context, world.database, batchFees);
  await reached(api, first!.body.id, 'PROCESSING');
  await endRows(world, 'SUCCEEDED');
  await reached(api, first!.body.id, 'COMPLETED');
  assert.equal((await sendBatch(api, { items }, 'november')).text, first!.text);
  const changed = await sendBatch(api, { items: rowsTo(2) }, 'november');
  assert.deepEqual(refusalOf(changed), [409, 'IDEMPOTENCY_KEY_REUSED']);
  const single = await apiOf(url, key)('POST', '/v1/disbursements', items[0], {
    'idempotency-key': 'november',
  });
  assert.equal(single.status, 200, 'a batch and a single request have keys of their own');
});

test('warns of the same rows under another key', async (context) => {
  const { api } = await batchWorld(context);
  const items = rowsTo(3);
  const first = (await sendBatch(api, { items }, 'a')).body;
  const again = await sendBatch(api, { items, description: 'again' }, 'b');
  assert.deepEqual([again.status, again.body.duplicateOf], [200, first.id]);
  assert.equal((await sendBatch(api, { items }, 'c')).body.duplicateOf, first.id);
  assert.equal((await sendBatch(api, { items, description: 'again' }, 'b')).text, again.text);
  const other = (await sendBatch(api, { items: rowsTo(2) }, 'd')).body;
  assert.equal(other.duplicateOf, null);
});

test('cancels while the rows are written: nothing stays under way, and all money comes back', async (context) => {
  const world = await batchWorld(context, 1_010_000);
  const { api, database } = world;
  const { id } = (await sendBatch(api, { items: rowsTo(1_000) })).body;
  for (const _ of [1, 2]) batchWorker(context, database, batchFees);
  await eventually('some rows are written', async () => (await stored(world)).length > 0);
  const answers = await Promise.all(
    numbers(3).map((n) =>
      api('POST', `${batchesPath}/${id}/cancel`, undefined, { 'idempotency-key': `${n}` }),
    ),
  );
  const done = answers.filter(({ status }) => status === 200);
  assert.ok(done.length > 0);
  for (const { body } of done) assert.equal(body.counts.cancelled, 1_000);
  const { counts } = await reached(api, id, 'COMPLETED');
  assert.deepEqual([counts.created, counts.cancelled], [0, 1_000]);
  const rows = await stored(world);
  assert.ok(rows.length > 0 && rows.every(({ status }) => status === 'CANCELLED'));
  assert.equal(await payable(world), 1_010_000);
  assert.deepEqual(await checkLedger(database), []);
  const again = await api('POST', `${batchesPath}/${id}/cancel`);
  assert.deepEqual(refusalOf(again), [409, 'INVALID_STATE']);
  const replayed = await api('POST', `${batchesPath}/${id}/cancel`, undefined, {
    'idempotency-key': `${answers.indexOf(done[0]!)}`,
  });
  assert.equal(replayed.text, done[0]!.text);
});

test('cancels only what was not sent', async (context) => {
  const world = await batchWorld(context, 10_000);
  const { api, database } = world;
  const { id } = (await sendBatch(api, { items: rowsTo(4) })).body;
  batchWorker(context, database, batchFees);
  await reached(api, id, 'PROCESSING');
  await endRows(world, 'PROCESSING', 'batch_row IN (1, 3)');
  // The operator certainly could not be reached about the last one.
  await database.query({ text: 'UPDATE disbursements SET sent_at = now() WHERE batch_row = 1' });
  await endRows(world, 'SUCCEEDED', 'batch_row = 2');
  const { body } = await api('POST', `${batchesPath}/${id}/cancel`);
  const counts = { created: 0, processing: 1, succeeded: 1, failed: 0, cancelled: 2 };
  assert.deepEqual([body.status, body.counts], ['PROCESSING', counts]);
  assert.deepEqual(refusalOf(await api('POST', `${batchesPath}/${id}/cancel`)), [
    409,
    'INVALID_STATE',
  ]);
});
