/** Reconciliations over `/admin/v1`: programs can do what the pages do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminKey } from '../support/admin.ts';
import {
  apiOf,
  eventually,
  inCellOfTests,
  type TestGateway,
  testGateway,
} from '../support/gateway.ts';
import { bookUnheard, linesOf } from '../support/many-payments.ts';
import { stepsOf } from '../support/reconciliations.ts';
import { heading } from '../support/statement.ts';

const root = '/admin/v1/reconciliations';
const at = '2026-11-20T09:30:02Z';
const strange = '019aa5d4-e0fb-7000-8000-00000000000a';
const csv = (...lines: string[]) => `${[heading, ...lines].join('\n')}\n`;

async function staffOf(gateway: TestGateway) {
  const { key, id } = await adminKey(gateway);
  const send = async (query: string, body: string, type = 'text/csv') => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': type,
      ...inCellOfTests(root),
    };
    const answer = await fetch(`${gateway.url}${root}?${query}`, { method: 'POST', headers, body });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const admin = apiOf(gateway.url, key);
  const compared = (reconciliation: string) =>
    eventually('it is compared', async () => {
      const { body } = await admin('GET', `${root}/${reconciliation}`);
      return body.status !== 'COMPARING' && body;
    });
  return { admin, send, compared, keyId: id };
}

test('lets a program upload a statement, explain differences, and compare again', async (context) => {
  const gateway = await testGateway(context);
  const { admin, send, compared } = await staffOf(gateway);
  const lines = [1, 2, 3].map((n) => `X${n},ref${n},DEBIT,7.00,CVE,COMPLETED,${at}`);
  const query = 'operator=MOCK&mode=test&file_name=today.csv';
  const made = await send(query, csv(...lines));
  assert.deepEqual([made.status, made.body.status], [200, 'COMPARING']);
  assert.equal((await send(query, csv(...lines))).body.id, made.body.id, 'once');
  const { id } = made.body;
  const now = await compared(id);
  assert.deepEqual([now.open, now.lines, now.matched, now.fileName], [3, 3, 0, 'today.csv']);
  assert.deepEqual(now.counts, [{ kind: 'MISSING_IN_LEDGER', status: 'OPEN', count: 3 }]);
  const first = (await admin('GET', `${root}/${id}/differences?limit=2`)).body;
  assert.deepEqual([first.data.length, first.hasMore], [2, true]);
  const after = first.data[1].id;
  const rest = (await admin('GET', `${root}/${id}/differences?starting_after=${after}`)).body;
  assert.deepEqual([rest.data.length, rest.hasMore, rest.data[0].reference], [1, false, 'ref3']);
  const differences = [...first.data, ...rest.data].map((each: { id: string }) => each.id);
  const explain = (body: object) => admin('POST', `${root}/${id}/explain`, body);
  assert.equal((await explain({ differences, reason: 'OTHER' })).status, 400, 'a note is missing');
  assert.equal((await explain({ differences: [], reason: 'NEXT_STATEMENT' })).status, 400);
  const done = await explain({ differences, reason: 'OTHER', note: 'called 9912345' });
  assert.deepEqual([done.status, done.body.status, done.body.open], [200, 'MATCHED', 0]);
  const again = await explain({ differences, reason: 'NEXT_STATEMENT' });
  assert.deepEqual([again.status, again.body.error.code], [409, 'INVALID_STATE']);
  const reopened = await admin('POST', `${root}/${id}/reopen`, { difference: differences[0] });
  assert.deepEqual([reopened.body.status, reopened.body.open], ['OPEN', 1]);
  assert.equal((await admin('POST', `${root}/${id}/compare`, undefined)).status, 200);
  assert.equal((await compared(id)).open, 1);
  const listed = (await admin('GET', `${root}?status=OPEN&operator=MOCK`)).body.data;
  assert.deepEqual(
    listed.map((each: { id: string }) => each.id),
    [id],
  );
  const kept = (await admin('GET', `${root}/${id}/differences?status=EXPLAINED`)).body.data;
  assert.deepEqual([kept.length, kept[0].note], [2, 'called …45']);
  const actors = new Set((await stepsOf(gateway.database)).map(({ actor }) => actor));
  assert.equal(actors.size, 1);
  assert.match([...actors][0]!, /^admin_key:ak_/);
});

test('names the problem of an upload in its error', async (context) => {
  const gateway = await testGateway(context);
  const { admin, send } = await staffOf(gateway);
  const line = `X,ref,DEBIT,7.00,CVE,COMPLETED,${at}`;
  const query = 'operator=MOCK&mode=test';
  const wrong: [string, string, string, number, RegExp][] = [
    [query, `${heading}\nx`, 'text/csv', 400, /line 2: /],
    [query, '{}', 'application/json', 400, /text\/csv/],
    [query, csv(), 'text/csv', 400, /no completed lines/],
    ['operator=NOBODY', csv(line), 'text/csv', 400, /operator/],
    [`${query}&merchant_id=me_01m7yhp3gge018xpacn8sjzp5w`, csv(line), 'text/csv', 404, /merchant/],
  ];
  for (const [asked, body, type, status, message] of wrong) {
    const answer = await send(asked, body, type);
    assert.equal(answer.status, status, message.source);
    assert.match(JSON.stringify(answer.body), message);
  }
  assert.deepEqual((await admin('GET', root)).body.data, []);
  assert.equal((await admin('GET', `${root}/rc_nothing`)).status, 404);
});

test('queries the operator about differences, which its answers resolve', async (context) => {
  const gateway = await testGateway(context);
  const { database } = gateway;
  const { admin, send, compared } = await staffOf(gateway);
  const text = `SELECT id FROM tenants WHERE mode = 'test' ORDER BY id DESC LIMIT 1`;
  const [tenant] = await database.query<{ id: string }>({ text });
  const many = { tenantId: tenant!.id, count: 2, fromMs: Date.now() - 3_600_000 };
  await bookUnheard(database, many, 'OPERATOR_PENDING');
  await bookUnheard(database, { ...many, fromMs: many.fromMs + 60_000 }, 'EXPIRED');
  const lines = await linesOf(database, many.tenantId);
  const { id } = (await send('operator=MOCK&mode=test', csv(...lines))).body;
  const now = await compared(id);
  assert.deepEqual(now.counts, [{ kind: 'DIFFERENT_STATUS', status: 'OPEN', count: 4 }]);
  const { data } = (await admin('GET', `${root}/${id}/differences`)).body;
  const differences = data.map((each: { id: string }) => each.id);
  const { body } = await admin('POST', `${root}/${id}/ask-operator`, { differences });
  assert.equal(body.asked, 4);
  await eventually('it has answered', async () => {
    const open = `SELECT FROM reconciliation_differences WHERE due_at IS NOT NULL`;
    return (await database.query({ text: open })).length === 0;
  });
  await admin('POST', `${root}/${id}/compare`, undefined);
  const done = await compared(id);
  assert.deepEqual([done.status, done.matched], ['MATCHED', 4]);
  const statuses = await database.query<{ status: string }>({
    text: 'SELECT status FROM payments ORDER BY id',
  });
  assert.deepEqual(
    statuses.map(({ status }) => status),
    ['DEBITED', 'DEBITED', 'EXPIRED', 'EXPIRED'],
  );
  const reversals = await database.query({ text: `SELECT FROM reversals` });
  assert.equal(reversals.length, 2, 'a debit that came too late goes back');
});

test('lists an unknown debit for review once', async (context) => {
  const gateway = await testGateway(context);
  const { admin, send, compared } = await staffOf(gateway);
  const line = `X1,${strange},DEBIT,7.00,CVE,COMPLETED,${at}`;
  const { id } = (await send('operator=CVMOVEL', csv(line))).body;
  await compared(id);
  const [difference] = (await admin('GET', `${root}/${id}/differences`)).body.data;
  const ask = () => admin('POST', `${root}/${id}/request-review`, { difference: difference.id });
  const { reviewId } = (await ask()).body;
  assert.equal((await ask()).body.reviewId, reviewId);
  const reviews = (await admin('GET', '/admin/v1/reviews')).body.data;
  assert.equal(reviews.length, 1);
  assert.deepEqual(
    [reviews[0].id, reviews[0].kind, reviews[0].subject.reference],
    [reviewId, 'UNKNOWN_REFERENCE', strange],
  );
  assert.match(reviews[0].operatorSays, /7\.00 CVE, X1/);
  const reason = { reason: 'given back by the operator' };
  assert.equal((await admin('POST', `/admin/v1/reviews/${reviewId}/close`, reason)).status, 200);
});
