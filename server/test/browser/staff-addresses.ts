import { formatId } from '../../src/ids.ts';
import type { Address } from './console-addresses.ts';
import type { World } from './console-world.ts';

const base = '/console/staff';

/** What the gateway's staff look at, below their address. */
function pagesOf({ site, emptyBase }: World): Record<string, string> {
  const merchant = formatId('me', site.merchantId);
  const [empty] = emptyBase.match(/me_\w+/)!;
  return {
    merchants: 'merchants',
    'merchants-found': 'merchants?q=padaria',
    'merchants-nothing': 'merchants?q=nobody',
    merchant: `merchants/${merchant}`,
    'merchant-empty': `merchants/${empty}`,
    work: 'work',
    team: 'team',
    notices: 'notices',
  };
}

/** Every page of the staff, as an administrator and in part as an auditor, who changes nothing. */
export function staffAddresses(world: World): Address[] {
  const made = Object.entries(pagesOf(world)).map(
    ([name, path]): Address => ({ name: `staff-${name}`, path: `${base}/${path}`, who: 'admin' }),
  );
  const asAuditor = made
    .filter(({ name }) => ['staff-merchant', 'staff-team'].includes(name))
    .map((address): Address => ({ ...address, name: `${address.name}-read`, who: 'auditor' }));
  const none = { path: `${base}/merchants/me_nothing`, who: 'admin', status: 404 } as const;
  return [...made, ...asAuditor, { name: 'staff-not-found', ...none }];
}
