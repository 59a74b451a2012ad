import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../../../test/support/eventually.ts';
import {
  checkWrites,
  merchantWithEverything,
  type TwoCells,
  twoCells,
} from '../../../../test/support/two-cells.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { dropAdded, dropOthersAdded } from './added.ts';
import { type Owner, shapesOf } from './catalog.ts';
import { actAsMover, asMover, changeMark, limitMark, type MarkState, markGone } from './marks.ts';
import { uncheckedTables } from './triggers.ts';

interface World extends TwoCells {
  owner: Owner;
  other: Owner;
  moveId: string;
  database: Database;
}

async function world(context: TestContext): Promise<World> {
  const cells = await twoCells(context);
  const { database } = cells.home;
  const owner = await merchantWithEverything(database);
  const other = await merchantWithEverything(database);
  const moveId = randomUUID();
  await checkWrites(cells.home, owner, moveId);
  return { ...cells, owner, other, moveId, database };
}

async function mark({ database, owner, moveId }: World, state: MarkState, untilMs = 60_000) {
  const text = `
INSERT INTO moving_merchants (merchant_id, move_id, state, stopped_until)
VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
ON CONFLICT (merchant_id) DO UPDATE SET state = excluded.state, stopped_until = excluded.stopped_until`;
  await database.query({ text }, [owner.merchantId, moveId, state, untilMs]);
}

/** What becomes of a write: how many rows it changed, or the SQLSTATE that refused it. */
async function outcome(database: Database, { tenantIds }: Owner, text: string) {
  const full = `WITH done AS (${text} RETURNING 1) SELECT count(*)::integer AS count FROM done`;
  try {
    return (await database.query<{ count: number }>({ text: full }, [tenantIds[0]]))[0]!.count;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

async function takeNotes({ database }: World): Promise<string[]> {
  const text = 'DELETE FROM moving_changes RETURNING table_name AS "table"';
  return (await database.query<{ table: string }>({ text })).map(({ table }) => table).sort();
}

const writes = {
  insert: `
INSERT INTO products (tenant_id, id, name, price_minor, currency, active, created_at, updated_at)
VALUES ($1, gen_random_uuid(), 'x', 1, 'CVE', true, now(), now())`,
  update: `UPDATE products SET name = name || 'x' WHERE tenant_id = $1`,
  remove: `DELETE FROM personal_data_walks WHERE tenant_id = $1`,
  claim: `UPDATE payments SET due_at = now(), asking_until = now() WHERE tenant_id = $1 AND due_at IS NOT NULL`,
  send: `UPDATE payments SET status = 'OPERATOR_PENDING', version = version + 1, sent_at = now() WHERE tenant_id = $1 AND status = 'CREATED'`,
  sendAgain: `UPDATE refunds SET due_at = now(), sent_at = now() WHERE tenant_id = $1 AND due_at IS NOT NULL`,
  result: `UPDATE payments SET status = 'DEBITED', version = version + 1, due_at = NULL WHERE tenant_id = $1 AND due_at IS NOT NULL`,
  payout: `UPDATE settlements SET due_at = now() WHERE tenant_id = $1 AND status = 'PENDING'`,
  payoutBegun: `UPDATE settlements SET status = 'PROCESSING', version = version + 1 WHERE tenant_id = $1 AND status = 'PENDING'`,
  logged: `
INSERT INTO api_request_chunks (tenant_id, id, failed, requests, dropped, first_at, last_at, entries)
VALUES ($1, gen_random_uuid(), false, 1, 0, now(), now(), '')`,
};
type Write = keyof typeof writes;

/** Each write in a transaction that is undone. */
async function outcomes(world: World, of: Owner): Promise<Record<Write, number | string>> {
  const results: Partial<Record<Write, number | string>> = {};
  for (const [name, text] of Object.entries(writes) as [Write, string][]) {
    await world.database
      .transaction(async (transaction) => {
        results[name] = await outcome({ ...world.database, ...transaction }, of, text);
        throw new Error('undone');
      })
      .catch(() => {});
  }
  return results as Record<Write, number | string>;
}

const passes = Object.fromEntries(Object.keys(writes).map((name) => [name, 1]));
const refused = Object.fromEntries(Object.keys(writes).map((name) => [name, 'ZB001']));
const stopped = { ...refused, remove: 0, claim: 0, sendAgain: 0, payout: 0, logged: 0 };

test('what becomes of a write depends on how far the move is', async (context) => {
  const cell = await world(context);
  const states: [MarkState, number, Record<string, number | string>][] = [
    ['COPYING', 0, passes],
    ['DRAINING', 60_000, { ...passes, send: 0, sendAgain: 0, payout: 0, payoutBegun: 0 }],
    ['DRAINING', -1, passes],
    ['STOPPED', 60_000, stopped],
    ['STOPPED', -1, passes],
    ['GONE', -1, stopped],
    ['ARRIVING', -1, stopped],
  ];
  for (const [state, untilMs, expected] of states) {
    await mark(cell, state, untilMs);
    assert.deepEqual(await outcomes(cell, cell.owner), expected, `${state} for ${untilMs} ms`);
    assert.deepEqual(await outcomes(cell, cell.other), passes, `another, beside ${state}`);
  }
});

test('a refused write says so in words for people', async (context) => {
  const cell = await world(context);
  await mark(cell, 'STOPPED');
  await assert.rejects(
    cell.database.query({ text: writes.insert }, [cell.owner.tenantIds[0]]),
    /being moved to another database: send the request again/,
  );
});

test('the keys of what is written are noted while it is copied, and after a stop that ended', async (context) => {
  const cell = await world(context);
  const write = (text: string, of: Owner = cell.owner) => outcome(cell.database, of, text);
  for (const [state, untilMs] of [
    ['COPYING', 0],
    ['STOPPED', -1],
  ] as const) {
    await mark(cell, state, untilMs);
    await write(writes.insert);
    await write(writes.claim);
    await write(`DELETE FROM deliveries WHERE tenant_id = $1`);
    await write(writes.update, cell.other);
    const removed = state === 'COPYING' ? ['deliveries', 'deliveries'] : [];
    assert.deepEqual(await takeNotes(cell), [...removed, 'payments', 'products'], state);
  }
  await mark(cell, 'STOPPED');
  await write(writes.claim);
  assert.deepEqual(await takeNotes(cell), []);
});

test('a row that changes its key is noted under both', async (context) => {
  const cell = await world(context);
  await mark(cell, 'COPYING');
  const text = `UPDATE products SET id = gen_random_uuid() WHERE tenant_id = $1`;
  await outcome(cell.database, cell.owner, text);
  assert.deepEqual(await takeNotes(cell), ['products', 'products']);
});

test('the mover is let pass, and no other run of it', async (context) => {
  const cell = await world(context);
  for (const state of ['GONE', 'ARRIVING'] as const) {
    await mark(cell, state);
    const as = (moveId: string) =>
      cell.database.transaction(async (transaction) => {
        await actAsMover(transaction, moveId);
        return outcome({ ...cell.database, ...transaction }, cell.owner, writes.update);
      });
    assert.equal(await as(cell.moveId), 1);
    assert.equal(await as(randomUUID()).catch(({ code }) => code), 'ZB001');
    const { merchantId } = cell.owner;
    for (const [moveId, isIts] of [
      [cell.moveId, true],
      [randomUUID(), false],
    ] as const) {
      let hasBegun = false;
      const begin = async () => {
        hasBegun = true;
      };
      assert.equal(await asMover(cell.database, { merchantId, moveId }, state, begin), isIts);
      assert.equal(hasBegun, isIts);
    }
  }
  assert.deepEqual(await takeNotes(cell), []);
});

test('a mark changes when those who have read it are done, and whoever comes meanwhile reads the new one', async (context) => {
  const cell = await world(context);
  const { database, owner, moveId } = cell;
  await mark(cell, 'DRAINING');
  const order: string[] = [];
  let stopping: Promise<unknown> | undefined;
  await database.transaction(async (transaction) => {
    await transaction.query({ text: writes.update }, [owner.tenantIds[0]]);
    stopping = limitMark(
      database,
      { merchantId: owner.merchantId, moveId },
      'STOPPED',
      60_000,
    ).then(() => order.push('stopped'));
    await waitsForLock(database);
    // The same transaction goes on as it began, or it would be half done.
    await transaction.query({ text: writes.insert }, [owner.tenantIds[0]]);
    order.push('written');
  });
  await stopping;
  assert.deepEqual(order, ['written', 'stopped']);
  assert.equal(await outcome(database, owner, writes.update), 'ZB001');
});

async function waitsForLock(database: Database): Promise<void> {
  const text = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
  const waits = async () => (await database.query({ text })).length > 0;
  await eventually('the change of the mark waits', waits);
}

test('a stop that has ended is not prolonged, and nobody leaves: others have written since', async (context) => {
  const cell = await world(context);
  const move = { merchantId: cell.owner.merchantId, moveId: cell.moveId };
  await mark(cell, 'STOPPED', 60_000);
  assert.equal(await limitMark(cell.database, move, 'STOPPED', 60_000), true);
  await mark(cell, 'STOPPED', -1);
  assert.equal(await limitMark(cell.database, move, 'STOPPED', 60_000), false);
  const go = () => changeMark(cell.database, move.merchantId, (inside) => markGone(inside, move));
  assert.equal(await go(), false);
  await mark(cell, 'STOPPED', 60_000);
  assert.equal(await go(), true);
});

test('what was installed goes away, for one merchant and not for another', async (context) => {
  const cell = await world(context);
  const { database, home } = cell;
  const others = { moveId: randomUUID() };
  await checkWrites(home, cell.other, others.moveId);
  const text = `SELECT count(*)::integer AS count FROM pg_trigger WHERE tgname LIKE 'moving%'`;
  const count = async () => (await database.query<{ count: number }>({ text }))[0]!.count;
  const both = await count();
  await dropAdded(home.url, cell);
  assert.equal(await count(), both / 2);
  await mark(cell, 'STOPPED');
  assert.equal(await outcome(database, cell.owner, writes.update), 1);
  await dropAdded(home.url, others);
  assert.equal(await count(), 0);
});

test('a run that does not have the merchant takes no check of another away', async (context) => {
  const { home, owner, moveId, database } = await world(context);
  const old = { moveId: randomUUID(), state: 'COPYING' } as const;
  await assert.rejects(dropOthersAdded(home.url, owner, old), { message: /^Another process has/ });
  assert.deepEqual(await uncheckedTables(database, await shapesOf(database), { moveId }), []);
});
