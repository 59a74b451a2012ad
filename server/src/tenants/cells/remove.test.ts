import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { testInstallation } from '../../../test/support/cell-installation.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { beginMove } from './move/home.ts';
import { makeRemoveCell } from './remove.ts';

async function installation(context: TestContext) {
  const made = await testInstallation(context);
  const begin = (home: Queryable) => {
    const run = { merchantId: randomUUID(), moveId: randomUUID() };
    return beginMove(home, run, { from: 'south', to: 'north' }, undefined);
  };
  const remove = () =>
    makeRemoveCell({ ...made.dependencies, cellDatabase: made.cells.north })('north');
  return { ...made, begin, remove };
}

/** Both at once: the second waits for the first, which then commits. */
async function secondOf<T>(
  database: Database,
  first: (transaction: Queryable) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  const waiting = await database.transaction(async (transaction) => {
    await first(transaction);
    const result = second();
    result.catch(() => {});
    const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually('it waits', async () => (await database.query({ text })).length > 0);
    return { result };
  });
  return waiting.result;
}

const count = async (database: Database, table: string) =>
  (await database.query({ text: `SELECT FROM ${table}` })).length;

test('no move begins to a cell that is being taken out', async (context) => {
  const { database, begin } = await installation(context);
  const text = `DELETE FROM cells WHERE name = 'north'`;
  const removing = (transaction: Queryable) => transaction.query({ text });
  await assert.rejects(
    secondOf(database, removing, () => begin(database)),
    { name: 'StartError', message: /does not know of this move/ },
  );
  assert.equal(await count(database, 'cell_moves'), 0);
});

test('a cell is not taken out while a move to it begins', async (context) => {
  const { database, begin, remove } = await installation(context);
  await assert.rejects(secondOf(database, begin, remove), {
    name: 'StartError',
    message: /on its way to the cell north/,
  });
  assert.equal(await count(database, 'cells'), 2);
});

test('moves begin to the home, and from it', async (context) => {
  const { database } = await installation(context);
  for (const way of [
    { from: 'home', to: 'south' },
    { from: 'south', to: 'home' },
  ]) {
    const run = { merchantId: randomUUID(), moveId: randomUUID() };
    await beginMove(database, run, way, undefined);
  }
  assert.equal(await count(database, 'cell_moves'), 2);
});
