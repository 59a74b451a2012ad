import type { EventType } from '../events/event.ts';
import { requestHash } from '../platform/canonical-json.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { idempotencyKeyReused } from '../platform/errors.ts';
import type { Ids } from '../platform/ids.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { secretContext, type WebhookEndpoint } from './endpoint.ts';
import { findEndpointByKey, insertEndpoint } from './endpoint-store.ts';
import { newWebhookSecret } from './secrets.ts';
import { checkTargetUrl } from './target.ts';

export interface CreateEndpointInput {
  tenantId: string;
  mode: 'live' | 'test';
  url: string;
  events: EventType[];
  description: string | null;
  idempotencyKey: string | null;
}

export interface CreatedEndpoint {
  endpoint: WebhookEndpoint;
  /** Shown once, in the answer to the creation. */
  secret: string;
  replayed: boolean;
}

/**
 * Registers a webhook endpoint (contract, section 4.4).
 * @throws VALIDATION_ERROR url
 * @throws IDEMPOTENCY_KEY_REUSED the key came before with another body
 */
export type CreateEndpoint = (input: CreateEndpointInput) => Promise<CreatedEndpoint>;

export function createCreateEndpoint(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  secrets: SecretBox;
}): CreateEndpoint {
  return async ({ idempotencyKey, mode, ...input }) => {
    const nowMs = parts.clock.nowMs();
    const id = parts.ids.next(nowMs);
    const secret = newWebhookSecret();
    const endpoint: WebhookEndpoint = {
      ...input,
      id,
      version: 1,
      url: checkTargetUrl(input.url, mode),
      events: [...new Set(input.events)],
      status: 'ACTIVE',
      secretBox: parts.secrets.encrypt(secret, secretContext({ tenantId: input.tenantId, id })),
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : requestHash(input),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    if (await insertEndpoint(parts.database, endpoint)) {
      return { endpoint, secret, replayed: false };
    }
    const earlier = await findEndpointByKey(parts.database, input.tenantId, idempotencyKey ?? '');
    if (!earlier?.requestHash?.equals(requestHash(input))) throw idempotencyKeyReused();
    const original = parts.secrets.decrypt(earlier.secretBox, secretContext(earlier));
    return { endpoint: earlier, secret: original, replayed: true };
  };
}
