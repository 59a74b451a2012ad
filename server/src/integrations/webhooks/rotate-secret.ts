import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalidState, notFound } from '../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../platform/idempotency/run-once.ts';
import { forgetField } from '../../platform/idempotency/store.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { aboutEndpoint, endpointView, secretContext } from './endpoint.ts';
import { findEndpoint } from './endpoint-store.ts';
import { newWebhookSecret } from './secrets.ts';

export interface RotatedSecret {
  /** JSON text of the endpoint. */
  endpointJson: string;
  /** Only this answer shows it, and its repetitions until the next rotation. */
  secret: string | undefined;
  /** When the old secret stops signing; until then both do. */
  overlapEndsAtMs: number;
}

export interface Rotation {
  /** From 0 to 72. */
  overlapHours: number;
  /** Ends an overlap that is under way: receivers that know neither of the later secrets are cut off. */
  endOverlap: boolean;
}

/**
 * Gives an endpoint a new signing secret. Until the overlap ends, deliveries are signed with both.
 * @param endpoint with the version that its reader saw: a form that is sent twice rotates once
 * @throws NOT_FOUND
 * @throws INVALID_STATE the endpoint has another version by now, or a running overlap must not end
 */
export type RotateSecret = (
  endpoint: { tenantId: string; id: string; seenVersion?: number },
  rotation: Rotation,
  author: Author,
  keep?: KeepAnswer,
) => Promise<RotatedSecret>;

export interface RotateSecretDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  secrets: SecretBox;
  endpointChanged: (id: string) => void;
}

const hourMs = 3_600_000;

const rotateStatement = {
  name: 'webhook_endpoints.rotate_secret',
  text: `
UPDATE webhook_endpoints SET
  secret_box = CASE WHEN $5 THEN coalesce(next_secret_box, secret_box) ELSE $3 END,
  next_secret_box = CASE WHEN $5 THEN $3 END,
  next_secret_from = CASE WHEN $5 THEN $4::timestamptz END,
  -- Whoever repeats the creation is not to see a secret that has been replaced.
  answer_box = NULL,
  version = version + 1, updated_at = $6
WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
  AND ($7::integer IS NULL OR version = $7)
  AND ($8 OR next_secret_from IS NULL OR next_secret_from <= $6)
RETURNING id`,
};

/**
 * The stored part of a rotation; the secret is stored with the endpoint, and stays the same until this field is
 * forgotten.
 */
interface Kept {
  endpointJson: string;
  overlapEndsAtMs: number;
  isCurrent?: true;
}

const newestStatement = {
  name: 'webhook_endpoints.newest_secret',
  text: `
SELECT coalesce(next_secret_box, secret_box) AS "secretBox", next_secret_from AS "nextSecretFromMs"
FROM webhook_endpoints WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`,
};

const findNewest = rowQuery<
  { secretBox: Buffer; nextSecretFromMs: number | null },
  [tenantId: string, id: string]
>(newestStatement);

export function makeRotateSecret(dependencies: RotateSecretDependencies): RotateSecret {
  const { database, clock, secrets, endpointChanged } = dependencies;
  return async (endpoint, { overlapHours, endOverlap }, author, keep = keepNothing) => {
    const { tenantId, id, seenVersion } = endpoint;
    const nowMs = clock.nowMs();
    const secret = newWebhookSecret();
    const box = secrets.encrypt(secret, secretContext({ tenantId, id }));
    const overlapEndsAtMs = nowMs + overlapHours * hourMs;
    const ends = timestamp(overlapEndsAtMs);
    const mayEnd = endOverlap || overlapHours === 0;
    const given = [box, ends, overlapHours > 0, timestamp(nowMs), seenVersion ?? null, mayEnd];
    const values = [tenantId, id, ...given];
    const endpointJson = await database.transaction(async (transaction) => {
      const rows = await transaction.query(rotateStatement, values);
      if (rows.length === 0) throw await refusalOf(transaction, endpoint, nowMs);
      const detail = { overlapHours };
      const about = aboutEndpoint({ tenantId, id });
      const record = { ...about, action: 'webhook.secret_rotated', detail } as const;
      await writeAuditRecord(transaction, { ...dependencies, ...author }, record);
      const rotated = await findEndpoint(transaction, tenantId, id);
      if (!rotated) throw notFound('webhook endpoint');
      // Earlier rotations no longer have the newest secret.
      await forgetField(transaction, { tenantId, id }, 'isCurrent' satisfies keyof Kept);
      const json = JSON.stringify(endpointView(rotated));
      const kept: Kept = { endpointJson: json, overlapEndsAtMs, isCurrent: true };
      await keep(transaction, kept);
      return json;
    });
    endpointChanged(id);
    return { endpointJson, secret, overlapEndsAtMs };
  };
}

async function refusalOf(
  transaction: Queryable,
  { tenantId, id, seenVersion }: { tenantId: string; id: string; seenVersion?: number },
  nowMs: number,
): Promise<Error> {
  const found = await findEndpoint(transaction, tenantId, id);
  if (!found) return notFound('webhook endpoint');
  if (seenVersion !== undefined && seenVersion !== found.version) {
    return invalidState('The endpoint has changed.');
  }
  const endMs = (await findNewest(transaction, tenantId, id))?.nextSecretFromMs ?? nowMs;
  return invalidState(
    `The overlap of the last rotation lasts until ${new Date(endMs).toISOString()}, and receivers may know the old secret only. Wait until then, or send endOverlap: true or overlapHours: 0 to end it now.`,
  );
}

/** A rotation as it was answered; the secret is left out once it is no longer the newest. */
export type RotationThen = (
  endpoint: { tenantId: string; id: string },
  kept: object,
) => Promise<RotatedSecret>;

/** @throws NOT_FOUND the endpoint was deleted */
export function makeRotationThen({
  database,
  secrets,
}: Pick<RotateSecretDependencies, 'database' | 'secrets'>): RotationThen {
  return async ({ tenantId, id }, kept) => {
    const { endpointJson, overlapEndsAtMs, isCurrent } = kept as Kept;
    const newest = await findNewest(database, tenantId, id);
    if (!newest) throw notFound('webhook endpoint');
    const context = secretContext({ tenantId, id });
    const secret = isCurrent ? secrets.decrypt(newest.secretBox, context) : undefined;
    return { endpointJson, secret, overlapEndsAtMs };
  };
}
