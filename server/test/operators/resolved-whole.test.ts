/** A person's finding is recorded completely, or not at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../src/backoffice/resolutions/finding.ts';
import { resolveReview } from '../../src/backoffice/resolutions/resolve.ts';
import type { OperatorAnswer } from '../../src/integrations/operators/operator.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import type { Database, Queryable } from '../../src/platform/postgres/database.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { silentLog } from '../support/database.ts';
import { debits, type Kind, refunds, reversals } from './kinds.ts';
import { reviewWorld } from './review-world.ts';
import { refused, success } from './scripted.ts';

/** Kills the process after this statement. */
function dying(database: Database, name: string): Database {
  let isDead = false;
  const until = (alive: Queryable): Queryable => ({
    async query(statement, values) {
      if (isDead) throw new Error('the process has died');
      const rows = await alive.query(statement, values);
      isDead = statement.name === name;
      return rows as never;
    },
  });
  return {
    ...database,
    ...until(database),
    transaction: (work) => database.transaction((transaction) => work(until(transaction))),
  };
}

const mismatchOf = (operatorTxId: string): OperatorAnswer => ({
  kind: 'unknown',
  progress: 'MISMATCH',
  reported: { operatorTxId, amount: '1,00', currency: 'CVE', type: null, reference: null },
});

const resolutions: [Kind, string, Finding['kind']][] = [
  [debits, 'payments', 'NOT_DEBITED'],
  [refunds, 'refunds', 'NOT_REFUNDED'],
  [reversals, 'reversals', 'NOT_GIVEN_BACK'],
];

for (const [kind, table, finding] of resolutions) {
  test(`changes nothing if the resolution of a ${kind.name} dies half-way`, async (context) => {
    const { harness, environment, list, audit } = await reviewWorld(context);
    const id = await kind.begin(harness);
    await harness.work();
    kind.onQuery(harness, () => mismatchOf('OP-7'));
    await harness.workFor(60_000);
    const { status } = await kind.now(harness, id);
    const resolver = {
      config: loadConfig(environment, 'command'),
      database: dying(harness.database, `${table}.by_hand`),
      clock: { nowMs: () => harness.nowMs },
      ids: randomIds(),
      log: silentLog,
      actor: 'cli:maria',
      origin: 'test',
    };
    const said = () => ({ kind: finding }) as Finding;
    await assert.rejects(resolveReview(resolver, id, said), /has died/);
    assert.deepEqual(await audit(), []);
    kind.onQuery(harness, () => refused);
    await harness.workFor(3_600_000);
    assert.equal((await kind.now(harness, id)).status, status, 'it waits for a person');
    assert.ok((await list()).some((item) => item.kind === 'MISMATCH'));
    const { database } = harness;
    const words = await resolveReview({ ...resolver, database }, id, said);
    assert.match(words, /(FAILED|review items? (is|are) closed)/);
    assert.deepEqual(await checkLedger(database), []);
  });
}

/** A debited payment, about which the operator reports another success that cannot be read. */
async function debitedTwice(context: Parameters<typeof reviewWorld>[0]) {
  const world = await reviewWorld(context);
  const { harness } = world;
  const payment = await harness.debited('TX-1');
  harness.operator.onQueryDebit = () => mismatchOf('TX-2');
  await harness.useCases.processor.hint(harness.tenantId, payment.id);
  const notify = (answer: OperatorAnswer) =>
    harness.useCases.processor.notify({
      tenantId: harness.tenantId,
      reference: payment.id,
      answer,
    });
  return { ...world, payment, notify, pi: formatId('pi', payment.id) };
}

test('refuses to record that a booked payment was not debited, and changes nothing', async (context) => {
  const { harness, zimbo, list, audit, payment, notify, pi } = await debitedTwice(context);
  const said = await zimbo('review', 'resolve', pi, '--not-debited');
  assert.match(
    said.all,
    /^1 The outcome of pi_\w+ is known: it is DEBITED by TX-1\.\n.*zimbo review close/,
  );
  assert.deepEqual(await audit(), []);
  assert.deepEqual(
    (await list()).map((item) => item.kind),
    ['MISMATCH'],
  );
  assert.equal((await harness.payment(payment)).byHand, false);
  await notify(success('TX-3', 10_000n));
  assert.deepEqual(
    (await harness.reversals()).map(({ operatorTxId }) => operatorTxId),
    ['TX-3'],
    'a second debit goes back',
  );
});

test('returns the second and any further debit of a booked payment', async (context) => {
  const { harness, zimbo, list, payment, notify, pi } = await debitedTwice(context);
  const said = await zimbo('review', 'resolve', pi, '--debited', 'TX-2', '--amount', '100');
  assert.match(said.all, /^0 pi_\w+ is DEBITED\. It is a second debit: it is in suspense/);
  assert.deepEqual(await list(), []);
  assert.equal((await harness.payment(payment)).byHand, false);
  await notify(success('TX-3', 10_000n));
  assert.deepEqual((await harness.reversals()).map(({ operatorTxId }) => operatorTxId).toSorted(), [
    'TX-2',
    'TX-3',
  ]);
  assert.deepEqual(await checkLedger(harness.database), []);
});
