import type { World } from './console-world.ts';
import { staffAddresses } from './staff-addresses.ts';

/** A page of the console or a receipt to open in a browser. */
export interface Address {
  /** Of its picture. */
  name: string;
  /** Below the console's origin. */
  path: string;
  who: 'owner' | 'stale' | 'viewer' | 'admin' | 'auditor' | 'nobody';
  /** 200 by default. */
  status?: number;
  /** Responses without menu and heading: files and pictures. */
  isFile?: boolean;
}

/** Everything to look at: every page, sign-in page, error and empty list. */
export function addressesOf(world: World): Address[] {
  return [
    ...merchantPages(world),
    ...emptyPages(world),
    ...staffAddresses(world),
    ...doors(world),
    ...receipts(world),
  ];
}

/** Below the merchant's address. */
function pagesOf({ payments, ...ids }: World): Record<string, string> {
  const payment = (status: string) => `payments/${payments[status]!.id}`;
  const charged = (status: string) => `charge/${payments[status]!.id}`;
  const endpoint = `endpoints/${ids.endpoint}`;
  const link = `links/${ids.session.id}`;
  const delivery = `${endpoint}/deliveries/${ids.event.replace('evt_', 'dl_')}`;
  return {
    home: '',
    'home-90': '?days=90',
    payments: 'payments',
    'payments-columns':
      'payments?column=status&column=amount&column=phone&column=operator&column=order&column=customer&column=description&column=transaction&column=fee',
    'payments-found': `payments?q=${encodeURIComponent(ids.texts.order.slice(0, 40))}`,
    ...Object.fromEntries(
      Object.keys(payments).map((name) => [`payment-${name.replace(' ', '-')}`, payment(name)]),
    ),
    'payments-export': 'payments/export',
    refund: `${payment('DEBITED')}/refund`,
    'refund-rest': `${payment('PARTIALLY_REFUNDED')}/refund`,
    refunds: 'refunds',
    charge: 'charge',
    'charged-paid': charged('DEBITED'),
    'charged-failed': charged('FAILED'),
    'charged-waiting': charged('USER_CONFIRMING'),
    sales: 'sales',
    links: 'links',
    'link-new': 'links/new',
    link,
    'link-paid': `links/${ids.paidSession.id}`,
    poster: `${link}/poster`,
    'links-reusable': 'links/reusable',
    'link-reusable': `links/reusable/${ids.reusable}`,
    'link-reusable-poster': `links/reusable/${ids.reusable}/poster`,
    products: 'products',
    'product-new': 'products/new',
    product: `products/${ids.product}`,
    settings: 'settings',
    'settings-checkout': 'settings/checkout',
    team: 'team',
    roles: 'roles',
    'role-new': 'roles/new',
    role: `roles/${ids.role}`,
    notices: 'notices',
    approvals: 'approvals',
    keys: 'keys',
    'key-new': 'keys/new',
    key: `keys/${ids.key}`,
    endpoints: 'endpoints',
    'endpoint-new': 'endpoints/new',
    endpoint,
    'endpoint-disabled': `endpoints/${ids.disabledEndpoint}`,
    delivery,
    events: 'events',
    event: `events/${ids.event}`,
    requests: 'requests',
    reference: 'reference',
    money: 'money',
    ...disbursementPages(ids),
    settlements: 'settlements',
    settlement: `settlements/${ids.settlement}`,
    'settlement-failed': `settlements/${ids.failedSettlement}`,
    'fee-statement': 'fee-statement',
    'fee-statement-print': 'fee-statement?print=1',
    statement: 'statement',
    'statement-print': 'statement?print=1',
    audit: 'audit',
  };
}

const disbursementPages = ({ disbursement, batch }: Pick<World, 'disbursement' | 'batch'>) => ({
  disbursements: 'disbursements',
  'disbursement-new': 'disbursements/new',
  disbursement: `disbursements/${disbursement}`,
  'disbursement-upload': 'disbursements/upload',
  'disbursement-batches': 'disbursements/batches',
  'disbursement-batch': `disbursements/batches/${batch}`,
});

function merchantPages(world: World): Address[] {
  const { site, payments, session, settlement, reusable, batch } = world;
  const link = `links/${session.id}`;
  const wrong: Record<string, string> = {
    'payments-wrong': 'payments?from=tomorrow',
    'statement-wrong': 'statement?from=2026-13-01&until=x',
  };
  const files = {
    code: `${link}/qr.svg`,
    logo: `${link}/logo`,
    'reusable-code': `links/reusable/${reusable}/qr.svg`,
    'reusable-logo': `links/reusable/${reusable}/logo`,
    'settings-logo': 'settings/logo',
    'settings-colours': 'settings/colours?colour=c2410c',
    manifest: 'manifest.webmanifest',
    'settlement-items': `settlements/${settlement}/items.csv`,
    'disbursements-file': 'disbursements/file.csv',
    'disbursement-results': `disbursements/batches/${batch}/results.csv`,
    'statement-file': 'statement.csv',
    'fee-statement-file': 'fee-statement.csv',
    'statement-excel': 'statement.xlsx',
    'statement-movements-excel':
      'statement/movements.xlsx?from=2026-01-01&until=2026-12-31&currency=CVE',
    'statement-movements': 'statement/movements.csv?from=2026-01-01&until=2026-12-31&currency=CVE',
    'home-file': '?days=7&csv=CVE',
  };
  const below = (path: string) => site.base + (path === '' || path[0] === '?' ? path : `/${path}`);
  const made = (of: Record<string, string>, more: Partial<Address> = {}) =>
    Object.entries(of).map(
      ([name, path]): Address => ({ name, path: below(path), who: 'owner', ...more }),
    );
  return [
    ...made(pagesOf(world)),
    ...made(wrong, { status: 400 }),
    ...made(files, { isFile: true }),
    { name: 'forbidden', path: `${site.base}/audit`, who: 'viewer', status: 403 },
    { name: 'not-found', path: `${site.base}/payments/pi_nothing`, who: 'owner', status: 404 },
    {
      name: 'viewer-payment',
      path: `${site.base}/payments/${payments.DEBITED!.id}`,
      who: 'viewer',
    },
  ];
}

/** Lists that are empty, or find nothing. */
function emptyPages({ site, emptyBase }: World): Address[] {
  const lists = ['', 'payments', 'refunds', 'links', 'products', 'keys', 'endpoints', 'events'];
  const more = [
    'requests',
    'money',
    'disbursements',
    'settlements',
    'statement',
    'audit',
    'charge',
    'team',
  ];
  const empty = [...lists, ...more].map(
    (page): Address => ({
      name: `empty-${page || 'home'}`,
      path: page === '' ? emptyBase : `${emptyBase}/${page}`,
      who: 'owner',
    }),
  );
  const live = emptyBase.replace(/test$/, 'live');
  return [
    ...empty,
    { name: 'live-home', path: live, who: 'owner' },
    { name: 'found-nothing', path: `${site.base}/payments?q=nobody`, who: 'owner' },
  ];
}

function doors({ site, invitation }: World): Address[] {
  return [
    { name: 'chooser', path: '/console', who: 'owner' },
    { name: 'account', path: '/console/account', who: 'owner' },
    { name: 'account-locked', path: '/console/account', who: 'stale' },
    { name: 'prove', path: `/console/prove?next=${site.base}/team`, who: 'stale' },
    { name: 'sign-in', path: '/console/sign-in', who: 'nobody' },
    { name: 'till-people', path: '/console/till', who: 'nobody' },
    { name: 'invitation', path: invitation, who: 'nobody' },
    { name: 'invitation-over', path: '/console/invitation/over', who: 'nobody', status: 404 },
    { name: 'welcome', path: '/console/welcome/used', who: 'nobody' },
  ];
}

const receipts = ({ receipts: paths }: World): Address[] =>
  paths.map((path, index) => ({ name: `receipt-${index}`, path, who: 'nobody' }));
