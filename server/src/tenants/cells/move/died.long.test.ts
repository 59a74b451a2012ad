import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { assertQuiet, moverThatHangs } from '../../../../test/support/hanging-mover.ts';
import {
  countIn,
  merchantWithEverything,
  moveOptions,
  quickTiming,
  rowsOf,
  twoCells,
} from '../../../../test/support/two-cells.ts';
import { finishMoves, moveMerchant } from './index.ts';
import type { Step } from './move.ts';

const before: Step[] = ['COPY', 'CATCH_UP', 'DRAIN', 'HOLD', 'STOP', 'CHECK', 'GO'];
const after: Step[] = ['ARRIVE', 'REMOVE'];

for (const at of before) {
  test(`a mover dies before ${at}: the merchant is served where it is, and the next run moves it`, async (context) => {
    const cells = await twoCells(context);
    const { home, north } = cells;
    const owner = await merchantWithEverything(home.database);
    const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', at);
    // Also after a stop, which ends by itself.
    const text = `UPDATE payments SET description = 'new' WHERE tenant_id = $1 RETURNING id`;
    await eventually('a write is taken', () =>
      home.database.query({ text }, [owner.tenantIds[0]]).catch(() => undefined),
    );
    const rows = await rowsOf(home.database, owner);
    await moveMerchant(cells, owner.merchantId, 'north', moveOptions());
    assert.deepEqual(await rowsOf(north.database, owner), rows);

    assert.notEqual(await wakeUp(), 'moved');
    assert.deepEqual(await rowsOf(north.database, owner), rows);
    assert.equal(await countIn(home.database, owner), 0);
    for (const cell of cells.all) await assertQuiet(cell);
  });
}

for (const at of after) {
  test(`a mover dies before ${at}: whoever comes next finishes, once`, async (context) => {
    const cells = await twoCells(context);
    const { home, north } = cells;
    const owner = await merchantWithEverything(home.database);
    const rows = await rowsOf(home.database, owner);
    const wakeUp = await moverThatHangs(cells, owner.merchantId, 'north', at);
    const finished = await Promise.all([
      finishMoves(cells, moveOptions(), silentLog),
      finishMoves(cells, moveOptions(), silentLog),
    ]);
    assert.equal(Math.max(...finished), 1);
    assert.deepEqual(await rowsOf(north.database, owner), rows);
    assert.equal(await countIn(home.database, owner), 0);

    // It goes on where the merchant may be changed by now, and changes nothing.
    const text = `UPDATE payments SET due_at = due_at + interval '1 day' WHERE tenant_id = $1`;
    await north.database.query({ text }, [owner.tenantIds[0]]);
    const changed = await rowsOf(north.database, owner);
    assert.equal(await wakeUp(), 'moved');
    assert.deepEqual(await rowsOf(north.database, owner), changed);
    assert.equal(await countIn(home.database, owner), 0);
    for (const cell of cells.all) await assertQuiet(cell);
    const told = `SELECT actor, count(*)::integer AS count FROM audit_records WHERE action = 'merchant.moved' GROUP BY 1`;
    for (const { database } of cells.all) {
      assert.deepEqual(await database.query({ text: told }), [{ actor: 'cli:maria', count: 1 }]);
    }
  });
}

test('what a dead mover left is taken back by whoever attends to it', async (context) => {
  const cells = await twoCells(context);
  const { home, north } = cells;
  const owner = await merchantWithEverything(home.database);
  const rows = await rowsOf(home.database, owner);
  await moverThatHangs(cells, owner.merchantId, 'north', 'DRAIN');
  assert.equal(await finishMoves(cells, moveOptions(), silentLog), 1);
  assert.deepEqual(await rowsOf(home.database, owner), rows);
  assert.equal(await countIn(north.database, owner), 0);
  for (const cell of cells.all) await assertQuiet(cell);
  assert.equal(await finishMoves(cells, moveOptions(), silentLog), 0);
});

test('where the stop ends before the point of no return, the mover copies what was written since, and stops again', async (context) => {
  const cells = await twoCells(context);
  const { home, north } = cells;
  const owner = await merchantWithEverything(home.database);
  let stops = 0;
  const step = async (now: Step) => {
    if (now !== 'GO') return;
    stops += 1;
    if (stops > 1) return;
    const text = `UPDATE payments SET description = 'new' WHERE tenant_id = $1 RETURNING id`;
    await eventually('a write is taken', () =>
      home.database.query({ text }, [owner.tenantIds[0]]).catch(() => undefined),
    );
  };
  const timing = { ...quickTiming, stopMs: 2_000, maxStopMs: 2_000 };
  await moveMerchant(cells, owner.merchantId, 'north', moveOptions({ step, timing }));
  assert.equal(stops, 2);
  const text = 'SELECT DISTINCT description FROM payments WHERE tenant_id = $1';
  const rows = await north.database.query({ text }, [owner.tenantIds[0]]);
  assert.deepEqual(rows, [{ description: 'new' }]);
});
