import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../../test/support/database.ts';
import {
  countIn,
  merchantWithEverything,
  moveOptions,
  rowsOf,
  twoCells,
} from '../../../../test/support/two-cells.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { movingTables } from '../tables.ts';
import { openForMove } from './cells.ts';
import { moveMerchant } from './index.ts';

test('a merchant with every kind of row moves there and back, and nothing is left behind', async (context) => {
  const cells = await twoCells(context);
  const { home, north } = cells;
  const other = await merchantWithEverything(home.database);
  const owner = await merchantWithEverything(home.database);
  const before = await rowsOf(home.database, owner);
  const others = await rowsOf(home.database, other);
  const rights = `SELECT relacl::text AS rights FROM pg_class WHERE oid = 'postings'::regclass`;
  const rightsBefore = await home.database.query({ text: rights });
  for (const { name } of movingTables) assert.ok(before[name]!.length > 0, `a row of ${name}`);

  const moved = await moveMerchant(cells, owner.merchantId, 'north', moveOptions());
  assert.equal(moved.from, 'home');
  assert.deepEqual(await rowsOf(north.database, owner), before);
  assert.equal(await countIn(home.database, owner), 0);
  assert.deepEqual(await rowsOf(home.database, other), others);

  await moveMerchant(cells, owner.merchantId, 'home', moveOptions({ manyRows: 1 }));
  assert.deepEqual(await rowsOf(home.database, owner), before);
  assert.equal(await countIn(north.database, owner), 0);
  // The right to remove postings was lent.
  for (const { database } of cells.all) {
    assert.deepEqual(await database.query({ text: rights }), rightsBefore);
  }
});

const strangers = 50_000;

/** Transactions of a merchant that stays. */
async function crowd(cell: Queryable): Promise<void> {
  const text = `
INSERT INTO operator_transactions (operator, account, operator_tx_id, tenant_id, payment_id, kind)
SELECT 'CVMOVEL', '', md5(number::text), md5('a stranger')::uuid, md5(number::text)::uuid, 'DEBIT'
FROM generate_series(1, ${strangers}) AS number`;
  await cell.query({ text });
}

/** How many rows were read by looking at all of them, once every connection has said so. */
async function readInOrder(cell: Queryable): Promise<number> {
  const text = `
SELECT seq_tup_read::float8 AS count FROM pg_stat_user_tables
WHERE schemaname = current_schema() AND relname = 'operator_transactions'`;
  return (await cell.query<{ count: number }>({ text }))[0]!.count;
}

test('rows of a large table that has no index by merchant are found by one that lasts as long as the move', async (context) => {
  const cells = await twoCells(context);
  const owner = await merchantWithEverything(cells.home.database);
  const before = await rowsOf(cells.home.database, owner);
  for (const { database } of cells.all) await crowd(database);
  const all = cells.all.map((cell) => openForMove(cell, silentLog));
  const counted = await Promise.all(cells.all.map(({ database }) => readInOrder(database)));

  await moveMerchant(
    { home: all[0]!, all },
    owner.merchantId,
    'north',
    moveOptions({ largeBytes: 1 }),
  );
  await Promise.all(all.map(({ database }) => database.close()));

  // PostgreSQL reads the table twice for the index; and whether the new cell has anything of the merchant is asked before.
  for (const [index, { name, database }] of cells.all.entries()) {
    const rows = (await readInOrder(database)) - counted[index]!;
    assert.ok(rows > strangers && rows < 4 * strangers, `${name}: ${rows} rows were read`);
  }
  assert.deepEqual(await rowsOf(cells.north.database, owner), before);
  assert.equal(await countIn(cells.home.database, owner), 0);
  const indexes = `
SELECT c.relname::text AS name FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
WHERE i.indpred IS NOT NULL AND c.relname LIKE 'moving%'`;
  assert.deepEqual(await cells.home.database.query({ text: indexes }), []);
});
