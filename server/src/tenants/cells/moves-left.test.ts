import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { lockMove } from './move/lock.ts';
import { movesLeft } from './moves-left.ts';

test('of moves that are not done, those count that nobody works on, by what they have come to', async (context) => {
  const { url, database } = await testDatabase(context);
  const [held, switched, copied, done] = Array.from({ length: 4 }, () => randomUUID());
  const text = `
INSERT INTO cell_moves (merchant_id, move_id, from_cell, to_cell, state, began_at, changed_at)
VALUES ($1, $1, 'home', 'north', $2, now() - interval '1 day', now() - $3 * interval '1 minute')`;
  const add = (id: string | undefined, state: string, minutes: number) =>
    database.query({ text }, [id, state, minutes]);
  await add(held, 'HOLDING', 3);
  await add(randomUUID(), 'HOLDING', 2);
  await add(switched, 'SWITCHED', 60);
  await add(copied, 'COPYING', 5);
  await add(done, 'DONE', 90);
  const found = async () =>
    Object.fromEntries(
      (await movesLeft(database)).map((each) => [each.state, Math.floor(each.oldestSeconds / 60)]),
    );
  assert.deepEqual(await found(), { HOLDING: 3, SWITCHED: 60, COPYING: 5 });
  const locks = [await lockMove(url, held!), await lockMove(url, switched!)];
  assert.deepEqual(await found(), { HOLDING: 2, COPYING: 5 }, 'these two are being moved');
  for (const lock of locks) await lock!.release();
  assert.deepEqual(await found(), { HOLDING: 3, SWITCHED: 60, COPYING: 5 });
});
