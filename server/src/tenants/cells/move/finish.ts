import { setTimeout as delay } from 'node:timers/promises';
import { type Administration, writeAuditRecord } from '../../../platform/audit/record.ts';
import { StartError } from '../../../platform/errors/start-error.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { dropAdded } from './added.ts';
import { type Owner, shapesOf } from './catalog.ts';
import { type OpenCell, ownerIn } from './cells.ts';
import { countChanges, forgetChanges } from './changes.ts';
import { endMove, findRun, forgetMove, switchDirectory } from './home.ts';
import {
  asMover,
  changeMark,
  findMark,
  markGoneAgain,
  type Run,
  refuseArrival,
  removeMark,
  takeBack,
} from './marks.ts';
import type { RemoveTiming } from './move.ts';
import { removeRows } from './remove.ts';
import { park, unpark } from './rows.ts';

/** A move, with all who take part. */
export interface Journey {
  home: OpenCell;
  from: OpenCell;
  to: OpenCell;
  owner: Owner;
  move: Run;
}

/** That a merchant has left a cell, or has come to one; in the transaction in which it does. */
export function recordMoved(
  transaction: Queryable,
  by: Administration,
  { from, to, move }: Journey,
): Promise<void> {
  return writeAuditRecord(transaction, by, {
    tenantId: null,
    action: 'merchant.moved',
    subject: formatId('me', move.merchantId),
    before: { cell: from.name },
    after: { cell: to.name },
    detail: { move: move.moveId },
  });
}

const arrivedText = `
SELECT actor, origin FROM audit_records
WHERE subject = $1 AND action = 'merchant.moved' AND detail ->> 'move' = $2`;

const recordsOf = ({ database }: OpenCell, { merchantId, moveId }: Run) =>
  database.query<{ actor: string; origin: string | null }>({ text: arrivedText }, [
    formatId('me', merchantId),
    moveId,
  ]);

/** Who moves it: whoever finishes for another says so in that one's name. */
async function moverOf({ from, move }: Journey, by: Administration): Promise<Administration> {
  const [row] = await recordsOf(from, move);
  if (!row) return by;
  return { ...by, actor: row.actor, ...(row.origin !== null && { origin: row.origin }) };
}

/**
 * Whether the new cell has the merchant by this run, and serves it: it may have lost that since, in a fail-over, or been
 * restored, also from when the merchant was there before.
 */
export async function hasArrived({ to, move }: Pick<Journey, 'to' | 'move'>): Promise<boolean> {
  const mark = await findMark(to.database, move.merchantId);
  if (mark?.moveId === move.moveId) return false;
  const [record] = await recordsOf(to, move);
  return record !== undefined && (await ownerIn(to, move.merchantId)) !== undefined;
}

async function requireArrived(journey: Journey): Promise<void> {
  if (await hasArrived(journey)) return;
  const { from, to, move } = journey;
  throw new StartError(
    `The cell ${to.name} does not have what ${formatId('me', move.merchantId)} had in ${from.name}: its rows there are kept.`,
    'It failed over, or was restored. docs/cells.md says what to do.',
  );
}

/**
 * The old cell says that the merchant has left. One that has lost that, in a fail-over, says it again, unless it has been
 * written to meanwhile and the merchant has not arrived: then it stays.
 */
async function stayGone(journey: Journey, by: Administration): Promise<void> {
  const { from, to, move } = journey;
  const isThere = await hasArrived(journey);
  const isGone = await changeMark(from.database, move.merchantId, async (transaction) => {
    const mark = await findMark(transaction, move.merchantId);
    if (mark?.moveId !== move.moveId)
      return !(await ownerIn({ database: transaction }, move.merchantId));
    if (mark.state === 'GONE') return true;
    if (!isThere && (await countChanges(transaction, move.merchantId)) > 0) return false;
    await markGoneAgain(transaction, move);
    await recordMoved(transaction, by, journey);
    return true;
  });
  if (isGone) return;
  throw new StartError(
    `The cell ${from.name} has lost that ${formatId('me', move.merchantId)} left for ${to.name}.`,
    'It failed over, or was restored. docs/cells.md says what to do.',
  );
}

/**
 * Past the point of no return, whoever looks for due rows in the old cell would find these first, again and again, and
 * no others.
 */
export async function parkLeft({
  from,
  owner,
  move,
}: Pick<Journey, 'from' | 'owner' | 'move'>): Promise<void> {
  const shapes = await shapesOf(from.database);
  await asMover(from.database, move, 'GONE', (transaction) => park(transaction, shapes, owner));
}

/**
 * Past the point of no return: the merchant is served in its new cell, then the directory says so. Safe beside others
 * that do the same, and after them.
 * @throws StartError where a cell has lost what the run has done there
 */
export async function arrive(journey: Journey, by: Administration): Promise<void> {
  const { home, to, owner, move } = journey;
  // Before anybody else is asked, who may be away for long.
  await parkLeft(journey);
  if ((await findRun(home.database, move)).state === 'DONE') return;
  const shapes = await shapesOf(to.database);
  await stayGone(journey, by);
  const mover = await moverOf(journey, by);
  await asMover(to.database, move, 'ARRIVING', (transaction) => unpark(transaction, shapes, owner));
  await changeMark(to.database, move.merchantId, async (transaction) => {
    if (!(await ownerIn({ database: transaction }, move.merchantId))) return;
    if (await removeMark(transaction, move, 'ARRIVING'))
      await recordMoved(transaction, mover, journey);
  });
  await requireArrived(journey);
  await switchDirectory(home.database, move, owner, to.name);
  // The old cell may have lost that it was done.
  await parkLeft(journey);
}

/**
 * Removes what the merchant has left behind, once every gateway has learned where it is; the mark is the last, when
 * no process can take one of its keys for known any more.
 * @throws StartError where the old cell may have what the new one has not
 */
export async function removeRemains(
  journey: Journey,
  { graceMs, keyMemoryMs }: RemoveTiming,
): Promise<void> {
  const { home, from, to, owner, move } = journey;
  const { merchantId } = move;
  const { state, ageMs } = await findRun(home.database, move);
  if (state === 'DONE') return;
  await dropAdded(to.url, move);
  await delay(Math.max(0, graceMs - ageMs));
  await requireArrived(journey);
  await requireNothingNoted(journey);
  const shapes = await shapesOf(from.database);
  if (await removeRows(from.database, shapes, owner, move, 'GONE')) await delay(keyMemoryMs);
  // Whoever has seen the merchant's rows still uses its tables, which this waits for, and finds the mark.
  await dropAdded(from.url, move);
  await requireRemoved(journey);
  await changeMark(from.database, merchantId, (transaction) =>
    removeMark(transaction, move, 'GONE'),
  );
  await endMove(home.database, move);
}

/** Without its mark, what is still there would be worked on in both cells. */
async function requireRemoved({ from, move }: Journey): Promise<void> {
  const mark = await findMark(from.database, move.merchantId);
  if (mark?.moveId !== move.moveId || !(await ownerIn(from, move.merchantId))) return;
  throw new StartError(
    `The rows of ${formatId('me', move.merchantId)} in ${from.name} could not be removed.`,
    'It is served in its new cell. Run it again.',
  );
}

/** A merchant leaves when nothing is noted, and nothing is noted once it has left. */
async function requireNothingNoted({ from, to, move }: Journey): Promise<void> {
  if ((await countChanges(from.database, move.merchantId)) === 0) return;
  throw new StartError(
    `The cell ${from.name} has taken writes of ${formatId('me', move.merchantId)} that ${to.name} does not have: its rows there are kept.`,
    'It failed over during the move. docs/cells.md says what to do.',
  );
}

/**
 * Before the point of no return: the merchant stays where it is, and nothing is left of the try. The home tells of the
 * run until then, so no other begins.
 * @returns false, with nothing done, past that point
 */
export async function callOff({ home, from, to, owner, move }: Journey): Promise<boolean> {
  if (!(await takeBack(from.database, move))) return false;
  // It may have lost, or been told to forget, that the merchant had left it. What follows may have to wait for long.
  const shapes = await shapesOf(from.database);
  await from.database.transaction((transaction) => unpark(transaction, shapes, owner));
  await dropAdded(from.url, move);
  await forgetChanges(from.database, move);
  if (await refuseArrival(to.database, move)) {
    await removeRows(to.database, shapes, owner, move, 'GONE');
    await changeMark(to.database, move.merchantId, (transaction) =>
      removeMark(transaction, move, 'GONE'),
    );
  }
  await dropAdded(to.url, move);
  await forgetMove(home.database, move);
  return true;
}
