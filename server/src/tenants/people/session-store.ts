import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import { merchantNames } from './merchant-names.ts';
import type { Language, Membership } from './person.ts';
import type { StaffRole } from './staff-permissions.ts';

export type SignedInWith =
  | 'PASSKEY'
  | 'PASSWORD'
  | 'RECOVERY_CODE'
  | 'INVITATION'
  | 'FIRST_LINK'
  | 'SSO'
  | 'PIN';

/** A session as its person sees it in a list. */
export interface ListedSession {
  id: string;
  createdAtMs: number;
  /** May lag behind the last request by a minute. */
  lastSeenAtMs: number;
  signedInWith: SignedInWith;
  address: string | null;
  userAgent: string | null;
}

/** The session data for a request. */
export interface FoundSession {
  id: string;
  personId: string;
  email: string | null;
  name: string;
  language: Language;
  createdAtMs: number;
  reauthenticatedAtMs: number;
  signedInWith: SignedInWith;
  memberships: Membership[];
  /** Null for people who are not staff. */
  staffRole: StaffRole | null;
  /** The shared phone and its merchant; null unless the session began by a PIN. */
  till: { deviceId: string; merchantId: string } | null;
  /** The state of single sign-on; null if the session began without it. */
  sso: {
    issuer: string;
    subject: string;
    askedAtMs: number;
    askingUntilMs: number | null;
    reachedAtMs: number;
  } | null;
}

export interface NewSession extends ListedSession {
  tokenHash: Buffer;
  personId: string;
  /** When the person confirmed their identity; with single sign-on, this may be long before the session. */
  provenAtMs: number;
  /** The shared phone of a session by PIN. */
  tillDeviceId?: string | null;
  /** For sessions by single sign-on. */
  sso: { issuer: string; subject: string; sid: string | null; box: Buffer } | undefined;
}

/** How long a session lives, and how often its use is recorded. */
export interface SessionTimes {
  idleMs: number;
  longestMs: number;
  touchMs: number;
}

const insertStatement = prepare({
  name: 'person_sessions.insert',
  given: {
    tokenHash: 'bytea',
    id: 'uuid',
    personId: 'uuid',
    nowMs: 'timestamptz',
    signedInWith: 'text',
    address: 'text',
    userAgent: 'text',
    issuer: 'text',
    subject: 'text',
    sid: 'text',
    box: 'bytea',
    askedAtMs: 'timestamptz',
    provenAtMs: 'timestamptz',
    tillDeviceId: 'uuid',
  },
  text: (given) => `
INSERT INTO person_sessions (token_hash, id, person_id, created_at, last_seen_at, reauthenticated_at,
  signed_in_with, address, user_agent, sso_issuer, sso_subject, sso_sid, sso_box, sso_asked_at, sso_reached_at, till_device_id)
SELECT ${given.tokenHash}, ${given.id}, p.id, ${given.nowMs}, ${given.nowMs}, ${given.provenAtMs},
  ${given.signedInWith}, ${given.address}, ${given.userAgent},
  ${given.issuer}, ${given.subject}, ${given.sid}, ${given.box}, ${given.askedAtMs}, ${given.askedAtMs}, ${given.tillDeviceId}
FROM people p WHERE p.id = ${given.personId} AND p.disabled_at IS NULL
RETURNING id`,
});

const none = { issuer: null, subject: null, sid: null, box: null };

/** False if the person does not exist any more, or is disabled. */
export async function insertSession(database: Queryable, session: NewSession): Promise<boolean> {
  const { sso, createdAtMs: nowMs } = session;
  const { issuer, subject, sid, box } = sso ?? none;
  const askedAtMs = sso ? nowMs : null;
  const tillDeviceId = session.tillDeviceId ?? null;
  const given = { ...session, nowMs, issuer, subject, sid, box, askedAtMs, tillDeviceId };
  return (await insertStatement.run(database, given)).length > 0;
}

/**
 * Finds an open session: not ended, not idle for too long, and not too old. One that began by a PIN is too old after as
 * long as others may be idle.
 */
const isOpen = (given: Record<'idleSinceMs' | 'oldestMs', string>) =>
  `s.ended_at IS NULL AND s.last_seen_at > ${given.idleSinceMs} AND s.created_at > ${given.oldestMs}
  AND (s.till_device_id IS NULL OR s.created_at > ${given.idleSinceMs})`;

const findStatement = prepare({
  name: 'person_sessions.find',
  given: {
    tokenHash: 'bytea',
    nowMs: 'timestamptz',
    idleSinceMs: 'timestamptz',
    oldestMs: 'timestamptz',
    touchBeforeMs: 'timestamptz',
  },
  text: (given) => `
WITH touched AS (
  UPDATE person_sessions s SET last_seen_at = ${given.nowMs}
  WHERE s.token_hash = ${given.tokenHash} AND ${isOpen(given)} AND s.last_seen_at < ${given.touchBeforeMs}
)
SELECT s.sso_issuer AS issuer, s.sso_subject AS subject, s.sso_asked_at AS "askedAtMs",
  s.sso_asking_until AS "askingUntilMs", s.sso_reached_at AS "reachedAtMs",
  s.id, p.id AS "personId", p.email, p.name, p.language, s.created_at AS "createdAtMs",
  s.reauthenticated_at AS "reauthenticatedAtMs", s.signed_in_with AS "signedInWith",
  coalesce((
    -- For a moment, the home does not know the name of a new merchant in a further cell.
    SELECT json_agg(json_build_object('merchantId', m.merchant_id, 'merchantName', coalesce(t.name, '…'), 'role', m.role,
        'roleName', own.name, 'permissions', own.permissions)
      ORDER BY t.name, m.merchant_id)
    FROM memberships m LEFT JOIN ${merchantNames} ON t.id = m.merchant_id
      LEFT JOIN merchant_roles own ON own.merchant_id = m.merchant_id AND own.id = m.role_id
    WHERE m.person_id = p.id AND (s.till_device_id IS NULL OR m.merchant_id = d.merchant_id)
  ), '[]') AS memberships,
  (SELECT st.role FROM staff st WHERE st.person_id = p.id) AS "staffRole",
  s.till_device_id AS "deviceId", d.merchant_id AS "tillMerchantId"
FROM person_sessions s JOIN people p ON p.id = s.person_id AND p.disabled_at IS NULL
  LEFT JOIN till_devices d ON d.id = s.till_device_id AND d.revoked_at IS NULL
WHERE s.token_hash = ${given.tokenHash} AND ${isOpen(given)}
  AND (s.till_device_id IS NULL OR d.id IS NOT NULL)`,
});

type FoundRow = Omit<FoundSession, 'sso' | 'till'> & {
  deviceId: string | null;
  tillMerchantId: string;
  issuer: string | null;
  subject: string | null;
  askedAtMs: number;
  askingUntilMs: number | null;
  reachedAtMs: number;
};

export async function findOpenSession(
  database: Queryable,
  { tokenHash, nowMs, times }: { tokenHash: Buffer; nowMs: number; times: SessionTimes },
): Promise<FoundSession | undefined> {
  const given = {
    tokenHash,
    nowMs,
    ...bounds(nowMs, times),
    touchBeforeMs: nowMs - times.touchMs,
  };
  const [row] = await findStatement.run<FoundRow>(database, given);
  if (row === undefined) return undefined;
  const { issuer, subject, askedAtMs, askingUntilMs, reachedAtMs, ...rest } = row;
  const { deviceId, tillMerchantId: merchantId, ...found } = rest;
  const till = deviceId === null ? null : { deviceId, merchantId };
  const vouched = { issuer: issuer!, subject: subject!, askedAtMs, askingUntilMs, reachedAtMs };
  return { ...found, till, sso: issuer === null ? null : vouched };
}

const bounds = (nowMs: number, { idleMs, longestMs }: SessionTimes) => ({
  idleSinceMs: nowMs - idleMs,
  oldestMs: nowMs - longestMs,
});

const listStatement = prepare({
  name: 'person_sessions.list',
  given: { personId: 'uuid', idleSinceMs: 'timestamptz', oldestMs: 'timestamptz' },
  text: (given) => `
SELECT s.id, s.created_at AS "createdAtMs", s.last_seen_at AS "lastSeenAtMs",
  s.signed_in_with AS "signedInWith", s.address, s.user_agent AS "userAgent"
FROM person_sessions s WHERE s.person_id = ${given.personId} AND ${isOpen(given)}
ORDER BY s.last_seen_at DESC, s.id DESC`,
});

/** A person's open sessions, the last used first. */
export function listOpenSessions(
  database: Queryable,
  { personId, nowMs, times }: { personId: string; nowMs: number; times: SessionTimes },
): Promise<ListedSession[]> {
  return listStatement.run<ListedSession>(database, { personId, ...bounds(nowMs, times) });
}

const endStatement = prepare({
  name: 'person_sessions.end',
  given: { personId: 'uuid', only: 'uuid', but: 'uuid', nowMs: 'timestamptz' },
  text: (given) => `
UPDATE person_sessions SET ended_at = ${given.nowMs}, sso_box = NULL
WHERE person_id = ${given.personId} AND ended_at IS NULL
  AND (${given.only} IS NULL OR id = ${given.only}) AND (${given.but} IS NULL OR id <> ${given.but})
RETURNING id`,
});

/** Ends one session of a person, all but one, or all. @returns how many */
export async function markEnded(
  database: Queryable,
  { personId, only, but }: { personId: string; only?: string; but?: string },
  nowMs: number,
): Promise<number> {
  const given = { personId, only: only ?? null, but: but ?? null, nowMs };
  return (await endStatement.run(database, given)).length;
}

const keepStatement = {
  name: 'person_sessions.keep_open',
  text: `
SELECT FROM person_sessions WHERE person_id = $1 AND id = $2 AND ended_at IS NULL FOR SHARE`,
};

/**
 * Keeps a session from ending until the transaction ends: a change that ends sessions, and then revokes what they made,
 * waits for it. False if the session has ended.
 */
export async function keepOpen(
  transaction: Queryable,
  { id, personId }: { id: string; personId: string },
): Promise<boolean> {
  return (await transaction.query(keepStatement, [personId, id])).length > 0;
}

const markStatement = prepare({
  name: 'person_sessions.mark_reauthenticated',
  given: { id: 'uuid', personId: 'uuid', nowMs: 'timestamptz' },
  text: (given) => `
UPDATE person_sessions SET reauthenticated_at = ${given.nowMs}
WHERE person_id = ${given.personId} AND id = ${given.id} AND ended_at IS NULL AND till_device_id IS NULL
RETURNING id`,
});

/** False if the session has ended meanwhile, or began by a PIN, which proves too little. */
export async function markProven(
  database: Queryable,
  session: { id: string; personId: string },
  nowMs: number,
): Promise<boolean> {
  const { id, personId } = session;
  return (await markStatement.run(database, { id, personId, nowMs })).length > 0;
}

const removeStatement = {
  name: 'person_sessions.remove_old',
  text: `
DELETE FROM person_sessions WHERE token_hash IN (
  SELECT token_hash FROM person_sessions WHERE created_at <= $1 LIMIT $2
) RETURNING id`,
};

/** Removes some that began before this instant. @returns how many */
export async function removeOldSessions(
  database: Queryable,
  beforeMs: number,
  limit: number,
): Promise<number> {
  return (await database.query(removeStatement, [timestamp(beforeMs), limit])).length;
}

/**
 * Ends all sessions, links, shared phones and requests for approval: a restored database again contains those that ended since, such
 * as a stolen cookie, or a refund that the operator has made meanwhile.
 */
export async function closeAfterRestore(transaction: Queryable, nowMs: number): Promise<void> {
  const text = `
WITH revoked AS (
  UPDATE invitations SET revoked_at = $1 WHERE used_at IS NULL AND revoked_at IS NULL
), tills AS (
  UPDATE till_devices SET revoked_at = $1 WHERE revoked_at IS NULL
), undecided AS (
  UPDATE approvals SET status = 'EXPIRED', ended_at = $1 WHERE status = 'PENDING'
), undone AS (
  UPDATE approvals SET status = 'FAILED', failure = 'CHANGED', ended_at = $1, due_at = NULL
  WHERE status = 'APPROVED'
)
UPDATE person_sessions SET ended_at = $1, sso_box = NULL WHERE ended_at IS NULL`;
  await transaction.query({ text }, [timestamp(nowMs)]);
}
