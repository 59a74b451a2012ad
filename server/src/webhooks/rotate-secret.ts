import type { Clock } from '../platform/clock.ts';
import { type Database, timestamp } from '../platform/database.ts';
import { notFound } from '../platform/errors.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { secretContext, type WebhookEndpoint } from './endpoint.ts';
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
 * @param overlapHours from 0 to 72
 * @throws NOT_FOUND
 */
export type RotateSecret = (
  endpoint: { tenantId: string; id: string },
  overlapHours: number,
) => Promise<RotatedSecret>;

export interface RotateSecretParts {
  database: Database;
  clock: Clock;
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
RETURNING id`,
};

export function createRotateSecret(parts: RotateSecretParts): RotateSecret {
  const { database, clock, secrets, endpointChanged } = parts;
  return async ({ tenantId, id }, overlapHours) => {
    const nowMs = clock.nowMs();
    const secret = newWebhookSecret();
    const box = secrets.encrypt(secret, secretContext({ tenantId, id }));
    const overlapEndsAtMs = nowMs + overlapHours * hourMs;
    const rows = await database.query(rotateStatement, [
      tenantId,
      id,
      box,
      timestamp(overlapEndsAtMs),
      overlapHours > 0,
      timestamp(nowMs),
    ]);
    const endpoint = rows.length > 0 ? await findEndpoint(database, tenantId, id) : undefined;
    if (!endpoint) throw notFound('webhook endpoint');
    endpointChanged(id);
    return { endpoint, secret, overlapEndsAtMs };
  };
}
