import type { Queryable } from '../platform/database.ts';
import { limitReached } from '../platform/errors.ts';
import { lockEndpointUrls } from './endpoint-store.ts';

/** How many endpoints a tenant may have, and how many of them on one URL. */
export interface EndpointLimits {
  perTenant: number;
  perUrl: number;
}

/**
 * What keeps a tenant from one endpoint more, or from moving one to this url; undefined: nothing. Until the
 * transaction ends no other endpoint of the tenant is added.
 * @param id of the endpoint itself, where it is there already
 */
export async function endpointRefusal(
  transaction: Queryable,
  { tenantId, id, url }: { tenantId: string; id: string; url: string },
  limits: EndpointLimits,
): Promise<Error | undefined> {
  const others = (await lockEndpointUrls(transaction, tenantId)).filter((each) => each.id !== id);
  if (others.length >= limits.perTenant) {
    return limitReached(`You have ${others.length} webhook endpoints, and more are not allowed.`);
  }
  const place = placeOf(url);
  const onUrl = others.filter((each) => placeOf(each.url) === place).length;
  if (onUrl < limits.perUrl) return undefined;
  return limitReached(
    `You have ${onUrl} webhook endpoints on this url, and more are not allowed; a different query makes no different url.`,
  );
}

/** A url in one spelling, without what its receiver need not look at. */
function placeOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? parsed.origin + parsed.pathname : url;
}
