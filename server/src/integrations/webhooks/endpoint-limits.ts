import { limitReached } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { lockEndpointUrls } from './endpoint-store.ts';

/** The limits of a tenant's endpoints, in total and on one host and port. */
export interface EndpointLimits {
  perTenant: number;
  perHost: number;
}

/**
 * The reason why a tenant may not add an endpoint, or move one to this url; undefined: it may. Until the transaction
 * ends no other endpoint of the tenant can be added.
 * @param id of the endpoint itself, if it already exists
 */
export async function endpointRefusal(
  transaction: Queryable,
  { tenantId, id, url }: { tenantId: string; id: string; url: string },
  limits: EndpointLimits,
): Promise<Error | undefined> {
  const all = await lockEndpointUrls(transaction, tenantId);
  const others = all.filter((each) => each.id !== id);
  if (others.length >= limits.perTenant) {
    return limitReached(`You have ${others.length} webhook endpoints; no more are allowed.`);
  }
  const host = hostOf(url);
  const onHost = all.filter((each) => hostOf(each.url) === host);
  // An endpoint that stays on its host does not add to it, even if the limit was once higher.
  if (onHost.length < limits.perHost || onHost.some((each) => each.id === id)) return undefined;
  return limitReached(
    `You have ${onHost.length} webhook endpoints on ${host}; no more are allowed. A different path is still the same host.`,
    'url',
  );
}

/**
 * Host and port of a url, in one spelling. Not its path: a receiver answers under any number of paths, and each event
 * would be posted to it that many times.
 */
function hostOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  const port = parsed.port || (parsed.protocol === 'https:' ? '443' : '80');
  return `${parsed.hostname.replace(/\.+$/, '')}:${port}`;
}
