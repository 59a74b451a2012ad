import type { Mask } from '../../platform/audit/mask.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { EventType } from '../events/event.ts';
import type { DisabledReason } from './health.ts';

/** A merchant's address for events (contract, section 2.7). The secret is stored encrypted. */
export interface WebhookEndpoint {
  tenantId: string;
  id: string;
  /** Increases with each change, so that a stale copy in a cache is recognised. */
  version: number;
  url: string;
  events: EventType[];
  status: 'ACTIVE' | 'DISABLED';
  /** Why it was disabled automatically; null if it is ACTIVE, or was disabled by hand. */
  disabledReason: DisabledReason | null;
  description: string | null;
  secretBox: Buffer;
  idempotencyKey: string | null;
  requestHash: Buffer | null;
  /** The encrypted answer to the creation, for its repetition; null without an idempotency key. */
  answerBox: Buffer | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The endpoint as the API shows it, without its secret. */
export function endpointView(endpoint: WebhookEndpoint) {
  return {
    id: formatId('we', endpoint.id),
    url: endpoint.url,
    events: endpoint.events,
    status: endpoint.status,
    // Only if set: the contract names the fields of an ordinary endpoint.
    ...(endpoint.disabledReason && { disabledReason: endpoint.disabledReason }),
    description: endpoint.description,
    createdAt: new Date(endpoint.createdAtMs).toISOString(),
    updatedAt: new Date(endpoint.updatedAtMs).toISOString(),
  };
}

/** The answer to the creation, the only one with the secret. */
export const creationJson = (endpoint: WebhookEndpoint, secret: string) =>
  JSON.stringify({ ...endpointView(endpoint), secret });

/** The context in which a secret is encrypted: it cannot be moved to another endpoint. */
export function secretContext(endpoint: { tenantId: string; id: string }): string {
  return `webhook_endpoint ${endpoint.tenantId} ${endpoint.id}`;
}

/** The subject of an audit record about an endpoint. */
export const aboutEndpoint = ({ tenantId, id }: Pick<WebhookEndpoint, 'tenantId' | 'id'>) => ({
  tenantId,
  subject: formatId('we', id),
});

/** The fields of an endpoint in an audit record: no secret, neither its own nor one in its URL. */
export function recordedEndpoint(endpoint: WebhookEndpoint, mask: Mask) {
  const { url, events, status, description } = endpoint;
  return { url: mask.url(url), events, status, description: mask.text(description) };
}
