import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countIn,
  merchantWithEverything,
  moveOptions,
  rowsOf,
  twoCells,
} from '../../../test/support/two-cells.ts';
import { movingTables } from '../tables.ts';
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
