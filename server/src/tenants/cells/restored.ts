import { StartError } from '../../platform/errors/start-error.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { OpenedCell } from './across.ts';
import { homeName } from './cell.ts';
import { type Shape, shapesOf } from './move/catalog.ts';
import { ownerIn } from './move/cells.ts';
import { unpark } from './move/rows.ts';
import { missingIn } from './strays.ts';
import { findThisCell } from './this-cell.ts';

const merchantsAtOnce = 10_000;

/** What a cell that was set back has too much, and too little; UUIDs of merchants. */
export interface Unsettled {
  /** They live in another cell by now. */
  elsewhere: string[];
  /** By the directory they are here; neither this cell nor another that answers has them. */
  lost: string[];
}

/** @param others those that answer */
export async function findUnsettled(
  transaction: Queryable,
  cell: string,
  others: readonly OpenedCell[],
): Promise<Unsettled> {
  const elsewhere = await movedSince(transaction, cell, others);
  return { elsewhere, lost: await lostIn(transaction, cell, others) };
}

/**
 * What a restore has to put right, in its transaction: merchants that have moved since the backup live in another cell,
 * so they are taken out again; what was under way then is over; and of the home, the directory is made anew.
 * @param cell that is restored
 * @param others those that answer
 * @returns whom it has taken out, and whom it cannot bring back
 * @throws StartError where it is a backup of another cell
 */
export async function settleRestored(
  transaction: Queryable,
  cell: string,
  others: readonly OpenedCell[],
): Promise<Unsettled> {
  const backedUp = (await findThisCell(transaction)) ?? homeName;
  if (backedUp !== cell) throw otherCell(backedUp, cell);
  const found = await findUnsettled(transaction, cell, others);
  const { elsewhere: gone } = found;
  const left = await transaction.query<{ id: string }>({ text: leftText });
  // Where a mark says that the merchant is elsewhere, the check of writes leaves its rows as they are.
  for (const table of ['moving_merchants', 'moving_changes'])
    await transaction.query({ text: `DELETE FROM ${table}` });
  if (gone.length > 0) await takeOut(transaction, gone);
  await serveAgain(
    transaction,
    left.map(({ id }) => id),
  );
  if (cell !== homeName) return found;
  for (const table of ['cell_keys', 'cell_tenants', 'cell_moves'])
    await transaction.query({ text: `DELETE FROM ${table}` });
  return found;
}

const otherCell = (backedUp: string, cell: string) =>
  new StartError(
    `This is a backup of the cell ${backedUp}, and it would be restored as ${cell}.`,
    backedUp === homeName ? 'Leave out --cell.' : `Restore it with  --cell ${backedUp}`,
  );

const idsText = `SELECT id FROM merchants WHERE id > $1 ORDER BY id LIMIT ${merchantsAtOnce}`;
/** Its copy had begun to come. */
const arrivingText = `SELECT merchant_id AS id FROM moving_merchants WHERE state = 'ARRIVING'`;
/** It had left, and its rows had been made due in a thousand years. */
const leftText = `SELECT merchant_id AS id FROM moving_merchants WHERE state = 'GONE'`;
const livingText = `
SELECT id FROM merchants WHERE id = ANY ($1::uuid[]) AND NOT EXISTS (
  SELECT FROM moving_merchants m WHERE m.merchant_id = id AND m.state IN ('ARRIVING', 'GONE'))`;
const elsewhereText = `
SELECT DISTINCT merchant_id AS id FROM cell_tenants WHERE merchant_id = ANY ($1::uuid[]) AND cell <> ALL ($2::text[])`;

/**
 * Merchants of a cell that live in another one. Of cells that do not answer, the directory says what they have; one that
 * answers knows better, and what it has lost must not go here, too.
 * @returns their UUIDs
 */
async function movedSince(
  transaction: Queryable,
  cell: string,
  others: readonly OpenedCell[],
): Promise<string[]> {
  const gone = new Set<string>();
  const heard = [cell, ...others.map((other) => other.cell)];
  const note = (rows: { id: string }[]) => {
    for (const { id } of rows) gone.add(id);
  };
  note(await transaction.query<{ id: string }>({ text: arrivingText }));
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await transaction.query<{ id: string }>({ text: idsText }, [after]);
    const ids = rows.map(({ id }) => id);
    for (const { cell: other, database } of others) {
      note(await database.query<{ id: string }>({ text: livingText }, [ids]));
      if (other === homeName)
        note(await database.query<{ id: string }>({ text: elsewhereText }, [ids, heard]));
    }
    if (rows.length < merchantsAtOnce) return [...gone];
    after = rows.at(-1)!.id;
  }
}

/** Who has come here since the backup, or was made here: only the directory still knows of them. */
async function lostIn(
  transaction: Queryable,
  cell: string,
  others: readonly OpenedCell[],
): Promise<string[]> {
  const home = others.find((other) => other.cell === homeName);
  if (!home) return [];
  const missing = await missingIn(home.database, cell, transaction);
  const lost = new Set(missing.map(({ merchantId }) => merchantId));
  for (const { database } of others) {
    const living = await database.query<{ id: string }>({ text: livingText }, [[...lost]]);
    for (const { id } of living) lost.delete(id);
  }
  return [...lost];
}

/** Those that no other cell has. */
async function serveAgain(transaction: Queryable, merchantIds: readonly string[]): Promise<void> {
  const shapes = await shapesOf(transaction);
  for (const merchantId of merchantIds) {
    const owner = await ownerIn({ database: transaction }, merchantId);
    if (owner) await unpark(transaction, shapes, owner);
  }
}

async function takeOut(transaction: Queryable, merchantIds: readonly string[]): Promise<void> {
  const text = 'SELECT id FROM tenants WHERE merchant_id = ANY ($1::uuid[])';
  const tenants = await transaction.query<{ id: string }>({ text }, [merchantIds]);
  const tenantIds = tenants.map(({ id }) => id);
  for (const shape of [...(await shapesOf(transaction))].reverse())
    await takeOutOf(transaction, shape, { merchantIds, tenantIds });
}

async function takeOutOf(
  transaction: Queryable,
  { name, owner, isAppendOnly }: Shape,
  { merchantIds, tenantIds }: { merchantIds: readonly string[]; tenantIds: readonly string[] },
): Promise<void> {
  // What is only ever added to lends this right for as long as the transaction lasts.
  if (isAppendOnly) await transaction.query({ text: `GRANT DELETE ON ${name} TO CURRENT_USER` });
  const text = `DELETE FROM ${name} WHERE ${owner.column} = ANY ($1::uuid[])`;
  await transaction.query({ text }, [owner.of === 'MERCHANT' ? merchantIds : tenantIds]);
  if (isAppendOnly) await transaction.query({ text: `REVOKE DELETE ON ${name} FROM CURRENT_USER` });
}
