import { type Author, writeAuditRecord } from '../audit/record.ts';
import type { Clock } from '../clock.ts';
import { invalidState, notFound } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { type Database, timestamp } from '../postgres/database.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { aboutEndpoint, secretContext, type WebhookEndpoint } from './endpoint.ts';
import { findEndpoint } from './endpoint-store.ts';
import { newWebhookSecret } from './secrets.ts';

export interface RotatedSecret {
  endpoint: WebhookEndpoint;
  /** Shown in this answer only. */
  secret: string;
  /** When the old secret stops signing; until then both do. */
  overlapEndsAtMs: number;
}

/**
 * Gives an endpoint a new signing secret. Until the overlap ends, deliveries are signed with both;
 * a second rotation ends the overlap of the first.
 * @param endpoint with the version that its reader saw: a form that is sent twice rotates once
 * @param overlapHours from 0 to 72
 * @throws NOT_FOUND
 * @throws INVALID_STATE the endpoint has another version by now
 */
export type RotateSecret = (
  endpoint: { tenantId: string; id: string; seenVersion?: number },
  overlapHours: number,
  author: Author,
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
RETURNING id`,
};

export function makeRotateSecret(dependencies: RotateSecretDependencies): RotateSecret {
  const { database, clock, secrets, endpointChanged } = dependencies;
  return async ({ tenantId, id, seenVersion }, overlapHours, author) => {
    const nowMs = clock.nowMs();
    const secret = newWebhookSecret();
    const box = secrets.encrypt(secret, secretContext({ tenantId, id }));
    const overlapEndsAtMs = nowMs + overlapHours * hourMs;
    const ends = timestamp(overlapEndsAtMs);
    const given = [box, ends, overlapHours > 0, timestamp(nowMs), seenVersion ?? null];
    const values = [tenantId, id, ...given];
    const endpoint = await database.transaction(async (transaction) => {
      const rows = await transaction.query(rotateStatement, values);
      if (rows.length === 0) {
        const found = await findEndpoint(transaction, tenantId, id);
        throw found ? invalidState('The endpoint has changed.') : notFound('webhook endpoint');
      }
      const detail = { overlapHours };
      const about = aboutEndpoint({ tenantId, id });
      const record = { ...about, action: 'webhook.secret_rotated', detail } as const;
      await writeAuditRecord(transaction, { ...dependencies, ...author }, record);
      return findEndpoint(transaction, tenantId, id);
    });
    if (!endpoint) throw notFound('webhook endpoint');
    endpointChanged(id);
    return { endpoint, secret, overlapEndsAtMs };
  };
}
