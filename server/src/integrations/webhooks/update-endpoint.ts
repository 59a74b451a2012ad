import type { Mask } from '../../platform/audit/mask.ts';
import type { Author } from '../../platform/audit/record.ts';
import { notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import type { EventType } from '../events/event.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import { type EndpointLimits, endpointRefusal } from './endpoint-limits.ts';
import { findEndpoint, updateEndpoint } from './endpoint-store.ts';
import { recordChange } from './record-change.ts';
import { type AllowPrivate, checkTargetUrl } from './target.ts';

/** Omitted fields stay as they are. */
export interface EndpointChange {
  url?: string;
  events?: EventType[];
  status?: 'ACTIVE' | 'DISABLED';
  /** Null removes the description. */
  description?: string | null;
}

/**
 * Changes a webhook endpoint. A disabled endpoint gets no new deliveries, and pending ones wait; once it is enabled,
 * those that waited are due at once.
 * @throws NOT_FOUND
 * @throws VALIDATION_ERROR url
 * @throws LIMIT_REACHED too many endpoints on its host
 */
export type UpdateEndpoint = (
  endpoint: { tenantId: string; mode: 'live' | 'test'; id: string },
  change: EndpointChange,
  author: Author,
) => Promise<WebhookEndpoint>;

export function makeUpdateEndpoint(dependencies: {
  database: Database;
  clock: Clock;
  ids: Ids;
  mask: Mask;
  allowPrivate: AllowPrivate;
  endpointLimits: EndpointLimits;
  endpointChanged: (id: string) => void;
}): UpdateEndpoint {
  const { database, clock, endpointLimits, endpointChanged } = dependencies;
  // An endpoint that exists already does not add to the number, even if the limit was once higher.
  const limits = { perTenant: Number.POSITIVE_INFINITY, perHost: endpointLimits.perHost };
  return async ({ tenantId, mode, id }, change, author) => {
    const { url } = change;
    if (url !== undefined) checkTargetUrl(url, mode, dependencies.allowPrivate);
    const check = async (transaction: Queryable) => {
      const refusal = url && (await endpointRefusal(transaction, { tenantId, id, url }, limits));
      if (refusal) throw refusal;
    };
    const isEmpty = Object.keys(change).length === 0;
    const key = { tenantId, id };
    const record = recordChange(dependencies, author);
    const endpoint = isEmpty
      ? await findEndpoint(database, tenantId, id)
      : await updateEndpoint(database, key, withoutRepeats(change), clock.nowMs(), record, check);
    if (!endpoint) throw notFound('webhook endpoint');
    if (!isEmpty) endpointChanged(id);
    return endpoint;
  };
}

function withoutRepeats(change: EndpointChange): EndpointChange {
  return change.events ? { ...change, events: [...new Set(change.events)] } : change;
}
