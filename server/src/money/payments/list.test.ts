import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Database, Queryable, Statement } from '../../platform/postgres/database.ts';
import { listPayments, type PaymentFilter } from './list.ts';
import { readPayments } from './read.ts';
import { findPayment } from './store.ts';

const tenantId = randomUUID();

/** Payments of a thousand tenants; one in a hundred still waits for its customer. */
const seed = `
INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
  operator_phone, ask_count, due_at, expires_at, created_at, updated_at)
SELECT CASE WHEN n % 2 = 0 THEN '${tenantId}'::uuid ELSE gen_random_uuid() END, gen_random_uuid(), 3,
  CASE WHEN n % 100 = 0 THEN 'USER_CONFIRMING' WHEN n % 7 = 0 THEN 'DEBITED' ELSE 'SETTLED' END, 1, 0,
  'CVE', 'MOCK', '+2389912345', 0, CASE WHEN n % 100 = 0 THEN now() END, now(), now(), now()
FROM generate_series(1, 20000) AS n`;

/** The plan that PostgreSQL makes for a query. */
async function planOf(database: Database, ask: (queryable: Queryable) => Promise<unknown>) {
  let text = '';
  await ask({
    async query(statement, values) {
      const explain = { text: `EXPLAIN (COSTS OFF) ${statement.text}` };
      const rows = await database.query<Record<string, string>>(explain, values);
      text = rows.map((row) => row['QUERY PLAN']).join('\n');
      return [];
    },
  });
  return text;
}

const plan = (database: Database, filter: PaymentFilter) =>
  planOf(database, (explaining) => listPayments(explaining, tenantId, filter, { limit: 20 }));

test('reads only payments of the requested status', async (context) => {
  const { database } = await freshDatabase(context);
  await database.query({ text: seed });
  await database.query({ text: 'ANALYZE payments' });
  assert.match(await plan(database, { status: 'DEBITED' }), /using payments_closed_status/);
  assert.match(await plan(database, { status: 'USER_CONFIRMING' }), /payments_due/);
  const page = { limit: 1_000 };
  const open = await listPayments(database, tenantId, { status: 'USER_CONFIRMING' }, page);
  const debited = await listPayments(database, tenantId, { status: 'DEBITED' }, page);
  assert.deepEqual([open.length, debited.length], [200, 1_001]);
});

test('finds a payment by its primary key from the first payment on, without statistics', async (context) => {
  const { database } = await freshDatabase(context);
  // Statements are planned once, while the table is empty, and keep their plan until it is analysed.
  const found = await planOf(database, (explaining) =>
    findPayment(explaining, tenantId, randomUUID()),
  );
  assert.match(found, /using payments_pkey/);
  const read = await planOf(database, (explaining) =>
    readPayments(explaining, [{ tenantId, id: randomUUID() }]),
  );
  assert.match(read, /using payments_pkey/);
  assert.match(await plan(database, { operatorPhone: '+2389912345' }), /payments_of_phone/);
});

const commonFilters: PaymentFilter[] = [
  {},
  { status: 'DEBITED' },
  { status: 'USER_CONFIRMING' },
  { operator: 'MOCK' },
  { currency: 'CVE' },
  { customerId: 'c' },
  { externalId: 'e' },
  { createdFromMs: 0 },
  { createdUntilMs: 0 },
];

/** The statement of a list, as it is sent. */
async function statementOf(filter: PaymentFilter, startingAfter?: string): Promise<Statement> {
  let sent: Statement | undefined;
  const queryable: Queryable = {
    async query(statement) {
      sent = statement;
      return [];
    },
  };
  await listPayments(queryable, tenantId, filter, { limit: 20, startingAfter });
  return sent!;
}

test('plans common lists once, along an index from the first payment on', async (context) => {
  const { database } = await freshDatabase(context);
  const names = new Set<string>();
  const texts = new Set<string>();
  for (const filter of commonFilters) {
    for (const startingAfter of [undefined, randomUUID()]) {
      const { name, text } = await statementOf(filter, startingAfter);
      assert.equal((await statementOf(filter, startingAfter)).name, name);
      assert.ok(name);
      names.add(name);
      texts.add(text);
      // As planned on a new connection: for any values, on an empty table.
      const [, ...lines] = await database.query<Record<string, string>>({
        text: `EXPLAIN (GENERIC_PLAN, COSTS OFF) ${text}`,
      });
      const generic = lines.map((row) => row['QUERY PLAN']).join('\n');
      assert.match(generic, /Index Scan/, `${JSON.stringify(filter)}\n${generic}`);
      assert.doesNotMatch(generic, /Seq Scan|Bitmap/, `${JSON.stringify(filter)}\n${generic}`);
    }
  }
  assert.equal(names.size, texts.size, 'a name stands for one text');
  const { name } = await statementOf({ currency: 'CVE', operator: 'MOCK' });
  assert.equal(name, undefined, 'of all ways to combine filters there are too many');
});
