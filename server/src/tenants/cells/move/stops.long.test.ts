import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { assertQuiet, moverThatHangs } from '../../../../test/support/hanging-mover.ts';
import {
  countIn,
  merchantWithEverything,
  moveOptions,
  rowsOf,
  twoCells,
} from '../../../../test/support/two-cells.ts';
import { findMove } from './home.ts';
import { finishMoves, moveMerchant } from './index.ts';
import { asMover } from './marks.ts';
import type { Step } from './move.ts';

/** Moves a merchant, with something done at a step the first time that it comes. @returns the steps, in order */
async function moveWith(
  context: TestContext,
  at: Step,
  meddle: (query: (text: string) => Promise<unknown>) => Promise<void>,
) {
  const cells = await twoCells(context);
  const { home, north } = cells;
  const owner = await merchantWithEverything(home.database);
  const query = (text: string) => home.database.query({ text }, []);
  const steps: Step[] = [];
  const step = async (now: Step) => {
    steps.push(now);
    if (now === at && steps.filter((one) => one === at).length === 1) await meddle(query);
  };
  await moveMerchant(cells, owner.merchantId, 'north', moveOptions({ step }));
  const text = 'SELECT DISTINCT description FROM payments WHERE tenant_id = $1';
  const descriptions = await north.database.query({ text }, [owner.tenantIds[0]]);
  assert.equal(await countIn(home.database, owner), 0);
  return { steps, descriptions };
}

const stopFor = (words: string) =>
  `UPDATE moving_merchants SET stopped_until = clock_timestamp() ${words}`;

test('what was written during a stop that the clock had ended goes along, although the clock was set back', async (context) => {
  const { steps, descriptions } = await moveWith(context, 'GO', async (query) => {
    await query(stopFor(`- interval '1 s'`));
    await query(`UPDATE payments SET description = 'new'`);
    await query(stopFor(`+ interval '1 minute'`));
  });
  assert.deepEqual(descriptions, [{ description: 'new' }]);
  assert.equal(steps.filter((step) => step === 'STOP').length, 2);
});

for (const at of ['HOLD', 'STOP'] as const) {
  test(`a mover that was frozen before ${at} waits for requests to operators again`, async (context) => {
    const { steps } = await moveWith(context, at, async (query) => {
      await query(stopFor(`- interval '1 s'`));
    });
    const drains = steps.filter((step) => step === 'DRAIN' || step === 'CHECK');
    assert.deepEqual(drains, ['DRAIN', 'DRAIN', 'CHECK']);
  });
}

test('a move is not called off beside the last transaction of a mover that has lost its lock', async (context) => {
  const cells = await twoCells(context);
  const { home, north } = cells;
  const owner = await merchantWithEverything(home.database);
  const rows = await rowsOf(home.database, owner);
  const { merchantId } = owner;
  const wakeUp = await moverThatHangs(cells, merchantId, 'north', 'STOP');
  const { moveId } = (await findMove(home.database, merchantId))!;
  let finishing: Promise<number> | undefined;
  const waits = async () => {
    const text = `
SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await home.database.query({ text })).length > 0;
  };
  // A transaction that reads the tables of the old cell would hold these up as well.
  for (const table of ['merchants', 'tenants'])
    await home.database.query({ text: `CREATE TABLE ${table}_read AS SELECT * FROM ${table}` });
  await asMover(north.database, { merchantId, moveId }, 'ARRIVING', async (transaction) => {
    for (const table of ['merchants', 'tenants'])
      await transaction.query({ text: `INSERT INTO ${table} SELECT * FROM public.${table}_read` });
    finishing = finishMoves(cells, moveOptions(), silentLog);
    await eventually('the calling off waits for it', waits);
  });
  assert.equal(await finishing, 1);
  assert.equal(await countIn(north.database, owner), 0);
  assert.notEqual(await wakeUp(), 'moved');
  assert.deepEqual(await rowsOf(home.database, owner), rows);
  assert.equal(await countIn(north.database, owner), 0);
  for (const cell of cells.all) await assertQuiet(cell);
});
