import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { assertQuiet, loseLock, moverThatHangs } from '../../../../test/support/hanging-mover.ts';
import {
  checkWrites,
  countIn,
  merchantWithEverything,
  moveOptions,
  rowsOf,
  type TwoCells,
  twoCells,
} from '../../../../test/support/two-cells.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { migrate } from '../../../platform/postgres/migrations.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { settleRestored } from '../restored.ts';
import { type Owner, shapesOf } from './catalog.ts';
import { findMove, forgetMove } from './home.ts';
import { finishMoves, moveMerchant } from './index.ts';
import { findMark, lockKey, type Run, takeBack } from './marks.ts';
import type { Step } from './move.ts';
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
  const last = (await shapesOf(database)).filter(({ copied }) => copied === 'LAST');
  await removeRows(database, last, cells.owner, await runOf(cells), 'ARRIVING');
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

  const words = `The cell north does not have what ${formatId('me', owner.merchantId)} had in home: its rows there are kept.`;
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
  // Also what was due is due again.
  assert.deepEqual(await rowsOf(home.database, owner), rows);
  await write(home.database, owner);
  await assertQuiet(home);
});

test('a backup from when a merchant had just left brings it back as it was, where no other cell has it', async (context) => {
  const cells = await world(context);
  const { home, owner, rows } = cells;
  await moverThatHangs(cells, owner.merchantId, 'north', 'REMOVE');
  const { database } = home;
  await database.transaction((transaction) => settleRestored(transaction, 'home', []));
  assert.deepEqual(await rowsOf(database, owner), rows);
});

test('while the new cell is away, the old one does not look at what has left it, again and again', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', 'ARRIVE');
  await home.database.query({ text: 'ALTER SCHEMA north RENAME TO away' });
  assert.equal(await finish(cells), 0);
  const text = `SELECT FROM payments WHERE due_at < now() + interval '1 year'`;
  assert.equal((await home.database.query({ text })).length, 0);
  await home.database.query({ text: 'ALTER SCHEMA away RENAME TO north' });
  assert.equal(await wakeUp(), 'moved');
  assert.deepEqual(await rowsOf(north.database, owner), rows);
});

test('a merchant does not arrive where the last of its copy was lost; it may be served again where it was', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', 'ARRIVE');
  await loseCopy(cells);
  assert.match(await wakeUp(), /^The cell north does not have what me_/);
  assert.equal(await finish(cells), 0);
  assert.equal(await countIn(home.database, owner), Object.values(rows).flat().length);
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
  assert.match(
    await wakeUp(),
    /^The cell home has taken writes of me_\w+ that north does not have/,
  );
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

test('a move that the home has forgotten, and an earlier one of the merchant not, is finished', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  await moveMerchant(cells, owner.merchantId, 'north', moveOptions());
  await moveMerchant(cells, owner.merchantId, 'home', moveOptions());
  await home.database.query({ text: 'CREATE TABLE earlier AS SELECT * FROM cell_moves' });
  await moverThatHangs(cells, owner.merchantId, 'north', 'ARRIVE');
  // The home fails over to a standby that is behind.
  await home.database.query({ text: 'DELETE FROM cell_moves' });
  await home.database.query({ text: 'INSERT INTO cell_moves SELECT * FROM earlier' });
  assert.equal(await finish(cells), 1);
  assert.deepEqual(await rowsOf(north.database, owner), rows);
  assert.equal(await countIn(home.database, owner), 0);
  for (const cell of cells.all) await assertQuiet(cell);
});

test('whoever is served again where it was has its due rows at once, although a backup is made', async (context) => {
  const cells = await world(context);
  const { home, owner, rows } = cells;
  await moverThatHangs(cells, owner.merchantId, 'north', 'ARRIVE');
  await loseCopy(cells);
  assert.equal(await finish(cells), 0);
  const parked = `SELECT FROM payments WHERE due_at > now() + interval '1 year'`;
  assert.equal((await home.database.query({ text: parked })).length, 1);
  await serveAgain(cells);
  const finishing = await home.database.transaction(async (transaction) => {
    // A backup holds all tables to its end.
    await transaction.query({ text: 'LOCK TABLE payments IN ACCESS SHARE MODE' });
    const finished = finish(cells);
    await eventually('it is due', async () => {
      return (await home.database.query({ text: parked })).length === 0;
    });
    return { finished };
  });
  assert.equal(await finishing.finished, 1);
  assert.deepEqual(await rowsOf(home.database, owner), rows);
});

test('nobody takes a merchant back from where it has gone, mark and all', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  // The mover dies before it tells the home that it is done.
  await moverThatHangs(cells, owner.merchantId, 'north', 'DONE');
  await home.database.query({ text: `UPDATE cell_moves SET state = 'SWITCHED'` });
  assert.equal(await takeBack(home.database, await runOf(cells)), false);
  assert.equal(await finish(cells), 1);
  assert.deepEqual(await rowsOf(north.database, owner), rows);
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

test('a mover that lost its lock before it began leaves a merchant alone that another has moved', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', 'BEGIN');
  await moveMerchant(cells, owner.merchantId, 'north', moveOptions());
  assert.match(await wakeUp(), /^The home does not know of this move any more/);
  assert.deepEqual(await rowsOf(north.database, owner), rows);
  assert.equal(await countIn(home.database, owner), 0);
  for (const cell of cells.all) await assertQuiet(cell);
});

test('a mover that was called off before its marks makes none', async (context) => {
  const cells = await world(context);
  const { home, owner, rows } = cells;
  const { merchantId } = owner;
  const moving = await home.database.transaction(async (transaction) => {
    await transaction.query({ text: `SELECT pg_advisory_xact_lock(${lockKey(merchantId)})` });
    const ended = moveMerchant(cells, merchantId, 'north', moveOptions()).then(
      () => 'moved',
      (error: Error) => error.message,
    );
    await eventually('it has begun', () => findMove(home.database, merchantId));
    await forgetMove(home.database, await runOf(cells));
    return { ended };
  });
  assert.match(await moving.ended, /^The home does not know of this move any more/);
  assert.deepEqual(await rowsOf(home.database, owner), rows);
  for (const cell of cells.all) await assertQuiet(cell);
});

test('a mover that is called off while it has writes checked leaves no check behind', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  const triggersOn = (table: string) => {
    const text = `SELECT FROM pg_trigger WHERE tgrelid = 'north.${table}'::regclass AND tgname LIKE 'moving%'`;
    return home.database.query({ text });
  };
  const moving = await home.database.transaction(async (transaction) => {
    const last = 'LOCK TABLE north.personal_data_walks IN ROW EXCLUSIVE MODE';
    await transaction.query({ text: last });
    const ended = moveMerchant(cells, owner.merchantId, 'north', moveOptions()).then(
      () => 'moved',
      (error: Error) => error.message,
    );
    await eventually('it is at the last table', async () => {
      return (await triggersOn('erasing_payments')).length > 0;
    });
    await loseLock(cells);
    assert.equal(await finish(cells), 1);
    return { ended };
  });
  assert.match(await moving.ended, /^Another process has taken over/);
  for (const cell of cells.all) await assertQuiet(cell);
  await moveMerchant(cells, owner.merchantId, 'north', moveOptions());
  assert.deepEqual(await rowsOf(north.database, owner), rows);
});

test('checks that a run has left behind are in nobody’s way', async (context) => {
  const cells = await world(context);
  const { home, north, owner, rows } = cells;
  await checkWrites(home, owner, randomUUID());
  await checkWrites(north, owner, randomUUID());
  await moveMerchant(cells, owner.merchantId, 'north', moveOptions());
  assert.deepEqual(await rowsOf(north.database, owner), rows);
  assert.equal(await countIn(home.database, owner), 0);
  for (const cell of cells.all) await assertQuiet(cell);
});

for (const [name, what] of [
  ['home', 'the cell that it leaves was migrated meanwhile'],
  ['north', 'the cell that it comes to was migrated meanwhile'],
] as const) {
  test(`a merchant stays where it is when ${what}`, async (context) => {
    const cells = await world(context);
    const { home, owner, rows } = cells;
    const step = async (now: Step) => {
      if (now !== 'CHECK') return;
      const text = `UPDATE schema_migrations SET checksum = 'another' WHERE number = 1`;
      await cells[name].database.query({ text });
    };
    const moving = moveMerchant(cells, owner.merchantId, 'north', moveOptions({ step }));
    await assert.rejects(moving, { message: new RegExp(`^The cell ${name} was migrated while`) });
    assert.deepEqual(await rowsOf(home.database, owner), rows);
    for (const cell of cells.all) await assertQuiet(cell);
  });
}

test('a merchant stays where it is when its cell has lost a check of its writes', async (context) => {
  const cells = await world(context);
  const { home, owner, rows } = cells;
  const step = async (now: Step) => {
    if (now !== 'GO') return;
    const text = `
SELECT tgname::text AS name FROM pg_trigger
WHERE tgrelid = 'postings'::regclass AND tgname LIKE 'moving%' LIMIT 1`;
    const [row] = await home.database.query<{ name: string }>({ text });
    await home.database.query({ text: `DROP TRIGGER ${row!.name} ON postings` });
  };
  const moving = moveMerchant(cells, owner.merchantId, 'north', moveOptions({ step }));
  await assert.rejects(moving, { message: /^The cell home has lost the check of writes to post/ });
  assert.deepEqual(await rowsOf(home.database, owner), rows);
  for (const cell of cells.all) await assertQuiet(cell);
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
  assert.match(reason, /^The cell north does not have what/);
});
