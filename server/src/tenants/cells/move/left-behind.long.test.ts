import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import {
  countIn,
  merchantWithEverything,
  moveOptions,
  rowsOf,
  twoCells,
} from '../../../../test/support/two-cells.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { findLeftRows } from '../left-rows.ts';
import type { Owner } from './catalog.ts';
import { moveMerchant } from './index.ts';
import type { Step } from './move.ts';

async function writeReview(cell: Queryable, { tenantIds }: Owner): Promise<void> {
  const text = `
INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
VALUES ($1, gen_random_uuid(), 'UNKNOWN_REFERENCE', 'PAYMENT', gen_random_uuid(), 'CVMOVEL', '{}', now())`;
  await cell.query({ text }, [tenantIds[0]]);
}

test('rows in a cell that does not have their merchant are told of, unless it is on its way', async (context) => {
  const cells = await twoCells(context);
  const owner = await merchantWithEverything(cells.home.database);
  const opened = cells.all.map(({ name: cell, database }) => ({ cell, database }));
  const step = async (now: Step) => {
    if (now === 'DRAIN') assert.deepEqual(await findLeftRows(opened), []);
  };
  await moveMerchant(cells, owner.merchantId, 'north', moveOptions({ step }));
  assert.deepEqual(await findLeftRows(opened), []);
  await writeReview(cells.home.database, owner);
  const stranger = { merchantId: randomUUID(), tenantIds: [randomUUID()] };
  await writeReview(cells.home.database, stranger);
  const { merchantId } = owner;
  const counts = { review_items: 1 };
  const found = await findLeftRows(opened);
  assert.deepEqual(
    found.sort((one) => (one.merchantId === null ? 1 : -1)),
    [
      { merchantId, cell: 'home', counts },
      { merchantId: null, cell: 'home', counts },
    ],
  );
});

test('nobody moves to a cell that has rows of theirs from before, which are kept', async (context) => {
  const cells = await twoCells(context);
  const owner = await merchantWithEverything(cells.home.database);
  await moveMerchant(cells, owner.merchantId, 'north', moveOptions());
  await writeReview(cells.home.database, owner);
  const back = () => moveMerchant(cells, owner.merchantId, 'home', moveOptions());
  await assert.rejects(back, {
    message:
      /^The cell home has rows of me_\w+ from when it was there before: 1 of review_items\.$/,
  });
  assert.equal(await countIn(cells.home.database, owner), 1);
  await cells.home.database.query({ text: 'DELETE FROM review_items' });
  const rows = await rowsOf(cells.north.database, owner);
  await back();
  assert.deepEqual(await rowsOf(cells.home.database, owner), rows);
});

const bookingText = `
SELECT operator, account, operator_tx_id AS "txId", payment_id AS "paymentId" FROM operator_transactions
WHERE tenant_id = ANY ($1::uuid[])`;

/** Two merchants in two cells, and a transaction of an operator that is booked for both. */
async function bookedTwice(context: TestContext) {
  const cells = await twoCells(context);
  const owner = await merchantWithEverything(cells.home.database);
  const other = await merchantWithEverything(cells.north.database);
  type Booking = { operator: string; account: string; txId: string; paymentId: string };
  const bookingIn = async (cell: Queryable, { tenantIds }: Owner) =>
    (await cell.query<Booking>({ text: bookingText }, [tenantIds]))[0]!;
  const { operator, account, txId } = await bookingIn(cells.home.database, owner);
  const text = `UPDATE operator_transactions SET operator = $1, account = $2, operator_tx_id = $3`;
  await cells.north.database.query({ text }, [operator, account, txId]);
  return { ...cells, owner, other, bookingIn };
}

const refusal =
  /^The copy is not what it was made of: operator_transactions \(1 rows here, 0 there: where both cells have booked one, "zimbo ledger check" says which\)\.$/;

test('a booking of another merchant of the new cell stays theirs, and who has the same is not moved', async (context) => {
  const { owner, other, bookingIn, ...cells } = await bookedTwice(context);
  const before = await bookingIn(cells.north.database, other);
  await assert.rejects(moveMerchant(cells, owner.merchantId, 'north', moveOptions()), {
    message: refusal,
  });
  assert.deepEqual(await bookingIn(cells.north.database, other), before);
  assert.equal(await countIn(cells.north.database, owner), 0);
});

test('a booking that changes during the move takes nobody else’s away either', async (context) => {
  const { owner, other, bookingIn, ...cells } = await bookedTwice(context);
  const before = await bookingIn(cells.north.database, other);
  const touch = 'UPDATE operator_transactions SET payment_id = payment_id WHERE tenant_id = $1';
  const step = async (now: Step) => {
    if (now === 'DRAIN') await cells.home.database.query({ text: touch }, [owner.tenantIds[0]]);
  };
  await assert.rejects(moveMerchant(cells, owner.merchantId, 'north', moveOptions({ step })), {
    message: refusal,
  });
  assert.deepEqual(await bookingIn(cells.north.database, other), before);
});

/** Calls it before a statement of a transaction is sent. */
const before = (database: Database, told: (text: string) => Promise<void>): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction((transaction) =>
      work({
        ...transaction,
        query: async (statement, values) => {
          await told(statement.text);
          return transaction.query(statement, values);
        },
      }),
    ),
});

test('the mark stands until no statement is under way that has seen the rows of the merchant', async (context) => {
  const cells = await twoCells(context);
  const { database } = cells.home;
  const { merchantId } = await merchantWithEverything(database);
  const text = `SELECT count(*)::integer AS count FROM pg_trigger WHERE tgname LIKE 'moving%'`;
  const left: number[] = [];
  const home = {
    ...cells.home,
    database: before(database, async (statement) => {
      if (!statement.includes('DELETE FROM moving_merchants')) return;
      left.push((await database.query<{ count: number }>({ text }))[0]!.count);
    }),
  };
  await moveMerchant({ home, all: [home, cells.north] }, merchantId, 'north', moveOptions());
  // Those of the new cell had gone before.
  assert.deepEqual(left, [0]);
});
