import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { makeReadPayment } from './read.ts';

const insertText = `
INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
  operator_phone, description, ask_count, expires_at, created_at, updated_at)
SELECT tenant, id, 3, 'DEBITED', 1, 0, 'CVE', 'MOCK', '+2389912345', description, 0, now(), now(), now()
FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS given (tenant, id, description)`;

interface Row {
  tenantId: string;
  id: string;
  description: string;
}

async function payments(context: TestContext, tenants: readonly string[], each: number) {
  const { database, url } = await testDatabase(context);
  const rows: Row[] = tenants.flatMap((tenantId) =>
    Array.from({ length: each }, (_, index) => {
      return { tenantId, id: randomUUID(), description: `${index} of ${tenantId}` };
    }),
  );
  await database.query({ text: insertText }, [
    rows.map(({ tenantId }) => tenantId),
    rows.map(({ id }) => id),
    rows.map(({ description }) => description),
  ]);
  return { database, url, rows };
}

/** Counts the statements that pass through; `refuse` names those that fail. */
function counting(database: Queryable, refuse: (values: readonly unknown[]) => Error | undefined) {
  const sizes: number[] = [];
  const queryable: Queryable = {
    async query(statement, values = []) {
      sizes.push((values[0] as Buffer).readInt32BE(12));
      const error = refuse(values);
      if (error) throw error;
      return database.query(statement, values);
    },
  };
  return { sizes, readPayment: makeReadPayment({ database: queryable }) };
}

const never = () => undefined;

test('reads one payment with one statement, and payments requested together with few statements of limited size', async (context) => {
  const { database, rows } = await payments(context, [randomUUID()], 100);
  const { sizes, readPayment } = counting(database, never);
  await readPayment(rows[0]!.tenantId, rows[0]!.id);
  assert.deepEqual(sizes.splice(0), [1]);
  await Promise.all(rows.map(({ tenantId, id }) => readPayment(tenantId, id)));
  assert.deepEqual(sizes.splice(0), [64, 36]);
  const [{ tenantId, id }] = rows as [Row];
  await Promise.all(Array.from({ length: 50 }, () => readPayment(tenantId, id)));
  assert.deepEqual(sizes, [50], 'of the same payment, too');
});

test('gives each request its own payment, and no payment of another tenant', async (context) => {
  const tenants = [randomUUID(), randomUUID(), randomUUID()] as const;
  const { database, rows } = await payments(context, tenants, 7);
  const readPayment = makeReadPayment({ database });
  const asked = rows.flatMap(({ id }) => tenants.map((tenantId) => ({ tenantId, id })));
  // In reverse order, some twice, and some that exist nowhere.
  const all = [...asked.toReversed(), ...asked.slice(3, 9)].flatMap((one, index) =>
    index % 4 === 0 ? [one, { tenantId: one.tenantId, id: randomUUID() }] : [one],
  );
  const found = await Promise.all(
    all.map(async ({ tenantId, id }) => (await readPayment(tenantId, id))?.description),
  );
  const expected = all.map(
    ({ tenantId, id }) =>
      rows.find((row) => row.id === id && row.tenantId === tenantId)?.description,
  );
  assert.deepEqual(found, expected);
  assert.equal(expected.filter((description) => description !== undefined).length, 23);
});

/** Holds back answers until the test releases them, as on a slow line. */
function slowDatabase(database: Database) {
  const held: (() => void)[] = [];
  const queryable: Queryable = {
    async query(statement, values) {
      const rows = await database.query(statement, values);
      await new Promise<void>((resolve) => held.push(resolve));
      return rows as never;
    },
  };
  return { held, queryable };
}

test('reads the state committed before the request, whatever is in flight', async (context) => {
  const { database, rows } = await payments(context, [randomUUID()], 1);
  const [{ tenantId, id }] = rows as [Row];
  const { held, queryable } = slowDatabase(database);
  const readPayment = makeReadPayment({ database: queryable });
  const statusOf = async () => (await readPayment(tenantId, id))?.status;
  // More than may be in flight, so that some wait for others as well.
  const results: Promise<string | undefined>[] = [];
  for (const status of ['DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED']) {
    await database.query({ text: 'UPDATE payments SET status = $2 WHERE id = $1' }, [id, status]);
    results.push(statusOf());
    for (let turns = 0; turns < 10; turns++) await turn();
    // The reads in flight have their answers, which the test holds back.
    const sent = Math.min(results.length, 2);
    await eventually('what was sent is answered', () => held.length === sent);
  }
  let over = false;
  const all = Promise.all(results).finally(() => {
    over = true;
  });
  await eventually('all are answered', () => {
    for (const release of held.splice(0)) release();
    return over;
  });
  const [first, second, third, last] = await all;
  assert.equal(first, 'DEBITED');
  assert.equal(second, 'SETTLED');
  // It waited for the others, and so saw what was committed meanwhile as well.
  assert.match(third!, /^(PARTIALLY_)?REFUNDED$/);
  assert.equal(last, 'REFUNDED');
});

test('fails only the unreadable payment, and every request when the database is gone', async (context) => {
  const { database, rows } = await payments(context, [randomUUID(), randomUUID()], 4);
  const bad = rows[5]!;
  const unreadable = Object.assign(new Error('unexpected chunk number'), { code: 'XX000' });
  const hex = bad.id.replaceAll('-', '');
  const isBad = (values: readonly unknown[]) =>
    (values[1] as Buffer).toString('hex').includes(hex) ? unreadable : undefined;
  const { readPayment } = counting(database, isBad);
  const outcomes = await Promise.allSettled(rows.map((row) => readPayment(row.tenantId, row.id)));
  for (const [index, outcome] of outcomes.entries()) {
    const row = rows[index]!;
    if (row === bad) assert.equal(outcome.status === 'rejected' && outcome.reason, unreadable);
    else
      assert.ok(outcome.status === 'fulfilled' && outcome.value?.description === row.description);
  }
  const gone = Object.assign(new Error('the server is stopping'), { code: '57P01' });
  const failing = counting(database, () => gone);
  const refused = await Promise.allSettled(
    rows.map((row) => failing.readPayment(row.tenantId, row.id)),
  );
  for (const outcome of refused) {
    assert.equal(outcome.status === 'rejected' && outcome.reason, gone);
  }
  assert.deepEqual(failing.sizes, [8, 8], 'together, and once more');
});
