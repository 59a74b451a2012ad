import { StartError } from '../../../platform/errors/start-error.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { homeName } from '../cell.ts';
import type { Owner } from './catalog.ts';
import type { Run, Way } from './marks.ts';

export type MoveState = 'COPYING' | 'HOLDING' | 'SWITCHED' | 'DONE';

/** A move as the home tells gateways of it. */
export interface StoredMove extends Run, Way {
  state: MoveState;
  /** By the clock of the home, since it changed last. */
  ageMs: number;
}

export async function findMove(
  home: Queryable,
  merchantId: string,
): Promise<StoredMove | undefined> {
  const text = `
SELECT merchant_id AS "merchantId", move_id AS "moveId", from_cell AS "from", to_cell AS "to", state,
  (extract(epoch FROM clock_timestamp() - changed_at) * 1000)::float8 AS "ageMs"
FROM cell_moves WHERE merchant_id = $1`;
  return (await home.query<StoredMove>({ text }, [merchantId]))[0];
}

/** That the home knows nothing of this run, or not any more: it was restored, or another process has the merchant. */
const unknownRun = () =>
  new StartError(
    'The home does not know of this move any more: it was restored, or another process moves the merchant.',
    'Start again.',
  );

/** @throws StartError where the home does not know of this run */
export async function findRun(home: Queryable, { merchantId, moveId }: Run): Promise<StoredMove> {
  const told = await findMove(home, merchantId);
  const isCalledOff = told?.state === 'DONE' && told.from === told.to;
  if (told?.moveId !== moveId || isCalledOff) throw unknownRun();
  return told;
}

/** Merchants whose move is under way, or was left. */
export async function listUnfinished(home: Queryable): Promise<string[]> {
  const text = `SELECT merchant_id AS "merchantId" FROM cell_moves WHERE state <> 'DONE' ORDER BY began_at`;
  return (await home.query<{ merchantId: string }>({ text })).map(({ merchantId }) => merchantId);
}

/**
 * @param condition of the run that the home knew last, which must be over; without it, nothing is written
 * @param precondition of anything being written
 */
const noteText = (condition: string, precondition = 'true') => `
INSERT INTO cell_moves (merchant_id, move_id, from_cell, to_cell, state, began_at, changed_at)
SELECT $1::uuid, $2::uuid, $3::text, $4::text, 'COPYING', clock_timestamp(), clock_timestamp()
WHERE ${precondition}
ON CONFLICT (merchant_id) DO UPDATE SET move_id = excluded.move_id, from_cell = excluded.from_cell,
  to_cell = excluded.to_cell, state = 'COPYING', holds_until = NULL,
  began_at = excluded.began_at, changed_at = excluded.changed_at
WHERE cell_moves.state = 'DONE' AND ${condition}
RETURNING merchant_id`;

/** Neither is taken out of the installation before the run is noted; the home cannot be. */
const bothCells = `
(SELECT count(*) FROM (SELECT FROM cells WHERE name IN ($3, $4) FOR SHARE) there) = 2 - ('${homeName}' IN ($3, $4))::integer`;

/**
 * A run begins. What an earlier one told is over.
 * @param lastMoveId the run that the home knew before anybody looked where the merchant is: after another, it may be
 *   elsewhere
 * @throws StartError where the merchant is on its way already, has been moved since, or a cell was taken out meanwhile
 */
export async function beginMove(
  home: Queryable,
  { merchantId, moveId }: Run,
  way: Way,
  lastMoveId: string | undefined,
): Promise<void> {
  const text = noteText('cell_moves.move_id = $5', bothCells);
  const values = [merchantId, moveId, way.from, way.to, lastMoveId ?? null];
  if ((await home.query({ text }, values)).length === 0) throw unknownRun();
}

/**
 * Notes a run again of which cells have marks and the home has lost everything, or that it is over, or that there was one
 * after the last that it knows. Nothing changes where it knows of a later one.
 */
export async function noteMarkedRun(
  home: Queryable,
  { merchantId, moveId }: Run,
  way: Way,
): Promise<void> {
  const text = noteText('cell_moves.move_id <= excluded.move_id');
  await home.query({ text }, [merchantId, moveId, way.from, way.to]);
}

/**
 * Requests of the merchant wait in the gateways, for so long at most; null: they go on.
 * @throws StartError where the home does not know of this run
 */
export async function holdRequests(
  home: Queryable,
  { merchantId, moveId }: Run,
  lengthMs: number | null,
): Promise<void> {
  const text = `
UPDATE cell_moves SET state = CASE WHEN $3::float8 IS NULL THEN 'COPYING' ELSE 'HOLDING' END,
  holds_until = clock_timestamp() + $3 * interval '1 millisecond', changed_at = clock_timestamp()
WHERE merchant_id = $1 AND move_id = $2 AND state IN ('COPYING', 'HOLDING') RETURNING merchant_id`;
  const rows = await home.query({ text }, [merchantId, moveId, lengthMs]);
  if (rows.length === 0) throw unknownRun();
}

/**
 * From now on the merchant's requests go to its new cell.
 * @throws StartError where the home does not know of this run
 */
export function switchDirectory(
  home: Database,
  { merchantId, moveId }: Run,
  { tenantIds }: Owner,
  toCell: string,
): Promise<void> {
  const directory = `
INSERT INTO cell_tenants (tenant_id, merchant_id, cell)
SELECT tenant_id, $2, $3 FROM unnest($1::uuid[]) AS tenant_id
ON CONFLICT (tenant_id) DO UPDATE SET merchant_id = excluded.merchant_id, cell = excluded.cell`;
  const told = `
UPDATE cell_moves SET state = 'SWITCHED', holds_until = NULL, changed_at = clock_timestamp()
WHERE merchant_id = $1 AND move_id = $2 AND state IN ('COPYING', 'HOLDING')
RETURNING merchant_id`;
  return home.transaction(async (transaction) => {
    // Whoever comes second leaves everything as it is.
    const rows = await transaction.query({ text: told }, [merchantId, moveId]);
    if (rows.length === 0) return void (await findRun(transaction, { merchantId, moveId }));
    await transaction.query({ text: directory }, [tenantIds, merchantId, toCell]);
  });
}

/** Nothing is left to do for this run. */
export async function endMove(home: Queryable, { merchantId, moveId }: Run): Promise<void> {
  const text = `
UPDATE cell_moves SET state = 'DONE', changed_at = clock_timestamp()
WHERE merchant_id = $1 AND move_id = $2 AND state = 'SWITCHED'`;
  await home.query({ text }, [merchantId, moveId]);
}

/**
 * The run was called off. Gateways are told that the merchant is where it was: those that have been told of the new cell,
 * which has lost it, and those that have missed an earlier move.
 */
export async function forgetMove(home: Queryable, { merchantId, moveId }: Run): Promise<void> {
  const text = `
WITH turned AS (
  UPDATE cell_moves SET to_cell = from_cell, state = 'DONE', holds_until = NULL, changed_at = clock_timestamp()
  WHERE merchant_id = $1 AND move_id = $2 AND state <> 'DONE' RETURNING merchant_id, to_cell
)
UPDATE cell_tenants t SET cell = turned.to_cell FROM turned WHERE t.merchant_id = turned.merchant_id`;
  await home.query({ text }, [merchantId, moveId]);
}
