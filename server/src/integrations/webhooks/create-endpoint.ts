import type { Mask } from '../../platform/audit/mask.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { notFound } from '../../platform/errors/errors.ts';
import {
  findOriginal,
  type IdempotentRequest,
  idempotentRequest,
  keysOf,
  type RequestHashes,
} from '../../platform/idempotency/idempotency.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Ids } from '../../platform/values/ids.ts';
import type { EventType } from '../events/event.ts';
import {
  aboutEndpoint,
  creationJson,
  endpointView,
  recordedEndpoint,
  secretContext,
  type WebhookEndpoint,
} from './endpoint.ts';
import { type EndpointLimits, endpointRefusal } from './endpoint-limits.ts';
import { findEndpointByKeys, insertEndpoint } from './endpoint-store.ts';
import { newWebhookSecret } from './secrets.ts';
import { type AllowPrivate, checkTargetUrl } from './target.ts';

export interface CreateEndpointInput {
  tenantId: string;
  mode: 'live' | 'test';
  url: string;
  events: EventType[];
  description: string | null;
  idempotencyKey: string | null;
  author: Author;
}

export interface CreatedEndpoint {
  /** The endpoint with its secret, which only this answer shows. */
  json: string;
  replayed: boolean;
}

/**
 * Registers a webhook endpoint (contract, section 4.4).
 * @throws VALIDATION_ERROR url
 * @throws LIMIT_REACHED the tenant has as many as it may have, in all or on this host
 * @throws IDEMPOTENCY_KEY_REUSED the key was used before with another body
 * @throws NOT_FOUND the key was used before, and its endpoint was deleted
 */
export type CreateEndpoint = (input: CreateEndpointInput) => Promise<CreatedEndpoint>;

interface CreateEndpointDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  secrets: SecretBox;
  allowPrivate: AllowPrivate;
  endpointLimits: EndpointLimits;
  mask: Mask;
  requestHashes: RequestHashes;
}

export function makeCreateEndpoint(dependencies: CreateEndpointDependencies): CreateEndpoint {
  return async ({ idempotencyKey, mode, author, ...input }) => {
    const { tenantId: _, ...meaning } = input;
    const request = idempotentRequest(idempotencyKey ?? undefined, input, () => meaning);
    const earlierJson = () => findEarlierJson(dependencies, input.tenantId, request);
    // The unique index finds the plain key, but not a sealed one. A request that was once accepted keeps its answer,
    // even if the configuration would refuse it by now.
    const original = await earlierJson();
    if (original !== undefined) return { json: original, replayed: true };
    checkTargetUrl(input.url, mode, dependencies.allowPrivate);
    const nowMs = dependencies.clock.nowMs();
    const id = dependencies.ids.next(nowMs);
    const secret = newWebhookSecret();
    const context = secretContext({ tenantId: input.tenantId, id });
    const endpoint: WebhookEndpoint = {
      ...input,
      id,
      version: 1,
      events: [...new Set(input.events)],
      status: 'ACTIVE',
      disabledReason: null,
      secretBox: dependencies.secrets.encrypt(secret, context),
      idempotencyKey,
      requestHash: request && dependencies.requestHashes.of(request),
      answerBox: null,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    const json = creationJson(endpoint, secret);
    // Stored as it is now: the endpoint may be changed before the request is repeated.
    if (idempotencyKey !== null) endpoint.answerBox = dependencies.secrets.encrypt(json, context);
    const { inserted, refusal } = await dependencies.database.transaction(async (transaction) => {
      const refused = await endpointRefusal(transaction, endpoint, dependencies.endpointLimits);
      const isNew = !refused && (await insertEndpoint(transaction, endpoint));
      if (isNew) {
        const after = recordedEndpoint(endpoint, dependencies.mask);
        const record = { ...aboutEndpoint(endpoint), action: 'webhook.created', after } as const;
        await writeAuditRecord(transaction, { ...dependencies, ...author }, record);
      }
      return { inserted: isNew, refusal: refused };
    });
    if (inserted) return { json, replayed: false };
    // A replay makes no endpoint, so no limit applies to it.
    const earlier = await earlierJson();
    if (earlier !== undefined) return { json: earlier, replayed: true };
    throw refusal ?? new Error('a webhook endpoint was neither written nor found');
  };
}

/** The answer to the first request with this key; undefined if the key is new. */
async function findEarlierJson(
  { database, requestHashes, secrets }: CreateEndpointDependencies,
  tenantId: string,
  request: IdempotentRequest | null,
): Promise<string | undefined> {
  const earlier = await findOriginal(requestHashes, request, (given) =>
    findEndpointByKeys(database, tenantId, keysOf(requestHashes, given)),
  );
  if (earlier?.deleted) throw notFound('webhook endpoint');
  return earlier && originalJson(earlier, secrets);
}

/**
 * The original answer. After a rotation, the endpoint as it is now, without a secret: the old secret is invalid, and
 * the new one was shown to the person who rotated it. Endpoints of the first version have no stored answer, and could
 * not be changed either.
 */
function originalJson(endpoint: WebhookEndpoint, secrets: SecretBox): string {
  const context = secretContext(endpoint);
  if (endpoint.answerBox) return secrets.decrypt(endpoint.answerBox, context);
  if (endpoint.version > 1) return JSON.stringify(endpointView(endpoint));
  return creationJson(endpoint, secrets.decrypt(endpoint.secretBox, context));
}
