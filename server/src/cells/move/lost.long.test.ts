import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../../test/support/database.ts';
import { assertQuiet, moverThatHangs } from '../../../test/support/hanging-mover.ts';
import {
  countIn,
  merchantWithEverything,
  moveOptions,
  rowsOf,
  type TwoCells,
  twoCells,
} from '../../../test/support/two-cells.ts';
import { formatId } from '../../ids.ts';
import type { Queryable } from '../../postgres/database.ts';
import { migrate } from '../../postgres/migrations.ts';
import { type Owner, shapesOf } from './catalog.ts';
import { findMove } from './home.ts';
import { finishMoves, moveMerchant } from './index.ts';
import { findMark, type Run } from './marks.ts';
import { removeRows } from './remove.ts';

interface World extends TwoCells {
  owner: Owner;
  /** What it had before. */
  rows: Record<string, string[]>;
}

async function world(context: TestContext): Promise<World> {
  const cells = await twoCells(context);
  const owner = await merchantWithEverything(cells.home.database);
  return { ...cells, owner, rows: await rowsOf(cells.home.database, owner) };
}

const finish = (cells: TwoCells) => finishMoves(cells, moveOptions(), silentLog);

async function runOf({ home, owner: { merchantId } }: World): Promise<Run> {
  const { moveId } = (await findMove(home.database, merchantId))!;
  return { merchantId, moveId };
}

/** The target fails over to a standby that has not had the last transaction of the copy. */
async function loseCopy(cells: World): Promise<void> {
  const { database } = cells.north;
  const shapes = await shapesOf(database);
  await removeRows(database, shapes, cells.owner, await runOf(cells), 'ARRIVING');
}

/** The old cell fails over to a standby that has not had the point of no return. */
const loseGone = ({ home }: World) =>
  home.database.query({
    text: `UPDATE moving_merchants SET state = 'STOPPED', stopped_until = now() - interval '1 s'`,
  });

/** As docs/cells.md has it. */
const serveAgain = ({ home, owner: { merchantId } }: World) =>
  home.database.query(
    { text: `UPDATE moving_merchants SET state = 'COPYING' WHERE merchant_id = $1` },
    [merchantId],
  );

const write = (cell: Queryable, { tenantIds }: Owner, description = 'new') => {
  const text = `UPDATE payments SET description = $2 WHERE tenant_id = $1 RETURNING id`;
  return cell.query({ text }, [tenantIds[0], description]);
};

async function descriptionsIn(cell: Queryable, { tenantIds }: Owner): Promise<unknown> {
  const text = 'SELECT DISTINCT description FROM payments WHERE tenant_id = $1';
  return cell.query({ text }, [tenantIds[0]]);
}

test('what the new cell has lost is kept in the old one, and whoever would remove it says so', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', 'REMOVE');
  // Restored from when the merchant had been there before.
  await home.database.query({ text: 'DROP SCHEMA north CASCADE' });
  await home.database.query({ text: 'CREATE SCHEMA north' });
  await migrate(north.url, { now: new Date() });
  for (const table of ['merchants', 'tenants'])
    await home.database.query({ text: `INSERT INTO north.${table} SELECT * FROM ${table}` });

  const words = `The cell north has not what ${formatId('me', owner.merchantId)} had in home: its rows there are kept.`;
  assert.equal(await finish(cells), 0);
  assert.equal(await wakeUp(), words);
  const again = moveMerchant(cells, owner.merchantId, 'north', moveOptions());
  await assert.rejects(again, { message: words });
  assert.equal(await countIn(home.database, owner), Object.values(rows).flat().length);

  // As docs/cells.md has it.
  await home.database.query({ text: 'DELETE FROM north.tenants; DELETE FROM north.merchants' });
  await serveAgain(cells);
  assert.equal(await finish(cells), 1);
  const directory = `
SELECT t.cell, m.to_cell AS "toCell", m.state FROM cell_tenants t JOIN cell_moves m USING (merchant_id)`;
  const place = { cell: 'home', toCell: 'home', state: 'DONE' };
  assert.deepEqual(await home.database.query({ text: directory }), [place, place]);
  await write(home.database, owner);
  await assertQuiet(home);
});

test('a merchant does not arrive where the last of its copy was lost; it may be served again where it was', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', 'ARRIVE');
  await loseCopy(cells);
  assert.match(await wakeUp(), /^The cell north has not what me_/);
  assert.equal(await finish(cells), 0);
  assert.deepEqual(await rowsOf(home.database, owner), rows);
  assert.equal((await findMark(home.database, owner.merchantId))!.state, 'GONE');

  await serveAgain(cells);
  assert.equal(await finish(cells), 1);
  assert.deepEqual(await rowsOf(home.database, owner), rows);
  assert.equal(await countIn(north.database, owner), 0);
  for (const cell of cells.all) await assertQuiet(cell);
});

test('an old cell that has lost that the merchant left says it again, and keeps nothing', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', 'ARRIVE');
  await loseGone(cells);
  assert.equal(await wakeUp(), 'moved');
  assert.deepEqual(await rowsOf(north.database, owner), rows);
  assert.equal(await countIn(home.database, owner), 0);
  for (const cell of cells.all) await assertQuiet(cell);
});

test('an old cell that has lost that the merchant left, and has taken writes since, keeps it', async (context) => {
  const cells = await world(context);
  const { home, north, owner } = cells;
  const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', 'ARRIVE');
  await loseGone(cells);
  await write(home.database, owner);
  assert.match(await wakeUp(), /^The cell home has lost that me_\w+ left for north/);
  assert.equal(await finish(cells), 1);
  assert.deepEqual(await descriptionsIn(home.database, owner), [{ description: 'new' }]);
  assert.equal(await countIn(north.database, owner), 0);
  for (const cell of cells.all) await assertQuiet(cell);
});

test('where both cells have taken writes, the old one takes no more, and what it has is kept', async (context) => {
  const cells = await world(context);
  const { home, owner } = cells;
  const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', 'REMOVE');
  await loseGone(cells);
  await write(home.database, owner);
  assert.equal(await finish(cells), 0);
  assert.match(await wakeUp(), /^The cell home has taken writes of me_\w+ that north has not/);
  assert.deepEqual(await descriptionsIn(home.database, owner), [{ description: 'new' }]);
  await assert.rejects(write(home.database, owner, 'newer'), { code: 'ZB001' });
});

test('a move that the home has forgotten past the point of no return is finished from the marks', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', 'ARRIVE');
  await home.database.query({ text: 'DELETE FROM cell_moves' });
  assert.equal(await finish(cells), 1);
  assert.deepEqual(await rowsOf(north.database, owner), rows);
  assert.equal(await countIn(home.database, owner), 0);
  assert.equal(await wakeUp(), 'moved');
  for (const cell of cells.all) await assertQuiet(cell);
  assert.equal(await finish(cells), 0);
});

test('a mover that the home has forgotten while it copied goes no further', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', 'DRAIN');
  await home.database.query({ text: 'DELETE FROM cell_moves' });
  assert.match(await wakeUp(), /^The home does not know of this move any more/);
  assert.deepEqual(await rowsOf(home.database, owner), rows);
  assert.equal(await countIn(north.database, owner), 0);
  for (const cell of cells.all) await assertQuiet(cell);
});

test('a mover that lost its lock before it began leaves the run of the next one alone', async (context) => {
  const cells = await world(context);
  const { north, owner, rows } = cells;
  const wakeFirst = await moverThatHangs(cells, owner.merchantId, 'north', 'BEGIN');
  const wakeSecond = await moverThatHangs(cells, owner.merchantId, 'north', 'COPY');
  assert.match(await wakeFirst(), /^The home does not know of this move any more/);
  assert.equal(await wakeSecond(), 'moved');
  assert.deepEqual(await rowsOf(north.database, owner), rows);
});

test('a move that cannot be finished keeps no other back', async (context) => {
  const cells = await world(context);
  const { home, north, owner } = cells;
  const other = await merchantWithEverything(home.database);
  await moverThatHangs(cells, owner.merchantId, 'north', 'ARRIVE');
  await loseCopy(cells);
  await moverThatHangs(cells, other.merchantId, 'north', 'DRAIN');
  const told: object[] = [];
  const log = { warn: (fields: object) => void told.push(fields) };
  assert.equal(await finishMoves(cells, moveOptions(), log as typeof silentLog), 1);
  assert.equal((await findMark(home.database, other.merchantId))?.state, undefined);
  assert.equal(await countIn(north.database, other), 0);
  const [{ merchantId, reason }] = told as [{ merchantId: string; reason: string }];
  assert.deepEqual([told.length, merchantId], [1, owner.merchantId]);
  assert.match(reason, /^The cell north has not what/);
});
