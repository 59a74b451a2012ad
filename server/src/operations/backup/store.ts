import type { Queryable } from '../../platform/postgres/database.ts';
import { timestamp } from '../../platform/postgres/database.ts';

/** A backup that was made, is being made or failed. */
export interface BackupRow {
  id: string;
  beganAtMs: number;
  /** Null while it is in progress. */
  endedAtMs: number | null;
  /** Null for a file named by a person. */
  place: string | null;
  name: string;
  bytes: bigint | null;
  isEncrypted: boolean;
  /** Null if it was not tested. */
  verifiedAtMs: number | null;
  error: string | null;
  removedAtMs: number | null;
}

const columns = `id, began_at AS "beganAtMs", ended_at AS "endedAtMs", place, name, bytes,
  is_encrypted AS "isEncrypted", verified_at AS "verifiedAtMs", error, removed_at AS "removedAtMs"`;
const isGood = 'ended_at IS NOT NULL AND error IS NULL';
/* A clock that jumped ahead and was corrected may have left others. */
const isPast = `greatest(began_at, ended_at) <= now() + interval '1 hour'`;
const interrupted = 'It was interrupted.';
/* An interrupted backup may be complete. */
const mayHaveFile = `ended_at IS NOT NULL AND removed_at IS NULL AND (bytes IS NOT NULL OR error = '${interrupted}')`;

/** The latest first. */
export const listBackups = (database: Queryable, limit: number): Promise<BackupRow[]> =>
  database.query<BackupRow>(
    {
      name: 'backups.list',
      text: `SELECT ${columns} FROM backups ORDER BY began_at DESC, id DESC LIMIT $1`,
    },
    [limit],
  );

/** The figures for schedules and checks. */
export interface BackupTimes {
  /** When the latest good backup began, up to which its data is complete; null without one. */
  goodAtMs: number | null;
  /** Of the latest good backup: whether it is encrypted, and whether a test restore succeeded. */
  isEncrypted: boolean | null;
  isVerified: boolean | null;
  /** Why and when the latest failed; null if it succeeded. */
  failedAtMs: number | null;
  error: string | null;
  /** Whether there are others dated in the future after a jump of the clock; they do not count. */
  isAhead: boolean;
}

const timesStatement = {
  name: 'backups.times',
  text: `
SELECT good.began_at AS "goodAtMs", good.is_encrypted AS "isEncrypted", good.verified_at IS NOT NULL AS "isVerified",
  CASE WHEN last.error IS NOT NULL THEN last.ended_at END AS "failedAtMs", last.error,
  EXISTS (SELECT FROM backups WHERE NOT (${isPast})) AS "isAhead"
FROM (VALUES ($1::text)) AS asked (place) LEFT JOIN LATERAL (
  SELECT ended_at, error FROM backups
  WHERE ended_at IS NOT NULL AND ${isPast} AND (asked.place IS NULL OR backups.place = asked.place)
  ORDER BY began_at DESC, id DESC LIMIT 1
) AS last ON true LEFT JOIN LATERAL (
  SELECT began_at, is_encrypted, verified_at FROM backups
  WHERE ${isGood} AND ${isPast} AND (asked.place IS NULL OR backups.place = asked.place)
  ORDER BY began_at DESC, id DESC LIMIT 1
) AS good ON true`,
};

/** Up to when a backup has all data; without a good backup, the time of the first try; null without any. */
export async function goodSinceMs(database: Queryable): Promise<number | null> {
  const [row] = await database.query<{ sinceMs: number | null }>(goodSinceStatement);
  return row!.sinceMs;
}

const goodSinceStatement = {
  name: 'backups.good_since',
  text: `
SELECT coalesce(max(began_at) FILTER (WHERE ${isGood}), min(began_at)) AS "sinceMs" FROM backups WHERE ${isPast}`,
};

/** @param place counts only its backups; null counts all */
export async function backupTimes(database: Queryable, place: string | null): Promise<BackupTimes> {
  const [row] = await database.query<BackupTimes>(timesStatement, [place]);
  return row!;
}

export interface NewBackup {
  id: string;
  nowMs: number;
  place: string | null;
  name: string;
  isEncrypted: boolean;
}

export async function insertBackup(database: Queryable, begun: NewBackup): Promise<void> {
  const text = `INSERT INTO backups (id, began_at, place, name, is_encrypted) VALUES ($1, $2, $3, $4, $5)`;
  const { id, nowMs, place, name, isEncrypted } = begun;
  await database.query({ text }, [id, timestamp(nowMs), place, name, isEncrypted]);
}

export interface BackupOutcome {
  id: string;
  nowMs: number;
  /** Null if there is none. */
  bytes: number | null;
  isVerified: boolean;
  error: string | null;
}

export async function endBackup(database: Queryable, ended: BackupOutcome): Promise<void> {
  const text = `
UPDATE backups SET ended_at = $2, bytes = $3, verified_at = CASE WHEN $4 THEN $2::timestamptz END, error = $5
WHERE id = $1`;
  const { id, nowMs, bytes, isVerified, error } = ended;
  await database.query({ text }, [id, timestamp(nowMs), bytes, isVerified, error]);
}

/** Backups that nobody is making any more; only the holder of the lock can know this. */
export function endInterrupted(
  database: Queryable,
  nowMs: number,
): Promise<Pick<BackupRow, 'place' | 'name'>[]> {
  const text = `
UPDATE backups SET ended_at = $1, error = '${interrupted}' WHERE ended_at IS NULL RETURNING place, name`;
  return database.query({ text }, [timestamp(nowMs)]);
}

/**
 * Removable backups of a place: old ones that are not among the latest good ones, and leftovers of failed ones. The
 * latest of them first, so that missing files do not block the others.
 * @param beforeMs older ones are old
 */
export function removable(
  database: Queryable,
  { place, beforeMs, keepLast }: { place: string; beforeMs: number; keepLast: number },
): Promise<Pick<BackupRow, 'id' | 'name'>[]> {
  const text = `
SELECT id, name FROM (
SELECT id, name, began_at FROM backups
WHERE place = $1 AND began_at < $2 AND ${mayHaveFile}
  AND id NOT IN (
    SELECT id FROM backups WHERE place = $1 AND ${isGood} AND ${isPast} AND removed_at IS NULL
    ORDER BY began_at DESC, id DESC LIMIT $3)
ORDER BY began_at DESC LIMIT 1000) AS latest ORDER BY began_at`;
  return database.query({ text }, [place, timestamp(beforeMs), Math.max(1, keepLast)]);
}

/** The latest files that should be in a place. */
export async function keptNames(database: Queryable, place: string): Promise<string[]> {
  const text = `
SELECT name FROM backups WHERE place = $1 AND bytes IS NOT NULL AND removed_at IS NULL
ORDER BY began_at DESC, id DESC LIMIT 1000`;
  return (await database.query<{ name: string }>({ text }, [place])).map(({ name }) => name);
}

/** Files of a place that were written but not found good, except this id's. */
export function otherFailures(
  database: Queryable,
  { place, id }: { place: string; id: string },
): Promise<Pick<BackupRow, 'id' | 'name'>[]> {
  const text = `SELECT id, name FROM backups WHERE place = $1 AND id <> $2 AND error IS NOT NULL AND ${mayHaveFile}`;
  return database.query({ text }, [place, id]);
}

export async function markRemoved(database: Queryable, id: string, nowMs: number): Promise<void> {
  const text = 'UPDATE backups SET removed_at = $2 WHERE id = $1';
  await database.query({ text }, [id, timestamp(nowMs)]);
}

/** Removes the backup records that a restored database inherited: those files are not its own. */
export async function forgetBackups(transaction: Queryable): Promise<void> {
  await transaction.query({ text: 'DELETE FROM backups' });
}

const lock = '2053729634, 37';

/** Held until the session ends; false if another process is making a backup. */
export async function lockBackups(session: Queryable): Promise<boolean> {
  const text = `SELECT pg_try_advisory_lock(${lock}) AS locked`;
  const [row] = await session.query<{ locked: boolean }>({ text });
  return row?.locked ?? false;
}

/** Databases of earlier programs have no such table. */
export async function hasBackups(database: Queryable): Promise<boolean> {
  const text = `SELECT to_regclass('backups') IS NOT NULL AND NOT pg_is_in_recovery() AS can`;
  const [row] = await database.query<{ can: boolean }>({ text });
  return row?.can ?? false;
}

/** Gateways and commands on several machines use one clock. */
export async function databaseMs(session: Queryable): Promise<number> {
  const text = 'SELECT clock_timestamp() AS "nowMs"';
  const [row] = await session.query<{ nowMs: number }>({ text });
  return row!.nowMs;
}
