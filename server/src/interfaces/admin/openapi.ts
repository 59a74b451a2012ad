import type { OpenApiOptions } from '../../platform/http/openapi.ts';

/** Parts of the reference of `/admin/v1` beyond the routes themselves. */
export function adminOpenApi(url: string): OpenApiOptions {
  return {
    publicUrl: url,
    prefix: '/admin/v1',
    title: 'Zimbo admin',
    description:
      "The work of the gateway's staff, for programs: across all merchants, with its own kind of keys. " +
      'If the gateway has an operations listener, only that serves this API. ' +
      'The code samples read its address from `ZIMBO_ADMIN_URL` and the key from `ZIMBO_ADMIN_KEY`.',
    key: 'A key of /admin/v1: ak_admin_…',
    tags: [
      { name: 'Merchants', description: 'The companies that take payments through this gateway.' },
      { name: 'API keys', description: 'Keys with which merchants call /v1.' },
      { name: 'Payments', description: 'Payments of all merchants.' },
      { name: 'Disbursements', description: 'Disbursements of all merchants.' },
      { name: 'Reviews', description: "Items that need a person's decision, with both sides." },
      { name: 'Settlements', description: 'Payouts to merchants.' },
      {
        name: 'Bank statements',
        description: "Statements of the gateway's own account, matched with payouts.",
      },
      {
        name: 'Approvals',
        description: 'Requests of staff that another member of the staff approves.',
      },
      { name: 'Ledger', description: 'Accounts, postings, suspense and wrong debits.' },
      {
        name: 'Reconciliation',
        description: "Comparisons of operators' statements with the ledger.",
      },
      { name: 'Operators', description: 'The operators of live payments.' },
      { name: 'Notices', description: "Things that need a person's attention." },
      { name: 'System', description: 'The state of the gateway itself.' },
      { name: 'Audit log', description: 'Records of who did what.' },
      { name: 'Staff', description: 'The people of the company that runs the gateway.' },
      { name: 'Admin keys', description: 'Keys of this API.' },
    ],
    recorded: new URL('./openapi-examples.json', import.meta.url),
    samples: { url: 'ZIMBO_ADMIN_URL', key: 'ZIMBO_ADMIN_KEY' },
  };
}
