import { formatId } from '../../src/platform/values/ids.ts';
import type { Address } from './console-addresses.ts';
import type { World } from './console-world.ts';

const base = '/console/staff';

/** The staff pages, below their address. */
function pagesOf({ site, emptyBase, payments, settlement, ...ids }: World): Record<string, string> {
  const merchant = formatId('me', site.merchantId);
  const [empty] = emptyBase.match(/me_\w+/)!;
  const reconciliation = `reconciliations/${ids.reconciliation}`;
  return {
    home: '',
    merchants: 'merchants',
    'merchants-found': 'merchants?q=padaria',
    'merchants-nothing': 'merchants?q=nobody',
    merchant: `merchants/${merchant}`,
    'merchant-empty': `merchants/${empty}`,
    'top-up': `merchants/${merchant}/top-up`,
    payments: 'payments',
    'payments-nothing': 'payments?q=nobody',
    'payments-found': `payments?q=${encodeURIComponent('+238 991 23 45')}`,
    'merchants-searched': 'payments?q=padaria',
    payment: `payments/${payments.DEBITED!.id}`,
    'payment-refunded': `payments/${payments.PARTIALLY_REFUNDED!.id}`,
    disbursement: `disbursements/${ids.disbursement}`,
    batch: `disbursement-batches/${ids.batch}`,
    ledger: 'ledger',
    'ledger-nothing': 'ledger?merchant=nobody',
    'ledger-not-booked': `ledger?of=${payments.FAILED!.id}`,
    postings: `ledger/${merchant}?mode=test`,
    'postings-of': `ledger/${merchant}?mode=test&of=${payments.PARTIALLY_REFUNDED!.id}`,
    'postings-nothing': `ledger/${merchant}?mode=live`,
    operators: 'operators',
    operator: 'operators/CVMOVEL',
    'operator-day': 'operators/UNITEL_TMAIS?period=day',
    'operator-week': 'operators/SIMULATOR?period=week',
    reconciliations: 'reconciliations',
    'reconciliation-new': 'reconciliations/new',
    reconciliation,
    'reconciliation-explained': `${reconciliation}?status=EXPLAINED`,
    'reconciliation-failed': `reconciliations/${ids.failedReconciliation}`,
    difference: `${reconciliation}/differences/${ids.openDifference}`,
    'difference-explained': `${reconciliation}/differences/${ids.explainedDifference}`,
    'bank-statements': 'bank-statements',
    'bank-statement': `bank-statements/${ids.bankStatement}`,
    'bank-statement-new': 'bank-statements/new',
    reviews: 'reviews?mode=test',
    'reviews-nothing': 'reviews?kind=CLASH&operator=CVMOVEL',
    review: `reviews/${ids.review}`,
    'review-held': `reviews/${ids.heldDebit}`,
    approvals: 'approvals',
    settlements: 'settlements?mode=test',
    'settlements-nothing': 'settlements?merchant=nobody',
    settlement: `settlements/${settlement}`,
    statement: `merchants/${merchant}/statement?mode=test`,
    'statement-print': `merchants/${merchant}/statement?mode=test&print=1`,
    suspense: 'suspense',
    reversals: 'reversals',
    'reversals-nothing': 'reversals?status=PROCESSING',
    work: 'work',
    doctor: 'doctor',
    processes: 'processes',
    backups: 'backups',
    audit: 'audit',
    'audit-found': `audit?merchant=${merchant}`,
    'audit-nothing': 'audit?action=nothing.done',
    verification: 'audit/verification',
    'admin-keys': 'admin-keys',
    'admin-key': `admin-keys/${ids.adminKey}`,
    'admin-key-new': 'admin-keys/new',
    team: 'team',
    notices: 'notices',
  };
}

/** Every staff page, as an administrator, and some as an auditor, who changes nothing. */
export function staffAddresses(world: World): Address[] {
  const made = Object.entries(pagesOf(world)).map(
    ([name, path]): Address => ({
      name: `staff-${name}`,
      path: path === '' ? base : `${base}/${path}`,
      who: 'admin',
    }),
  );
  const asAuditor = made
    .filter(({ name }) => ['staff-merchant', 'staff-reconciliation', 'staff-team'].includes(name))
    .map((address): Address => ({ ...address, name: `${address.name}-read`, who: 'auditor' }));
  const file = {
    path: `${base}/reconciliations/${world.reconciliation}/csv`,
    isFile: true,
  } as const;
  const none = { path: `${base}/merchants/me_nothing`, who: 'admin', status: 404 } as const;
  return [
    ...made,
    ...asAuditor,
    { name: 'staff-differences-file', ...file, who: 'admin' },
    {
      name: 'staff-settlement-order',
      path: `${base}/settlements/${world.settlement}/order`,
      isFile: true,
      who: 'admin',
    },
    {
      name: 'staff-statement-movements',
      path: `${base}/merchants/${formatId('me', world.site.merchantId)}/statement/movements.csv?mode=test&from=2026-01-01&until=2026-12-31&currency=CVE`,
      isFile: true,
      who: 'admin',
    },
    { name: 'staff-not-found', ...none },
  ];
}
