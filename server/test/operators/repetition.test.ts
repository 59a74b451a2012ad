/** Whether a request may be repeated is a matter of money: an operator that does not deduplicate carries out both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import { requestLengthMs } from '../../src/operators/asking.ts';
import { type Books, openBooks, timing } from './books.ts';
import { type Kind, kinds } from './kinds.ts';
import { notFound, notSent, pending, unreachable } from './scripted.ts';

const dayMs = 86_400_000;

/** Of each request for it that has left, whether it was called a repetition. */
const repetitions = ({ operator }: Books, { send }: Kind, reference: string) =>
  operator.heard
    .filter((each) => each.call === send && each.reference === reference)
    .map(({ repeated }) => repeated);

for (const kind of kinds) {
  test(`a ${kind.name} leaves once, however long the operator does not know of it`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    kind.onSend(books, () => unreachable);
    kind.onAsk(books, () => notFound);
    await books.workFor(4 * dayMs);
    assert.equal(books.operator.count(kind.send, reference), 1);
    const { status, dueAtMs } = await kind.now(books, reference);
    assert.deepEqual([status, dueAtMs], [kind.notReceived, null]);
    assert.deepEqual(books.notReceived, [reference], 'it is counted');
    assert.deepEqual(await books.review(), []);
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`a ${kind.name} is asked for again where the operator deduplicates, and the first cannot be on its way`, async (context) => {
    const books = await openBooks(context);
    books.operator.known = { ...books.operator.known, deduplicates: true };
    const reference = await kind.begin(books);
    kind.onSend(books, ({ repeated }) => (repeated ? kind.success : unreachable));
    kind.onAsk(books, () => notFound);
    await books.workFor(60_000);
    assert.deepEqual(repetitions(books, kind, reference), [false, true]);
    const sent = books.operator.heard.filter(({ call }) => call === kind.send).slice(-2);
    assert.ok(sent[1]!.atMs - sent[0]!.atMs > requestLengthMs(timing));
    assert.match((await kind.now(books, reference)).status, /DEBITED|SUCCEEDED/);
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`a ${kind.name} whose connection was never made is sent when it is there again`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    // The connection breaks between the question and the request.
    kind.onAsk(books, () => notFound);
    kind.onSend(books, () => notSent);
    await books.work();
    assert.equal((await kind.now(books, reference)).sentAtMs, null, 'nothing has left');
    kind.onAsk(books, () => notSent);
    await books.workFor(60_000);
    assert.equal((await kind.now(books, reference)).sentAtMs, null, 'nothing has left since');
    kind.onAsk(books, () => notFound);
    kind.onSend(books, () => pending);
    await books.workFor(120_000);
    assert.deepEqual(repetitions(books, kind, reference), [false, false]);
    assert.notEqual((await kind.now(books, reference)).sentAtMs, null);
  });

  test(`a ${kind.name} of a process that was frozen before it could begin never begins`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    books.afterStatement = (name) => {
      if (name.startsWith(kind.renewal)) books.wait(3_000);
    };
    await books.work();
    assert.equal(books.operator.count(kind.send, reference), 0);
    assert.equal((await kind.now(books, reference)).sentAtMs, null, 'nothing has left');
    books.afterStatement = () => {};
    await books.workFor(10_000);
    assert.deepEqual(repetitions(books, kind, reference), [false]);
  });

  test(`a ${kind.name} of a process that was frozen until another asked about it is not sent by either`, async (context) => {
    const books = await openBooks(context);
    const other = await openBooks(context, { database: books.database });
    const reference = await kind.begin(books);
    books.afterStatement = async (name) => {
      if (!name.startsWith(kind.renewal)) return;
      books.afterStatement = () => {};
      books.wait(60_000);
      other.nowMs = books.nowMs;
      await other.work();
    };
    await books.work();
    assert.equal(other.operator.count(kind.ask, reference), 1);
    await books.workFor(600_000);
    assert.equal(books.operator.count(kind.send, reference), 0);
    assert.equal(other.operator.count(kind.send, reference), 0);
  });
}
