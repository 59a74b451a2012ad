import { limitReached } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { lockEndpointUrls } from './endpoint-store.ts';

/** How many endpoints a tenant may have, and how many of them on one host and port. */
export interface EndpointLimits {
  perTenant: number;
  perHost: number;
}

/**
 * What keeps a tenant from one endpoint more, or from moving one to this url; undefined: nothing. Until the
 * transaction ends no other endpoint of the tenant is added.
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
    return limitReached(`You have ${others.length} webhook endpoints, and more are not allowed.`);
  }
  const host = hostOf(url);
  const onHost = all.filter((each) => hostOf(each.url) === host);
  // One that stays on its host is not one more there, even where the limit was higher once.
  if (onHost.length < limits.perHost || onHost.some((each) => each.id === id)) return undefined;
  return limitReached(
    `You have ${onHost.length} webhook endpoints on ${host}, and more are not allowed; another path makes no other host.`,
    'url',
  );
}

/**
 * Host and port of a url, in one spelling. Not its path: a receiver answers under as many as it likes, and
 * each event would be posted to it so many times.
 */
function hostOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  const port = parsed.port || (parsed.protocol === 'https:' ? '443' : '80');
  return `${parsed.hostname.replace(/\.+$/, '')}:${port}`;
}
