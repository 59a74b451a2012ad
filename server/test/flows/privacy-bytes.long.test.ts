import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { erasePerson } from '../../src/operations/privacy/erasures.ts';
import { exportPerson } from '../../src/operations/privacy/export.ts';
import { oldPersonalData } from '../../src/operations/privacy/retention-store.ts';
import { Retention } from '../../src/platform/jobs/retention.ts';
import type { Database, Queryable } from '../../src/platform/postgres/database.ts';
import { pageBytes } from '../../src/platform/postgres/page-bytes.ts';
import { reach, testGateway } from '../support/gateway.ts';
import { columnsWith, privacyDependencies } from '../support/privacy.ts';

const phone = '+2389917654';
const dayMs = 86_400_000;

/** A database that records the most bytes of bodies that a statement returned. */
function weighed(database: Database) {
  const most = { bytes: 0 };
  const queryOf =
    (on: Queryable): Queryable['query'] =>
    async (statement, values) => {
      const rows = await on.query(statement, values);
      const bodies = rows.map((row) => (row as { body?: string }).body ?? '');
      const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
      most.bytes = Math.max(most.bytes, bytes);
      return rows as never;
    };
  const weighing: Database = {
    ...database,
    query: queryOf(database),
    transaction: (work) =>
      database.transaction((transaction) =>
        work({ ...transaction, query: queryOf(transaction) } as typeof transaction),
      ),
  };
  return { most, database: weighing };
}

/** A payment whose events together exceed the memory limit. */
async function largeEvents(context: TestContext) {
  const { zimbo, database } = await testGateway(context);
  for (const amount of [10_000, 20_000]) {
    const order = { amount, operator: 'MOCK' as const, operatorPhone: phone };
    await reach(zimbo.payments, (await zimbo.payments.create(order)).id, 'DEBITED');
  }
  const text = `UPDATE events SET body = left(body, -1) || ',"more":"' || repeat('x', 3000000) || '"}'`;
  await database.query({ text });
  const dependencies = { ...privacyDependencies(context, database), ...weighed(database) };
  const check = () => {
    assert.ok(dependencies.most.bytes > 3_000_000, 'it has seen the bodies');
    assert.ok(dependencies.most.bytes <= pageBytes, `${dependencies.most.bytes} bytes at once`);
  };
  return { dependencies, check };
}

test('keeps at most a page of event bodies in memory in exports and erasures', async (context) => {
  const { dependencies, check } = await largeEvents(context);
  let events = 0;
  for await (const line of exportPerson(dependencies, phone)) {
    if (line.includes('"kind":"event"')) events += 1;
  }
  assert.equal(events, 4);
  check();
  dependencies.most.bytes = 0;
  assert.equal((await erasePerson(dependencies, phone)).payments, 2);
  check();
  assert.deepEqual(await columnsWith(dependencies.database, phone.slice(4)), []);
});

test('keeps at most a page of event bodies in memory in retention', async (context) => {
  const { dependencies, check } = await largeEvents(context);
  const clock = { nowMs: () => Date.now() + 31 * dayMs };
  const retention = new Retention({
    ...dependencies,
    clock,
    retentionMs: 30 * dayMs,
    oldRows: oldPersonalData({ ...dependencies, clock }),
    batchSize: 100,
    onRemoved: () => {},
  });
  await retention.sweep();
  check();
  assert.deepEqual(await columnsWith(dependencies.database, phone.slice(4)), []);
});
