import type { Mutation } from './list.ts';

const totals = 'server/src/totals/totals.test.ts';
const count = 'server/src/totals/count.ts';
const fold = 'server/src/totals/fold.ts';
const check = 'server/src/totals/check.ts';

/** Totals are what payments and refunds add up to, each counted once. */
const counting: Mutation[] = [
  {
    name: 'totals: a debit is not counted',
    file: count,
    find: `const countedStatuses = \`('DEBITED', `,
    replace: 'const countedStatuses = `(',
    test: 'server/test/simulation/money.long.test.ts',
  },
  {
    name: 'totals: a settled payment is counted again',
    file: count,
    find: `const countedStatuses = \`('DEBITED', `,
    replace: `const countedStatuses = \`('DEBITED', 'SETTLED', `,
    test: totals,
  },
  {
    name: 'totals: a refund is not counted',
    file: count,
    find: "FROM moved WHERE status = 'SUCCEEDED'",
    replace: 'FROM moved WHERE false',
    test: totals,
  },
  {
    name: 'totals: payments count in the hour of their outcome',
    file: count,
    find: "hourOf('created_at')}, operator, currency,\n    CASE status",
    replace: "hourOf('updated_at')}, operator, currency,\n    CASE status",
    test: totals,
  },
  {
    name: 'totals: folding forgets what was there',
    file: fold,
    find: 'item_count = t.item_count + excluded.item_count,',
    replace: 'item_count = excluded.item_count,',
    test: totals,
  },
  {
    name: 'totals: a folded delta stays',
    file: fold,
    find: 'DELETE FROM payment_total_deltas WHERE ctid',
    replace: 'UPDATE payment_total_deltas SET fee_minor = fee_minor WHERE ctid',
    test: totals,
  },
  {
    name: 'totals: the check sees what is folded only',
    file: count,
    find: ' FROM payment_total_deltas`',
    replace: ' FROM payment_total_deltas WHERE false`',
    test: totals,
  },
  {
    name: 'totals: the check of the ledger leaves the totals out',
    file: 'server/src/ledger/check.ts',
    find: '    ...(await totalsProblems(snapshot)),\n',
    replace: '',
    test: 'server/test/flows/totals.test.ts',
  },
  {
    name: 'totals: a recount leaves the days as they are',
    file: check,
    find: 'for (const text of rebuildDays) await',
    replace: 'for (const text of []) await',
    test: totals,
  },
  {
    name: 'totals: an upgrade leaves out what was refunded in part',
    file: 'server/migrations/0022-totals.sql',
    find: "WHEN p.status IN ('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED') THEN",
    replace: "WHEN p.status IN ('DEBITED', 'SETTLED', 'REFUNDED') THEN",
    test: 'server/src/totals/upgrade.test.ts',
  },
  {
    name: 'totals: an upgrade puts payments of Angola into the days of another place',
    file: 'server/migrations/0022-totals.sql',
    find: "INTERVAL '1 hour', 'UTC') - INTERVAL '1 hour')",
    replace: "INTERVAL '1 hour', 'UTC') + INTERVAL '1 hour')",
    test: 'server/src/totals/upgrade.test.ts',
  },
  {
    name: 'totals: two recounts at once add the difference twice',
    file: check,
    find: '    await transaction.query(lockStatement);\n',
    replace: '',
    test: totals,
  },
];

/** What torture must see of folding: it never stops, and is killed with everything else. */
const folding: Mutation[] = [
  {
    name: 'torture: deltas are taken in one transaction and added to the totals in another',
    file: fold,
    find: 'const [row] = await database.query<{ count: number }>(foldStatement, [limit]);',
    replace: `const text = 'DELETE FROM payment_total_deltas RETURNING *';
  const held = await database.query<object>({ text });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const back = \`INSERT INTO payment_total_deltas SELECT (jsonb_populate_record(NULL::payment_total_deltas, each)).*
    FROM jsonb_array_elements($1::jsonb) AS each\`;
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
  const rows = held.map((each) => ({ ...each, hour: new Date((each as { hour: number }).hour) }));
  await database.query({ text: back }, [JSON.stringify(rows, plain)]);
  const [row] = await database.query<{ count: number }>(foldStatement, [limit]);`,
    test: 'server/test/torture/torture.long.test.ts',
  },
  {
    name: 'totals: two processes that fold at once fold the same',
    file: fold,
    find: `  DELETE FROM payment_total_deltas WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM payment_total_deltas WHERE \${isNotOfMoved('tenant_id')} LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING \${totalColumns}
),`,
    replace: `  SELECT ctid AS place, \${totalColumns} FROM payment_total_deltas LIMIT $1
),
gone AS (
  DELETE FROM payment_total_deltas WHERE ctid IN (SELECT place FROM taken)
),`,
    test: totals,
  },
];

const search = 'server/src/payments/search.test.ts';
const searching = 'server/src/payments/search.ts';

/** The one box finds what people know of a payment, and only their own. */
const finding: Mutation[] = [
  {
    name: 'search: the payments of all merchants are looked through for a transaction',
    file: searching,
    find: '  WHERE booked.tenant_id = $1`;',
    replace: '`;',
    test: search,
  },
  {
    name: 'search: only the first account at an operator is asked for a transaction',
    file: searching,
    find: 'WHERE (o.operator, o.account) > (a.operator, a.account)',
    replace: 'WHERE o.operator > a.operator',
    test: search,
  },
  {
    name: 'search: a national number of Angola is not understood',
    file: 'server/src/payments/search-term.ts',
    find: "{ code: '244', length: 9 },",
    replace: '',
    test: search,
  },
  {
    name: 'search: an amount is looked for in a whole history',
    file: 'server/src/payments/narrow.ts',
    find: 'if (lookedThrough <= maxLookedThrough) return undefined;',
    replace: 'return undefined;',
    test: search,
  },
  {
    name: 'search: of several statuses each has a page of its own',
    file: 'server/src/payments/list.ts',
    find: '    ORDER BY id DESC LIMIT $2`;',
    replace: '    ORDER BY id DESC`;',
    test: search,
  },
  {
    name: 'totals: what today has had so far is compared with nothing',
    file: 'server/src/totals/read.ts',
    find: '(local - make_interval(days',
    replace: '(today - make_interval(days',
    test: 'server/src/totals/read.test.ts',
  },
  {
    name: 'payments: the index of phones is open to questions without a phone',
    file: 'server/migrations/0025-index-of-phones.sql',
    find: ' WHERE operator_phone IS NOT NULL',
    replace: '',
    test: 'server/src/payments/list.test.ts',
  },
];

export const totalsMutations: Mutation[] = [...counting, ...folding, ...finding];
