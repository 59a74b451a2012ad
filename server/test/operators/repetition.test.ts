/** Whether a request may be repeated is a matter of money: an operator that does not deduplicate carries out both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestLengthMs } from '../../src/integrations/operators/query-schedule.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { type Harness, openHarness, timing } from './harness.ts';
import { type Kind, kinds } from './kinds.ts';
import { notFound, notSent, pending, unreachable } from './scripted.ts';

const dayMs = 86_400_000;

/** For each request that has left, whether it was called a repetition. */
const repetitions = ({ operator }: Harness, { send }: Kind, reference: string) =>
  operator.heard
    .filter((each) => each.call === send && each.reference === reference)
    .map(({ repeated }) => repeated);

for (const kind of kinds) {
  test(`sends a ${kind.name} once, however long the operator does not know it`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => unreachable);
    kind.onQuery(harness, () => notFound);
    await harness.workFor(4 * dayMs);
    assert.equal(harness.operator.count(kind.send, reference), 1);
    const { status, dueAtMs } = await kind.now(harness, reference);
    assert.deepEqual([status, dueAtMs], [kind.notReceived, null]);
    const isForPerson = kind.isDecidedByPerson === true;
    assert.deepEqual(harness.notReceived, isForPerson ? [] : [reference], 'it is counted');
    assert.equal((await harness.review()).length, isForPerson ? 1 : 0);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`repeats a ${kind.name} if the operator deduplicates, and the first cannot be on its way`, async (context) => {
    const harness = await openHarness(context);
    harness.operator.known = { ...harness.operator.known, deduplicates: true };
    const reference = await kind.begin(harness);
    kind.onSend(harness, ({ repeated }) => (repeated ? kind.success : unreachable));
    kind.onQuery(harness, () => notFound);
    await harness.workFor(60_000);
    assert.deepEqual(repetitions(harness, kind, reference), [false, true]);
    const sent = harness.operator.heard.filter(({ call }) => call === kind.send).slice(-2);
    assert.ok(sent[1]!.atMs - sent[0]!.atMs > requestLengthMs(timing));
    assert.match((await kind.now(harness, reference)).status, /DEBITED|SUCCEEDED/);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`sends a ${kind.name} whose connection was never made once the network is back`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    // The connection breaks between the query and the request.
    kind.onQuery(harness, () => notFound);
    kind.onSend(harness, () => notSent);
    await harness.work();
    assert.equal((await kind.now(harness, reference)).sentAtMs, null, 'nothing has left');
    kind.onQuery(harness, () => notSent);
    await harness.workFor(60_000);
    assert.equal((await kind.now(harness, reference)).sentAtMs, null, 'nothing has left since');
    kind.onQuery(harness, () => notFound);
    kind.onSend(harness, () => pending);
    await harness.workFor(120_000);
    assert.deepEqual(repetitions(harness, kind, reference), [false, false]);
    assert.notEqual((await kind.now(harness, reference)).sentAtMs, null);
  });

  test(`never sends a ${kind.name} from a process that was frozen before it could begin`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    harness.afterStatement = (name) => {
      if (name.startsWith(kind.renewal)) harness.wait(3_000);
    };
    await harness.work();
    assert.equal(harness.operator.count(kind.send, reference), 0);
    assert.equal((await kind.now(harness, reference)).sentAtMs, null, 'nothing has left');
    harness.afterStatement = () => {};
    await harness.workFor(10_000);
    assert.deepEqual(repetitions(harness, kind, reference), [false]);
  });

  test(`sends a ${kind.name} from neither process if one was frozen until another queried it`, async (context) => {
    const harness = await openHarness(context);
    const other = await openHarness(context, { database: harness.database });
    const reference = await kind.begin(harness);
    harness.afterStatement = async (name) => {
      if (!name.startsWith(kind.renewal)) return;
      harness.afterStatement = () => {};
      harness.wait(60_000);
      other.nowMs = harness.nowMs;
      await other.work();
    };
    await harness.work();
    assert.equal(other.operator.count(kind.ask, reference), 1);
    await harness.workFor(600_000);
    assert.equal(harness.operator.count(kind.send, reference), 0);
    assert.equal(other.operator.count(kind.send, reference), 0);
  });
}
