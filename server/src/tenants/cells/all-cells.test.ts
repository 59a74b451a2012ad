import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../platform/postgres/database.ts';
import { AllCells, mergeRows } from './all-cells.ts';

const databaseOf = (answer: () => Promise<unknown[]>) => ({ query: answer }) as unknown as Database;

test('asks all cells, says which cell a row is from, and fails if one cell fails', async () => {
  const rowsOf = (id: number) => () => Promise.resolve([{ id }]);
  const cells = new Map([
    ['home', databaseOf(rowsOf(1))],
    ['north', databaseOf(rowsOf(2))],
  ]);
  const ask = () =>
    new AllCells(() => cells).query((database) => database.query<object>({ text: '' }));
  assert.deepEqual(await ask(), [
    { id: 1, cell: 'home' },
    { id: 2, cell: 'north' },
  ]);
  cells.set(
    'south',
    databaseOf(() => Promise.reject(new Error('no answer'))),
  );
  await assert.rejects(ask(), /no answer/);
});

test('finds what one cell has although another does not answer, and says UNAVAILABLE if no cell has it', async () => {
  const outage = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  const cells = new Map([
    ['home', databaseOf(() => Promise.reject(outage))],
    ['north', databaseOf(() => Promise.resolve([{ id: 2 }]))],
  ]);
  const everywhere = new AllCells(() => cells);
  const first = async (database: Database) => (await database.query<object>({ text: '' }))[0];
  assert.deepEqual(await everywhere.find(first), { id: 2, cell: 'north' });
  cells.set(
    'north',
    databaseOf(() => Promise.resolve([])),
  );
  await assert.rejects(everywhere.find(first), { code: 'UNAVAILABLE' });
});

test('keeps the order of one cell, and merges those of several', () => {
  const row = (cell: string | undefined, ...key: number[]) => ({ ...(cell && { cell }), key });
  const keyOf = ({ key }: { key: number[] }) => key;
  const own = [row(undefined, 1), row(undefined, 3), row(undefined, 2)];
  assert.deepEqual(mergeRows(own, keyOf), own);
  const several = [row('home', 1, 5), row('home', 1, 1), row('north', 1, 4), row('north', 0, 9)];
  const keys = (rows: { key: number[] }[]) => rows.map(({ key }) => key.join('.'));
  assert.deepEqual(keys(mergeRows(several, keyOf)), ['1.5', '1.4', '1.1', '0.9']);
  const oldestFirst = mergeRows(several, keyOf, { isNewestFirst: false });
  assert.deepEqual(keys(oldestFirst), ['0.9', '1.1', '1.4', '1.5']);
});
