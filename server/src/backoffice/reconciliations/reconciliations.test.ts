import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import { bookMany, bookUnheard, linesOf } from '../../../test/support/many-payments.ts';
import { stepsOf } from '../../../test/support/reconciliations.ts';
import { heading } from '../../../test/support/statement.ts';
import { type Database, openDatabase } from '../../platform/postgres/database.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { createMerchant } from '../../tenants/merchants/create-merchant.ts';
import { compareNext } from './compare-uploads.ts';
import { listDifferences } from './difference-store.ts';
import { reconciliationTimes, type Scope } from './reconciliation.ts';
import { readLines, removeLines } from './statement-lines.ts';
import { claimComparison, findReconciliation, setDue } from './store.ts';
import { createReconciliations } from './use-cases.ts';

const author = { actor: 'person:pe_x', origin: '127.0.0.1' };
const scope: Scope = {
  operator: 'MOCK',
  mode: 'test',
  merchantId: null,
  currency: null,
  askedFromMs: null,
  askedUntilMs: null,
};
const at = '2026-11-20T09:30:02Z';
const strange = '019aa5d4-e0fb-7000-8000-00000000000a';

async function world(context: TestContext) {
  const { database, url } = await freshDatabase(context);
  const [clock, ids, log] = [systemClock, randomIds(), silentLog];
  const base = { database, clock, ids, log };
  const { id: merchantId } = await createMerchant(base, 'Loja');
  const [tenant] = await database.query<{ id: string }>(
    { text: `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'` },
    [merchantId],
  );
  const openPatient = () => openDatabase({ url, log, maxConnections: 1 });
  const wake = () => {};
  const reviews: string[] = [];
  const onReview = (kind: string) => reviews.push(kind);
  const use = { ...base, onReview, wakeComparisons: wake, wakeQuestions: wake };
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-test-'));
  cleanUp(context, () => rmSync(folder, { recursive: true, force: true }));
  const reconciliations = createReconciliations(use);
  const take = async (lines: string[], change: Partial<Scope> = {}) => {
    const path = join(folder, ids.next(Date.now()));
    writeFileSync(path, [heading, ...lines].join('\n'));
    const file = { path, name: 'statement.csv' };
    return (await reconciliations.take(author, { ...scope, ...change }, file)).id;
  };
  const dependencies = { ...base, openPatient };
  const find = async (id: string) => (await findReconciliation(database, id))!;
  return {
    ...dependencies,
    tenantId: tenant!.id,
    take,
    find,
    dependencies,
    reconciliations,
    reviews,
  };
}

const unknownLine = (index = 0) => `X${index},ref${index},DEBIT,7.00,CVE,COMPLETED,${at}`;
const endLeases = (database: Database) =>
  database.query({
    text: `UPDATE reconciliations SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL`,
  });

test('stores the lines of a statement unchanged, and nothing else of the file', async (context) => {
  const { database, take } = await world(context);
  const lines = [
    '',
    'T1,R1,debit,7,cve,pending,',
    '',
    `"T,2","R\n2",REFUND,0.5,CVE,COMPLETED,${at}`,
  ];
  const id = await take([...lines, 'T3,R3,DEBIT,1,AOA,FAILED,']);
  const rows = await Array.fromAsync(readLines(database, id));
  assert.deepEqual(
    rows.map(({ line, transactionId, reference, type, amountMinor, currency, status }) =>
      [line, transactionId, reference, type, amountMinor, currency, status].join('|'),
    ),
    [
      '3|T1|R1|DEBIT|700|CVE|PENDING',
      '5|T,2|R\\u{a}2|REFUND|50|CVE|COMPLETED',
      '7|T3|R3|DEBIT|100|AOA|FAILED',
    ],
  );
});

test('takes an interrupted comparison over, and writes nothing from the process that lost it', async (context) => {
  const { database, take, find, dependencies } = await world(context);
  const id = await take([unknownLine()]);
  const nowMs = Date.now();
  const taken = await claimComparison(database, nowMs, nowMs + 60_000);
  assert.equal(taken?.id, id);
  assert.equal(await compareNext(dependencies), 0, 'somebody is at it');
  await endLeases(database);
  assert.equal(await compareNext(dependencies), 1, 'nobody is any more');
  const done = await find(id);
  assert.deepEqual([done.status, done.openCount, done.tries], ['OPEN', 1, 0]);
  const lease = { id, leaseMs: taken!.dueAtMs! };
  assert.equal(await setDue(database, lease, nowMs + 120_000), false);
  // A process frozen for so long that another has finished: its result no longer counts.
  const again = await take([unknownLine(1)]);
  const slow = {
    ...dependencies,
    openPatient: interrupted(dependencies, () => endLeases(database)),
  };
  assert.equal(await compareNext(slow), 1);
  assert.equal((await find(again)).status, 'COMPARING');
  assert.equal(await compareNext(dependencies), 1);
  assert.equal((await find(again)).status, 'OPEN');
  const compared = (await stepsOf(database)).filter(({ action }) => action.endsWith('.compared'));
  assert.equal(compared.length, 2, 'each is recorded once');
});

test('passes a comparison on at once when its process stops, without counting a try', async (context) => {
  const { take, find, dependencies } = await world(context);
  const id = await take([unknownLine()]);
  const stopping = new AbortController();
  const openPatient = () => {
    stopping.abort();
    return dependencies.openPatient();
  };
  assert.equal(await compareNext({ ...dependencies, openPatient }, stopping.signal), 1);
  const left = await find(id);
  assert.deepEqual([left.status, left.tries], ['COMPARING', 0]);
  assert.equal(await compareNext(dependencies), 1);
  assert.equal((await find(id)).status, 'OPEN');
});

/** Something happens when the connection for the comparison is closed. */
const interrupted =
  ({ openPatient }: { openPatient: () => Database }, happen: () => Promise<unknown>) =>
  (): Database => {
    const patient = openPatient();
    return { ...patient, close: () => patient.close().then(async () => void (await happen())) };
  };

test('compares one statement at a time across processes', async (context) => {
  const { database, take } = await world(context);
  for (let index = 0; index < 3; index += 1) await take([unknownLine(index)]);
  const nowMs = Date.now() + 1_000;
  const claims = [1, 2, 3].map(() => claimComparison(database, nowMs, nowMs + 60_000));
  const taken = (await Promise.all(claims)).filter((each) => each !== undefined);
  assert.equal(taken.length, 1);
});

test('gives up a comparison that fails repeatedly, and allows another request', async (context) => {
  const { database, take, find, dependencies, reconciliations } = await world(context);
  const id = await take([unknownLine()]);
  const broken = {
    ...dependencies,
    openPatient: (): Database => {
      const patient = dependencies.openPatient();
      return { ...patient, transaction: () => Promise.reject(new Error('broken')) };
    },
  };
  for (let tries = 0; tries < 6; tries += 1) {
    await endLeases(database);
    assert.equal(await compareNext(broken), 1);
  }
  assert.deepEqual([(await find(id)).status, (await find(id)).failure], ['FAILED', 'GAVE_UP']);
  await reconciliations.compareAgain(author, id);
  assert.equal(await compareNext(dependencies), 1);
  assert.equal((await find(id)).status, 'OPEN');
  const last = (await stepsOf(database)).at(-1)!;
  assert.deepEqual([last.action, last.actor], ['reconciliation.compared', author.actor]);
});

test("fails another operator's statement as a whole, with a reason, and stores no differences", async (context) => {
  const { database, take, find, dependencies } = await world(context);
  const lines = Array.from({ length: 10_001 }, (_, index) => unknownLine(index));
  const id = await take(lines, { operator: 'CVMOVEL' });
  await compareNext(dependencies);
  const { status, failure, lineCount, matchedCount } = await find(id);
  assert.deepEqual([status, failure], ['FAILED', 'TOO_MANY_DIFFERENCES']);
  assert.deepEqual([lineCount, matchedCount], [10_001, 0]);
  assert.deepEqual(await listDifferences(database, id, {}, 10), []);
  const few = await take(lines.slice(1));
  await compareNext(dependencies);
  assert.deepEqual([(await find(few)).status, (await find(few)).openCount], ['OPEN', 10_000]);
});

test('removes lines 90 days after the latest comparison, and no others', async (context) => {
  const { database, take, dependencies, clock } = await world(context);
  const [old, fresh] = [await take([unknownLine(1)]), await take([unknownLine(2)])];
  while ((await compareNext(dependencies)) > 0);
  const age = `UPDATE reconciliations SET asked_at = now() - interval '91 days' WHERE id = $1`;
  await database.query({ text: age }, [old]);
  const beforeMs = clock.nowMs() - reconciliationTimes.linesKeptMs;
  assert.equal(await removeLines(database, beforeMs, 10), 1);
  assert.equal(await removeLines(database, beforeMs, 10), 0);
  const kept = await database.query<{ id: string }>({
    text: 'SELECT reconciliation_id AS id FROM reconciliation_lines',
  });
  assert.deepEqual(kept, [{ id: fresh }]);
});

test('lists known objects for review as themselves and unknown ones as unknown, and books nothing', async (context) => {
  const given = await world(context);
  const { database, take, dependencies, reconciliations, reviews, tenantId } = given;
  const [pending] = await bookUnheard(
    database,
    { tenantId, count: 1, fromMs: Date.parse(at) },
    'OPERATOR_PENDING',
  );
  const known = await take([`T1,${pending},DEBIT,50.00,CVE,COMPLETED,${at}`]);
  const unknown = await take([`T2,${strange},DEBIT,7.00,CVE,COMPLETED,${at}`], { mode: 'live' });
  while ((await compareNext(dependencies)) > 0);
  const first = async (id: string) => (await listDifferences(database, id, {}, 1))[0]!;
  const postings = async () => database.query({ text: 'SELECT * FROM postings' });
  const before = await postings();
  for (const [id, kind, subject] of [
    [known, 'CONTRADICTION', pending],
    [unknown, 'UNKNOWN_REFERENCE', strange],
  ] as const) {
    const difference = await first(id);
    const review = await reconciliations.requestReview(author, id, difference.id);
    const [item] = await database.query<{ kind: string; subjectId: string }>(
      { text: 'SELECT kind, subject_id AS "subjectId" FROM review_items WHERE id = $1' },
      [review],
    );
    assert.deepEqual(item, { kind, subjectId: subject });
    assert.equal((await first(id)).reviewId, review);
    assert.equal((await first(id)).status, 'OPEN', 'it is dealt with when somebody says so');
  }
  assert.deepEqual(reviews, ['CONTRADICTION', 'UNKNOWN_REFERENCE']);
  assert.deepEqual(await postings(), before);
  // Test mode has no tenant for unknown debits.
  const test = await take([unknownLine()]);
  await compareNext(dependencies);
  const { id: nothing } = await first(test);
  await assert.rejects(reconciliations.requestReview(author, test, nothing), {
    code: 'INVALID_STATE',
  });
});

test('explains all or none of the chosen differences, and none during a comparison', async (context) => {
  const { database, take, dependencies, reconciliations, find } = await world(context);
  const id = await take([unknownLine(1), unknownLine(2)]);
  await compareNext(dependencies);
  const [one, two] = await listDifferences(database, id, {}, 2);
  const given = { reason: 'NEXT_STATEMENT', note: '', operatorReference: '' };
  await reconciliations.explain(author, id, [one!.id], given);
  const both = reconciliations.explain(author, id, [one!.id, two!.id], given);
  await assert.rejects(both, { code: 'INVALID_STATE' });
  assert.equal((await find(id)).openCount, 1, 'the other is as it was');
  const other = await take([unknownLine(3)]);
  await compareNext(dependencies);
  await assert.rejects(reconciliations.explain(author, other, [two!.id], given), {
    code: 'INVALID_STATE',
  });
  await reconciliations.explain(author, id, [two!.id], given);
  assert.equal((await find(id)).status, 'MATCHED');
  await reconciliations.reopen(author, id, one!.id);
  const open = await find(id);
  assert.deepEqual([open.status, open.closedBy, open.openCount], ['OPEN', null, 1]);
  await reconciliations.compareAgain(author, id);
  await assert.rejects(reconciliations.explain(author, id, [one!.id], given), {
    code: 'INVALID_STATE',
  });
});

test('matches a statement without differences at once, and queries no operator needlessly', async (context) => {
  const { database, take, dependencies, reconciliations, find, tenantId } = await world(context);
  await bookMany(database, { tenantId, count: 50, fromMs: Date.parse(at) });
  const lines = await linesOf(database, tenantId);
  const id = await take(lines);
  await compareNext(dependencies);
  assert.deepEqual([(await find(id)).status, (await find(id)).matchedCount], ['MATCHED', 50]);
  await assert.rejects(reconciliations.ask(author, id, [strange]), { code: 'INVALID_STATE' });
});
