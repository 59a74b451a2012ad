import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { limitReached } from '../../platform/errors/errors.ts';
import { lockCount } from '../../platform/postgres/advisory-lock.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { merchantNames } from './merchant-names.ts';
import { hashToken, newToken, requireOpen } from './sessions.ts';
import { teamDetail } from './teams.ts';

/** A phone that the people of a shop share. */
export interface TillDevice {
  id: string;
  merchantId: string;
  merchantName: string;
  /** What its browser calls itself. */
  label: string;
  /** The name of who enrolled it. */
  enrolledBy: string;
  createdAtMs: number;
}

type Dependencies = Administration & { database: Database };

const mostDevices = 20;
const longestLabel = 60;

const select = `
SELECT d.id, d.merchant_id AS "merchantId", coalesce(t.name, '…') AS "merchantName", d.label,
  p.name AS "enrolledBy", d.created_at AS "createdAtMs"
FROM till_devices d JOIN people p ON p.id = d.enrolled_by LEFT JOIN ${merchantNames} ON t.id = d.merchant_id
WHERE d.revoked_at IS NULL`;

/** The till with this cookie; undefined if it is none, or was revoked. */
export async function findTill(
  database: Queryable,
  token: string | undefined,
): Promise<TillDevice | undefined> {
  if (token === undefined) return undefined;
  const text = `${select} AND d.token_hash = $1`;
  return (await database.query<TillDevice>({ text }, [hashToken(token)]))[0];
}

/** The tills of a merchant, or those that a person enrolled, oldest first. */
export function listTills(
  { database }: { database: Queryable },
  whose: { merchantId: string } | { personId: string },
): Promise<TillDevice[]> {
  const [column, id] =
    'merchantId' in whose ? ['d.merchant_id', whose.merchantId] : ['d.enrolled_by', whose.personId];
  return database.query<TillDevice>({ text: `${select} AND ${column} = $1 ORDER BY d.id` }, [id]);
}

/**
 * Makes this phone a till. The caller must ensure that the person may charge there, and has just confirmed their
 * identity.
 * @returns the token for the cookie, which is not stored
 * @throws LIMIT_REACHED
 */
export function enrolTill(
  dependencies: Dependencies,
  order: {
    merchantId: string;
    personId: string;
    sessionId?: string;
    label: string;
    replaced?: string | undefined;
  },
): Promise<string> {
  const { database, clock, ids } = dependencies;
  const { merchantId, personId, sessionId } = order;
  const label = order.label.slice(0, longestLabel);
  return database.transaction(async (transaction) => {
    const nowMs = clock.nowMs();
    if (sessionId) await requireOpen(transaction, { id: sessionId, personId });
    const before = await findTill(transaction, order.replaced);
    if (before)
      await revoke(transaction, dependencies, { condition: 'id = $2', values: [before.id] });
    await lockCount(transaction, `tills of ${merchantId}`);
    if ((await listTills({ database: transaction }, { merchantId })).length >= mostDevices) {
      throw limitReached(`A merchant has at most ${mostDevices} shared phones: revoke one first.`);
    }
    const id = ids.next(nowMs);
    const token = newToken();
    const text = `
INSERT INTO till_devices (token_hash, id, merchant_id, enrolled_by, label, created_at) VALUES ($1, $2, $3, $4, $5, $6)`;
    const values = [hashToken(token), id, merchantId, personId, label, timestamp(nowMs)];
    await transaction.query({ text }, values);
    await record(transaction, dependencies, 'till.enrolled', { id, merchantId });
    return token;
  });
}

/**
 * Ends a till and the sessions on it.
 * @param till with its merchant for owners, or with the person who enrolled it
 * @returns false if there is no such till any more
 */
export function revokeTill(
  dependencies: Dependencies,
  till: { id: string } & ({ merchantId: string } | { personId: string }),
): Promise<boolean> {
  const [column, owner] =
    'merchantId' in till ? ['merchant_id', till.merchantId] : ['enrolled_by', till.personId];
  const which = { condition: `id = $2 AND ${column} = $3`, values: [till.id, owner] };
  return dependencies.database.transaction(
    async (transaction) => (await revoke(transaction, dependencies, which)) > 0,
  );
}

/** Ends the tills that a person enrolled, at one merchant or everywhere: they may have kept such a phone. */
export async function revokeTillsOf(
  transaction: Queryable,
  author: Administration,
  { personId, merchantId }: { personId: string; merchantId?: string },
): Promise<void> {
  const condition = 'enrolled_by = $2 AND ($3::uuid IS NULL OR merchant_id = $3)';
  await revoke(transaction, author, { condition, values: [personId, merchantId ?? null] });
}

async function revoke(
  transaction: Queryable,
  author: Administration,
  { condition, values }: { condition: string; values: (string | null)[] },
): Promise<number> {
  const now = timestamp(author.clock.nowMs());
  const text = `
WITH revoked AS (
  UPDATE till_devices SET revoked_at = $1 WHERE ${condition} AND revoked_at IS NULL RETURNING id, merchant_id
), ended AS (
  UPDATE person_sessions s SET ended_at = $1 FROM revoked
  WHERE s.till_device_id = revoked.id AND s.ended_at IS NULL
)
SELECT id, merchant_id AS "merchantId" FROM revoked`;
  const given = [now, ...values];
  const revoked = await transaction.query<{ id: string; merchantId: string }>({ text }, given);
  for (const each of revoked) await record(transaction, author, 'till.revoked', each);
  return revoked.length;
}

function record(
  transaction: Queryable,
  author: Administration,
  action: 'till.enrolled' | 'till.revoked',
  { id, merchantId }: { id: string; merchantId: string },
): Promise<void> {
  const subject = formatId('td', id);
  const detail = teamDetail({ merchantId });
  return writeAuditRecord(transaction, author, { tenantId: null, action, subject, detail });
}

/** Removes some that were revoked before this instant. @returns how many */
export async function removeOldTills(
  database: Queryable,
  beforeMs: number,
  limit: number,
): Promise<number> {
  const text = `
DELETE FROM till_devices WHERE token_hash IN (
  SELECT token_hash FROM till_devices WHERE revoked_at <= $1 LIMIT $2
) RETURNING id`;
  return (await database.query({ text }, [timestamp(beforeMs), limit])).length;
}
