import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  countIn,
  merchantWithEverything,
  moveOptions,
  rowsOf,
  type TwoCells,
  twoCells,
} from '../../../../test/support/two-cells.ts';
import { moveMerchant } from './index.ts';
import { actAsMover } from './marks.ts';
import type { Step } from './move.ts';

const refusal = (moving: Promise<unknown>) =>
  moving.then(
    () => 'moved',
    ({ message }: Error) => message,
  );

test('what cannot be moved is refused in words, and nothing is begun', async (context) => {
  const cells = await twoCells(context);
  const { merchantId } = await merchantWithEverything(cells.home.database);
  const move = (id: string, to: string) => refusal(moveMerchant(cells, id, to, moveOptions()));
  assert.match(await move(randomUUID(), 'north'), /^There is no merchant me_/);
  assert.match(await move(merchantId, 'east'), /^There is no cell "east"\.$/);
  assert.match(await move(merchantId, 'home'), /is in the cell home already/);
  const { database } = cells.north;
  const key = 'UPDATE phone_digest_key SET box = $1';
  const keys = { text: 'SELECT box FROM phone_digest_key' };
  const { box } = (await database.query<{ box: Buffer }>(keys))[0]!;
  await database.query({ text: key }, [Buffer.from('of another installation')]);
  assert.match(await move(merchantId, 'north'), /key of digests of the cell north is not that/);
  await database.query({ text: key }, [box]);
  const text =
    'DELETE FROM schema_migrations WHERE number = (SELECT max(number) FROM schema_migrations)';
  await database.query({ text });
  assert.match(await move(merchantId, 'north'), /home and north do not have the same migrations/);
  assert.deepEqual(await cells.home.database.query({ text: 'SELECT FROM cell_moves' }), []);
});

test('nobody moves to a cell on Citus, or away', async (context) => {
  const cells = await twoCells(context);
  const { merchantId } = await merchantWithEverything(cells.home.database);
  const north = { ...cells.north, engine: 'CITUS' as const };
  const onCitus = { ...cells, all: [cells.home, north] };
  const said = await refusal(moveMerchant(onCitus, merchantId, 'north', moveOptions()));
  assert.match(said, /north is on Citus: merchants move between cells of PostgreSQL only/);
});

test('a second mover of the same merchant is refused, one of another is not', async (context) => {
  const cells = await twoCells(context);
  const { merchantId } = await merchantWithEverything(cells.home.database);
  const other = await merchantWithEverything(cells.home.database);
  const step = async (now: Step) => {
    if (now !== 'DRAIN') return;
    const second = moveMerchant(cells, merchantId, 'north', moveOptions());
    assert.match(await refusal(second), /^Another process moves me_/);
    await moveMerchant(cells, other.merchantId, 'north', moveOptions());
  };
  await moveMerchant(cells, merchantId, 'north', moveOptions({ step }));
  assert.equal(await countIn(cells.home.database, other), 0);
});

/** Writes as the mover does, behind its back. */
async function plant(cells: TwoCells, text: string): Promise<void> {
  const { database } = cells.north;
  const marks = 'SELECT move_id AS "moveId" FROM moving_merchants';
  const [mark] = await database.query<{ moveId: string }>({ text: marks });
  await database.transaction(async (transaction) => {
    await actAsMover(transaction, mark!.moveId);
    await transaction.query({ text });
  });
}

const faults = {
  payments: 'UPDATE payments SET amount_minor = amount_minor + 1 WHERE due_at IS NULL',
  deliveries: `UPDATE deliveries SET due_at = due_at + interval '1 millisecond'`,
  events: 'DELETE FROM events',
};

for (const [table, text] of Object.entries(faults)) {
  test(`a copy that differs in ${table} is found, and the merchant stays`, async (context) => {
    const cells = await twoCells(context);
    const owner = await merchantWithEverything(cells.home.database);
    const rows = await rowsOf(cells.home.database, owner);
    const step = (now: Step) => (now === 'CHECK' ? plant(cells, text) : undefined);
    const moving = moveMerchant(cells, owner.merchantId, 'north', moveOptions({ step }));
    assert.match(
      await refusal(moving),
      new RegExp(
        `^The copy is not what it was made of: ${table} \\(\\d rows here, \\d there\\)\\.$`,
      ),
    );
    assert.deepEqual(await rowsOf(cells.home.database, owner), rows);
    assert.equal(await countIn(cells.north.database, owner), 0);
    await moveMerchant(cells, owner.merchantId, 'north', moveOptions());
    assert.deepEqual(await rowsOf(cells.north.database, owner), rows);
  });
}

test('what was compared before writes stopped, and has changed since, is compared again', async (context) => {
  const cells = await twoCells(context);
  const owner = await merchantWithEverything(cells.home.database);
  const change = `UPDATE payments SET description = 'new' WHERE tenant_id = $1 AND due_at IS NULL`;
  const step = async (now: Step) => {
    if (now === 'DRAIN') await cells.home.database.query({ text: change }, [owner.tenantIds[0]]);
    if (now === 'CHECK') await plant(cells, faults.payments);
  };
  const options = moveOptions({ step, manyRows: 1 });
  const said = await refusal(moveMerchant(cells, owner.merchantId, 'north', options));
  assert.match(said, /^The copy is not what it was made of: payments \(/);
});

test('a row that is missing in the copy is missed, although its table was compared before', async (context) => {
  const cells = await twoCells(context);
  const owner = await merchantWithEverything(cells.home.database);
  const step = (now: Step) => (now === 'CHECK' ? plant(cells, faults.events) : undefined);
  const options = moveOptions({ step, manyRows: 1 });
  const said = await refusal(moveMerchant(cells, owner.merchantId, 'north', options));
  assert.match(said, /^The copy is not what it was made of: events \(/);
});

test('a table whose copy is wrong is found while it is served, and compared again at the end', async (context) => {
  const cells = await twoCells(context);
  const owner = await merchantWithEverything(cells.home.database);
  const step = (now: Step) => (now === 'COMPARE' ? plant(cells, faults.payments) : undefined);
  const options = moveOptions({ step, manyRows: 1 });
  const said = await refusal(moveMerchant(cells, owner.merchantId, 'north', options));
  assert.match(said, /^The copy is not what it was made of: payments \(/);
});
