import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { Everywhere, merged } from './everywhere.ts';

const databaseOf = (answer: () => Promise<unknown[]>) => ({ query: answer }) as unknown as Database;

function cellsOf(answers: Record<string, () => Promise<unknown[]>>) {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const databases = new Map(
    Object.entries(answers).map(([cell, answer]) => [cell, databaseOf(answer)]),
  );
  const log = { warn: () => {} };
  const everywhere = new Everywhere({ cells: () => databases, clock, log, patienceMs: 1 });
  return { clock, ask: () => everywhere.ask((database) => database.query<object>({ text: '' })) };
}

const rowsOf = (...ids: number[]) => Promise.resolve(ids.map((id) => ({ id })));

test('a cell that hangs is left out, and is not asked again for some seconds', async () => {
  let asked = 0;
  const { clock, ask } = cellsOf({
    home: () => rowsOf(1),
    north() {
      asked += 1;
      return new Promise(() => {});
    },
    south: () => rowsOf(2),
  });
  const rows = [
    { id: 1, cell: 'home' },
    { id: 2, cell: 'south' },
  ];
  for (const askedSoFar of [1, 1]) {
    assert.deepEqual(await ask(), { rows, away: ['north'] });
    assert.equal(asked, askedSoFar);
  }
  clock.ms += 5_000;
  await ask();
  assert.equal(asked, 2);
});

test('what the home throws is thrown, and so is what says that the question is wrong', async () => {
  const broken = () => Promise.reject(new Error('no such table'));
  const refused = () => Promise.reject(new DomainError('VALIDATION_ERROR', 'no'));
  assert.deepEqual((await cellsOf({ home: () => rowsOf(), north: broken }).ask()).away, ['north']);
  await assert.rejects(cellsOf({ home: broken, north: () => rowsOf() }).ask(), /no such table/);
  await assert.rejects(cellsOf({ home: () => rowsOf(), north: refused }).ask(), DomainError);
});

test('rows of one database keep its order; those of several are put into one', () => {
  const row = (cell: string | undefined, ...key: number[]) => ({ ...(cell && { cell }), key });
  const keyOf = ({ key }: { key: number[] }) => key;
  const own = [row(undefined, 1), row(undefined, 3), row(undefined, 2)];
  assert.deepEqual(merged(own, keyOf), own);
  const several = [row('home', 1, 5), row('home', 1, 1), row('north', 1, 4), row('north', 0, 9)];
  const keys = (rows: { key: number[] }[]) => rows.map(({ key }) => key.join('.'));
  assert.deepEqual(keys(merged(several, keyOf)), ['1.5', '1.4', '1.1', '0.9']);
  const oldestFirst = merged(several, keyOf, { isNewestFirst: false });
  assert.deepEqual(keys(oldestFirst), ['0.9', '1.1', '1.4', '1.5']);
});
