import type { Permission } from '../../tenants/people/permissions.ts';
import type { Redirect } from './page.ts';
import { pages } from './pages/index.ts';
import type { MerchantContext } from './request-context.ts';

const patterns = pages.map(({ path, permission }) => ({
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}$`),
  permission,
}));

/** The permission of the page at an address below the merchant's. */
function permissionAt(path: string): Permission | undefined {
  return patterns.find(({ pattern }) => pattern.test(path))?.permission;
}

/**
 * Where a form leads after its work. People who may not see the result learn that the work is done: if they read that
 * they have no permission, they would send the money again.
 */
export function afterForm(visit: MerchantContext, { to }: Redirect): Redirect {
  const [address = ''] = to.split('?');
  const base = visit.to('');
  if (address !== base && !address.startsWith(`${base}/`)) return { to };
  const needed = permissionAt(address.slice(base.length + 1));
  if (needed === undefined || visit.can(needed)) return { to };
  return { to: visit.to(visit.page, { done: 'unseen' }) };
}
