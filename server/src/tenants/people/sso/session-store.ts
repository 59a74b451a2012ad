import { type Queryable, timestamp } from '../../../platform/postgres/database.ts';
import type { LogoutOrder } from './provider.ts';

/** Statements for sessions by single sign-on. */

export interface Asking {
  sessionId: string;
  nowMs: number;
}

/**
 * Takes the turn to ask: one of all requests and processes gets it. Undefined if another has it, or the session has
 * ended.
 */
export async function takeTurn(
  database: Queryable,
  { sessionId, nowMs }: Asking,
  { everyMs, longestMs }: { everyMs: number; longestMs: number },
): Promise<{ box: Buffer | null } | undefined> {
  const text = `
UPDATE person_sessions SET sso_asked_at = $2, sso_asking_until = $4
WHERE id = $1 AND sso_asked_at <= $3 AND ended_at IS NULL RETURNING sso_box AS box`;
  const instants = [nowMs, nowMs - everyMs, nowMs + longestMs].map(timestamp);
  return (await database.query<{ box: Buffer | null }>({ text }, [sessionId, ...instants]))[0];
}

/** Stores an answer; without a box, the provider was unreachable. */
export async function storeAnswer(
  database: Queryable,
  { sessionId, nowMs }: Asking,
  box: Buffer | undefined,
): Promise<void> {
  const text = `
UPDATE person_sessions SET sso_asking_until = NULL, sso_box = coalesce($3, sso_box),
  sso_reached_at = CASE WHEN $3::bytea IS NULL THEN sso_reached_at ELSE $2 END
WHERE id = $1 AND sso_asked_at = $2 AND ended_at IS NULL`;
  await database.query({ text }, [sessionId, timestamp(nowMs), box ?? null]);
}

export interface Turn {
  askingUntilMs: number | null;
  reachedAtMs: number;
}

/** Undefined if the session has ended. */
export async function findTurn(database: Queryable, sessionId: string): Promise<Turn | undefined> {
  const text = `
SELECT sso_asking_until AS "askingUntilMs", sso_reached_at AS "reachedAtMs"
FROM person_sessions WHERE id = $1 AND ended_at IS NULL AND sso_reached_at IS NOT NULL`;
  return (await database.query<Turn>({ text }, [sessionId]))[0];
}

/** Stores a confirmation of identity, with the provider's token. False if the session has ended meanwhile. */
export async function markProvenThere(
  transaction: Queryable,
  session: { id: string; issuer: string; subject: string; sid: string | null; box: Buffer },
  nowMs: number,
): Promise<boolean> {
  const text = `
UPDATE person_sessions SET reauthenticated_at = $6, sso_sid = $4, sso_box = $5, sso_asked_at = $6,
  sso_asking_until = NULL, sso_reached_at = $6
WHERE id = $1 AND sso_issuer = $2 AND sso_subject = $3 AND ended_at IS NULL RETURNING id`;
  const { id, issuer, subject, sid, box } = session;
  const values = [id, issuer, subject, sid, box, timestamp(nowMs)];
  return (await transaction.query({ text }, values)).length > 0;
}

/** Ends the sessions that a provider's order names. @returns their people */
export function endOrdered(
  transaction: Queryable,
  { issuer, subject, sid }: LogoutOrder,
  nowMs: number,
): Promise<{ personId: string }[]> {
  // A session whose id the provider never sent matches by its subject.
  const text = `
UPDATE person_sessions SET ended_at = $4, sso_box = NULL
WHERE ended_at IS NULL AND sso_issuer = $1
  AND (($2::text IS NOT NULL AND sso_subject = $2) OR ($3::text IS NOT NULL AND sso_sid = $3))
  AND ($2::text IS NULL OR sso_subject = $2)
  AND ($3::text IS NULL OR sso_sid IS NULL OR sso_sid = $3)
RETURNING person_id AS "personId"`;
  const values = [issuer, subject ?? null, sid ?? null, timestamp(nowMs)];
  return transaction.query<{ personId: string }>({ text }, values);
}
