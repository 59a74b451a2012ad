import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { ownerIn } from './cells.ts';

export type MarkState = 'COPYING' | 'DRAINING' | 'STOPPED' | 'GONE' | 'ARRIVING';

/** That a merchant leaves a cell, or comes to it. */
export interface Mark {
  merchantId: string;
  moveId: string;
  state: MarkState;
}

/** A merchant on its way, and the run of the mover that has it. */
export type Run = Pick<Mark, 'merchantId' | 'moveId'>;

/** Between which cells, by their names. */
export interface Way {
  from: string;
  to: string;
}

/** A mark that says enough for the run to be finished, or called off. */
export type MarkedRun = Mark & Way;

const columns = 'merchant_id AS "merchantId", move_id AS "moveId", state';

/** How long others may wait behind a change of a mark, in milliseconds; it is tried again. */
const lockMs = 250;
const lockTries = 40;
const lockIntervalMs = 50;
/** A mover that is frozen with the lock would keep the others of a batch from being written. */
const idleMs = 3_000;

/** The key of the lock under which triggers read a mark; as triggers.ts computes it. */
export const lockKey = (merchantId: string) =>
  `hashtextextended(current_schema() || ' ${merchantId}', 43)`;

/**
 * Changes a mark. Who writes rows of the merchant holds its lock until the end of the transaction, so that nobody
 * reads one state at the beginning and another at the end: this waits for them, and they wait for it. Some wait with a
 * row of the merchant locked, so a change may not touch these rows.
 */
export async function changeMark<T>(
  cell: Database,
  merchantId: string,
  change: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  for (let left = lockTries; ; left--) {
    try {
      return await cell.transaction(async (transaction) => {
        await transaction.query({ text: `SET LOCAL lock_timeout = ${lockMs}` });
        const idleText = `SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`;
        await transaction.query({ text: idleText });
        await transaction.query({ text: `SELECT pg_advisory_xact_lock(${lockKey(merchantId)})` });
        return change(transaction);
      });
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      const isInTheWay = code === '55P03' || code === '40P01';
      if (!isInTheWay || left === 1) throw error;
      await delay(lockIntervalMs);
    }
  }
}

export async function findMark(cell: Queryable, merchantId: string): Promise<Mark | undefined> {
  const text = `SELECT ${columns} FROM moving_merchants WHERE merchant_id = $1`;
  return (await cell.query<Mark>({ text }, [merchantId]))[0];
}

/** The marks of a cell; without those of a program that did not yet note the way. */
export const listMarks = (cell: Queryable, merchantId?: string): Promise<MarkedRun[]> => {
  const text = `
SELECT ${columns}, from_cell AS "from", to_cell AS "to" FROM moving_merchants
WHERE from_cell IS NOT NULL AND ($1::uuid IS NULL OR merchant_id = $1)`;
  return cell.query<MarkedRun>({ text }, [merchantId ?? null]);
};

/**
 * Begins a move, or takes one over that was left before the point of no return.
 * @param confirm throws where another run may have begun; under the lock that whoever calls this one off needs
 * @returns false where a move is past that point, or the merchant is where it should not be
 */
export function beginMark(
  cell: Database,
  { merchantId, moveId }: Run,
  way: Way,
  { state, confirm }: { state: 'COPYING' | 'ARRIVING'; confirm: () => Promise<unknown> },
): Promise<boolean> {
  const text = `
INSERT INTO moving_merchants (merchant_id, move_id, state, from_cell, to_cell)
SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text
-- Only a merchant that is here leaves, and only one that is not here comes: a copy begins with what it removes.
WHERE EXISTS (SELECT FROM moving_merchants WHERE merchant_id = $1)
  OR EXISTS (SELECT FROM merchants WHERE id = $1) = ($3 = 'COPYING')
ON CONFLICT (merchant_id) DO UPDATE SET move_id = $2, state = $3, stopped_until = NULL, from_cell = $4, to_cell = $5
WHERE moving_merchants.state <> 'GONE' AND (moving_merchants.state = 'ARRIVING') = ($3 = 'ARRIVING')
RETURNING merchant_id`;
  return changeMark(cell, merchantId, async (transaction) => {
    await confirm();
    const values = [merchantId, moveId, state, way.from, way.to];
    return (await transaction.query({ text }, values)).length > 0;
  });
}

/**
 * A state that ends by itself, so that a mover that dies holds nobody up for long.
 * @returns false where what the state rests on has ended: others have written since, or requests to operators have begun
 */
export function limitMark(
  cell: Database,
  { merchantId, moveId }: Run,
  state: 'DRAINING' | 'STOPPED',
  lengthMs: number,
): Promise<boolean> {
  const text = `
UPDATE moving_merchants SET state = $3, stopped_until = clock_timestamp() + $4 * interval '1 millisecond'
WHERE merchant_id = $1 AND move_id = $2
  -- A stop comes out of a drain; and what has ended is not prolonged.
  AND (state = 'COPYING' AND $3 = 'DRAINING' OR state IN ('DRAINING', $3) AND stopped_until > clock_timestamp())
RETURNING merchant_id`;
  return changeMark(cell, merchantId, async (transaction) => {
    const rows = await transaction.query({ text }, [merchantId, moveId, state, lengthMs]);
    return rows.length > 0;
  });
}

/** The merchant is served again where it is. */
export function reopen(cell: Database, { merchantId, moveId }: Run): Promise<void> {
  const text = `
UPDATE moving_merchants SET state = 'COPYING', stopped_until = NULL
WHERE merchant_id = $1 AND move_id = $2 AND state IN ('DRAINING', 'STOPPED')`;
  return changeMark(cell, merchantId, async (transaction) => {
    await transaction.query({ text }, [merchantId, moveId]);
  });
}

/**
 * In a transaction of `changeMark`: from now on the merchant is elsewhere; false if its stop had ended. A clock that was
 * set back says that a stop lasts which had ended: what was written then was noted.
 */
export async function markGone(
  transaction: Queryable,
  { merchantId, moveId }: Run,
): Promise<boolean> {
  const text = `
UPDATE moving_merchants SET state = 'GONE', stopped_until = NULL
WHERE merchant_id = $1 AND move_id = $2 AND state = 'STOPPED' AND stopped_until > clock_timestamp()
  AND NOT EXISTS (SELECT FROM moving_changes WHERE merchant_id = $1)
RETURNING merchant_id`;
  return (await transaction.query({ text }, [merchantId, moveId])).length > 0;
}

/** In a transaction of `changeMark`, past the point of no return, where the cell has lost that the merchant left. */
export async function markGoneAgain(
  transaction: Queryable,
  { merchantId, moveId }: Run,
): Promise<void> {
  const text = `
UPDATE moving_merchants SET state = 'GONE', stopped_until = NULL WHERE merchant_id = $1 AND move_id = $2`;
  await transaction.query({ text }, [merchantId, moveId]);
}

/** In a transaction of `changeMark`; false if another run has it, or nobody, or it is in another state. */
export async function removeMark(
  transaction: Queryable,
  { merchantId, moveId }: Run,
  state: 'GONE' | 'ARRIVING',
): Promise<boolean> {
  const text = `
DELETE FROM moving_merchants WHERE merchant_id = $1 AND move_id = $2 AND state = $3 RETURNING merchant_id`;
  return (await transaction.query({ text }, [merchantId, moveId, state])).length > 0;
}

/**
 * The merchant stays where it is: nobody passes the point of no return any more. False where it is past that: the mark
 * says so, or the merchant has gone with its mark.
 */
export function takeBack(cell: Database, { merchantId, moveId }: Run): Promise<boolean> {
  const text = 'DELETE FROM moving_merchants WHERE merchant_id = $1 AND move_id = $2';
  return changeMark(cell, merchantId, async (transaction) => {
    const mark = await findMark(transaction, merchantId);
    if (mark?.moveId === moveId && mark.state === 'GONE') return false;
    await transaction.query({ text }, [merchantId, moveId]);
    return (await ownerIn({ database: transaction }, merchantId)) !== undefined;
  });
}

/**
 * In the cell that it came to, nobody copies any more: a run that was taken for dead may be in a transaction, which is
 * waited for, and begins no other.
 * @returns false if another run has it, or nobody
 */
export function refuseArrival(cell: Database, { merchantId, moveId }: Run): Promise<boolean> {
  const text = `
UPDATE moving_merchants SET state = 'GONE' WHERE merchant_id = $1 AND move_id = $2 RETURNING merchant_id`;
  return changeMark(cell, merchantId, async (transaction) => {
    return (await transaction.query({ text }, [merchantId, moveId])).length > 0;
  });
}

/** Triggers let the mover pass in this transaction. */
export async function actAsMover(transaction: Queryable, moveId: string): Promise<void> {
  await transaction.query({ text: `SELECT set_config('zimbo.move_id', $1, true)` }, [moveId]);
}

/**
 * A transaction that triggers let pass, as long as this run has the merchant, in this state: another cannot take it over
 * meanwhile.
 * @returns false, with nothing done, if another run has it, or nobody, or it is in another state
 */
export const asMover = (
  cell: Database,
  { merchantId, moveId }: Run,
  state: 'GONE' | 'ARRIVING',
  work: (transaction: Queryable) => Promise<void>,
): Promise<boolean> =>
  cell.transaction(async (transaction) => {
    const text = `
SELECT FROM moving_merchants WHERE merchant_id = $1 AND move_id = $2 AND state = $3 FOR SHARE`;
    if ((await transaction.query({ text }, [merchantId, moveId, state])).length === 0) return false;
    await actAsMover(transaction, moveId);
    await work(transaction);
    return true;
  });
