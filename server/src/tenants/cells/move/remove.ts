import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { isOf, type Owner, ownersIn, type Shape } from './catalog.ts';
import { asMover, type Run } from './marks.ts';

const atOnce = 5_000;

/**
 * Removes the merchant's rows from a cell where it is marked so, in the reverse order of foreign keys. Safe beside
 * others that do the same, and after them.
 * @returns false if another run has the merchant by now, or nobody
 */
export async function removeRows(
  cell: Database,
  shapes: readonly Shape[],
  owner: Owner,
  run: Run,
  state: 'GONE' | 'ARRIVING',
): Promise<boolean> {
  for (const shape of [...shapes].reverse()) {
    let removed = 0;
    do {
      const isMarked = await asMover(cell, run, state, async (transaction) => {
        removed = await removeSome(transaction, shape, owner);
      });
      if (!isMarked) return false;
    } while (removed > 0);
  }
  return true;
}

/** @returns how many */
async function removeSome(transaction: Queryable, shape: Shape, owner: Owner): Promise<number> {
  // What is only ever added to lends this right for as long as the transaction lasts.
  const { name, isAppendOnly } = shape;
  if (isAppendOnly) await transaction.query({ text: `GRANT DELETE ON ${name} TO CURRENT_USER` });
  const removed = await transaction.query({ text: removeText(shape, owner) });
  if (isAppendOnly) await transaction.query({ text: `REVOKE DELETE ON ${name} FROM CURRENT_USER` });
  return removed.length;
}

const removeText = (shape: Shape, owner: Owner) => `
DELETE FROM ${shape.name} WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM ${shape.name} WHERE ${isOf(shape, ownersIn(shape, owner))} LIMIT ${atOnce}))
RETURNING 1`;
