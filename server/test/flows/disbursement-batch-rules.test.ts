/** When a batch must wait, what it may cost, and what is tried again. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import {
  batchesPath,
  batchFees,
  batchWorker,
  batchWorld,
  endRows,
  makeDue,
  payable,
  reached,
  refusalOf,
  rowsTo,
  sendBatch,
  stored,
  workOnBatch,
} from '../support/batches.ts';
import { fund } from '../support/disbursing.ts';
import { anotherGateway, apiOf, testKey } from '../support/gateway.ts';

for (const [name, stop, resume] of [
  [
    'a suspended merchant',
    'UPDATE merchants SET suspended_at = now()',
    'UPDATE merchants SET suspended_at = NULL',
  ],
  [
    'a revoked key',
    'UPDATE api_keys SET revoked_at = now()',
    'UPDATE api_keys SET revoked_at = NULL',
  ],
] as const) {
  test(`writes no further row for ${name}; what is left waits, and can be cancelled`, async (context) => {
    const world = await batchWorld(context, 1_000_000);
    const { api, database } = world;
    const { id } = (await sendBatch(api, { items: rowsTo(120) })).body;
    assert.ok(await workOnBatch(world, 1));
    assert.equal((await stored(world)).length, 50);
    await database.query({ text: stop });
    assert.ok(await workOnBatch(world), 'a stopping process leaves the batch to others at once');
    assert.equal((await stored(world)).length, 50);
    assert.equal(await workOnBatch(world), false, 'it is not looked at all the time');
    await database.query({ text: resume });
    await makeDue(world);
    await workOnBatch(world, 1);
    assert.equal((await stored(world)).length, 100);
    const { body } = await api('POST', `${batchesPath}/${id}/cancel`);
    assert.equal(body.counts.cancelled, 120);
    assert.equal(await payable(world), 1_000_000);
  });
}

test('pays no row that could not be written before it expired', async (context) => {
  const world = await batchWorld(context, 1_000_000);
  const { api, database } = world;
  const { id } = (await sendBatch(api, { items: rowsTo(60) })).body;
  await workOnBatch(world, 1);
  const text = `UPDATE disbursement_batches SET created_at = now() - interval '25 hours'`;
  await database.query({ text });
  await workOnBatch(world);
  const { status, counts } = (await api('GET', `${batchesPath}/${id}`)).body;
  assert.deepEqual([status, counts.created, counts.cancelled], ['PROCESSING', 50, 10]);
});

test('a limit that was lowered meanwhile fails the rows above it', async (context) => {
  const world = await batchWorld(context, 1_000_000);
  const items = rowsTo(3);
  items[1]!.amount = 5_000;
  const { id } = (await sendBatch(world.api, { items })).body;
  await world.database.query({ text: 'UPDATE api_keys SET max_disbursement_minor = 4000' });
  await workOnBatch(world);
  const { counts } = (await world.api('GET', `${batchesPath}/${id}`)).body;
  assert.deepEqual([counts.created, counts.failed], [2, 1]);
  const { data } = (await world.api('GET', `${batchesPath}/${id}/disbursements?status=FAILED`))
    .body;
  assert.match(data[0].failureMessage, /at most 4000 centavos/);
  assert.deepEqual(await checkLedger(world.database), []);
});

test('tries the failed rows of a batch again, once', async (context) => {
  const world = await batchWorld(context, 2_020);
  const { api, database, tenantId } = world;
  const items = rowsTo(5, { metadata: { team: 7 } });
  const { id } = (await sendBatch(api, { items, externalId: 'salaries' })).body;
  const retry = (key: string, of = id) =>
    api('POST', `${batchesPath}/${of}/retry`, undefined, { 'idempotency-key': key });
  assert.deepEqual(refusalOf(await retry('a')), [409, 'INVALID_STATE']);
  batchWorker(context, database, batchFees);
  await reached(api, id, 'PROCESSING');
  assert.deepEqual(refusalOf(await retry('a')), [409, 'INVALID_STATE'], 'two rows are open');
  await endRows(world, 'SUCCEEDED');
  const late = `UPDATE disbursements SET operator_tx_id = 'late' WHERE batch_row = 4`;
  await database.query({ text: late });
  await reached(api, id, 'COMPLETED');
  await fund(database, tenantId, 10_000);
  const answers = await Promise.all(['a', 'b', 'a'].map((key) => retry(key)));
  const [first] = answers.filter(({ status }) => status === 200);
  assert.equal(answers[0]!.text === answers[2]!.text, answers[0]!.status === 200);
  const { body } = first!;
  assert.deepEqual(
    [body.retryOf, body.itemCount, body.amount, body.externalId],
    [id, 2, '2000', 'salaries'],
  );
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0);
  for (const each of refused) {
    assert.deepEqual(refusalOf(each), [409, 'INVALID_STATE']);
    assert.match(each.body.error.message, new RegExp(body.id));
  }
  await reached(api, body.id, 'PROCESSING');
  const { data } = (await api('GET', `${batchesPath}/${body.id}/disbursements`)).body;
  assert.deepEqual(
    data.map(({ externalId, metadata }: { externalId: string; metadata: object }) => [
      externalId,
      metadata,
    ]),
    [
      ['row-3', { team: 7 }],
      ['row-2', { team: 7 }],
    ],
  );
  await endRows(world, 'SUCCEEDED');
  await reached(api, body.id, 'COMPLETED');
  const none = await retry('c', body.id);
  assert.deepEqual(refusalOf(none), [409, 'INVALID_STATE']);
  assert.match(none.body.error.message, /No row/);
});

test('warns of no duplicate when every row is tried again', async (context) => {
  const world = await batchWorld(context, 0);
  const { id } = (await sendBatch(world.api, { items: rowsTo(2) })).body;
  await workOnBatch(world);
  const retried = await world.api('POST', `${batchesPath}/${id}/retry`, undefined, {
    'idempotency-key': 'again',
  });
  assert.deepEqual([retried.status, retried.body.itemCount], [200, 2]);
  assert.deepEqual([retried.body.retryOf, retried.body.duplicateOf], [id, null]);
  await workOnBatch(world);
  const twice = await world.api('POST', `${batchesPath}/${retried.body.id}/retry`, undefined, {
    'idempotency-key': 'and again',
  });
  assert.deepEqual([twice.status, twice.body.duplicateOf], [200, null]);
});

test('warns of a duplicate when the rows that are tried again were sent by hand too', async (context) => {
  const world = await batchWorld(context, 0);
  const { id } = (await sendBatch(world.api, { items: rowsTo(2) })).body;
  await workOnBatch(world);
  const byHand = (await sendBatch(world.api, { items: rowsTo(2) })).body;
  assert.equal(byHand.duplicateOf, id);
  const retried = await world.api('POST', `${batchesPath}/${id}/retry`, undefined, {
    'idempotency-key': 'again',
  });
  assert.deepEqual([retried.status, retried.body.duplicateOf], [200, byHand.id]);
});

test('an API key disburses nothing that needs a second person, singly or by the sum of a batch', async (context) => {
  const world = await batchWorld(context, 1_000_000, { DISBURSEMENT_APPROVAL_ABOVE: 'CVE=5000' });
  const { api } = world;
  const [row] = rowsTo(1, { amount: 5_001 });
  const single = (change: object) =>
    api('POST', '/v1/disbursements', { ...row, ...change }, { 'idempotency-key': randomUUID() });
  for (const answer of [await single({}), await sendBatch(api, { items: rowsTo(6) })]) {
    assert.deepEqual(refusalOf(answer), [403, 'FORBIDDEN']);
    assert.match(answer.body.error.message, /above 5000 centavos \(CVE\) need the approval/);
  }
  assert.equal((await single({ amount: 5_000 })).status, 200);
  assert.equal((await sendBatch(api, { items: rowsTo(5) })).status, 200);
  const angola = rowsTo(6, { operatorPhone: '+244923456789' });
  const both = await sendBatch(api, { items: [...rowsTo(5), ...angola] });
  const { currency, amount, totals } = both.body;
  assert.deepEqual([both.status, currency, amount], [200, null, null]);
  assert.deepEqual(totals, [
    { currency: 'CVE', amount: '5000', feeAmount: '50' },
    { currency: 'AOA', amount: '6000', feeAmount: '60' },
  ]);
});

for (const [table, code] of [
  ['api_keys', 'KEY_LIMIT_EXCEEDED'],
  ['merchants', 'FORBIDDEN'],
] as const)
  test(`refuses a batch with a row above the limit in ${table}, and names the row`, async (context) => {
    const world = await batchWorld(context, 1_000_000);
    await world.database.query({ text: `UPDATE ${table} SET max_disbursement_minor = 900` });
    const fresh = await anotherGateway(context, world.databaseUrl, {
      environment: world.environment,
    });
    const items = [...rowsTo(2, { amount: 900 }), ...rowsTo(1)];
    const answer = await sendBatch(apiOf(fresh.url, world.key), { items });
    assert.deepEqual(refusalOf(answer), [403, code]);
    assert.equal(answer.body.error.param, 'items[2].amount');
  });

test('lists batches by status and reference, and shows nothing to another merchant', async (context) => {
  const world = await batchWorld(context, 100_000);
  const { api, database, url } = world;
  const first = (await sendBatch(api, { items: rowsTo(2), externalId: 'a' })).body.id;
  await workOnBatch(world);
  const second = (await sendBatch(api, { items: rowsTo(3), externalId: 'b' })).body.id;
  const listed = async (query: string) =>
    (await api('GET', `${batchesPath}?${query}`)).body.data.map(({ id }: { id: string }) => id);
  for (const [query, expected] of [
    ['', [second, first]],
    ['status=CREATED', [second]],
    ['status=CREATED,PROCESSING', [second, first]],
    ['external_id=a', [first]],
    [`starting_after=${second}`, [first]],
    [`ending_before=${first}&limit=1`, [second]],
    ['created_gte=2100-01-01T00:00:00Z', []],
  ] as const) {
    assert.deepEqual(await listed(query), expected, query);
  }
  const stranger = apiOf(url, await testKey(database));
  for (const [method, way] of [
    ['GET', ''],
    ['GET', '/disbursements'],
    ['POST', '/cancel'],
    ['POST', '/retry'],
  ] as const) {
    const answer = await stranger(method, `${batchesPath}/${first}${way}`, undefined, {
      'idempotency-key': randomUUID(),
    });
    assert.equal(answer.status, 404, way);
  }
  assert.deepEqual((await stranger('GET', batchesPath)).body, { data: [], hasMore: false });
});

test('a program that remembers the newest disbursement finds the rows of a batch that was accepted before', async (context) => {
  const world = await batchWorld(context, 10_000);
  const { api } = world;
  await sendBatch(api, { items: rowsTo(2) });
  const newest = await api(
    'POST',
    '/v1/disbursements',
    { amount: 1_000, operator: 'MOCK', operatorPhone: '+2389912345' },
    { 'idempotency-key': 'newest' },
  );
  await workOnBatch(world);
  const { id, createdAt } = newest.body;
  const listed = async (query: string) =>
    (await api('GET', `/v1/disbursements?${query}`)).body.data.map(
      ({ externalId }: { externalId: string | null }) => externalId,
    );
  assert.deepEqual(await listed(`ending_before=${id}`), ['row-1', 'row-0']);
  assert.deepEqual(await listed(`created_gte=${createdAt}`), ['row-1', 'row-0', null]);
});
