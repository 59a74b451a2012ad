import type { OpenApiOptions } from '../../platform/http/openapi.ts';

/** What the reference of `/admin/v1` says beyond the routes themselves. */
export function adminOpenApi(url: string): OpenApiOptions {
  return {
    publicUrl: url,
    prefix: '/admin/v1',
    title: 'Zimbo admin',
    description:
      "What the gateway's staff can do, for programs: across all merchants, with keys of its own kind. " +
      'Where the gateway has a listener for operations, it is served there only.',
    key: 'A key of /admin/v1: ak_admin_…',
    tags: [
      { name: 'Merchants', description: 'Those who take payments through this gateway.' },
      { name: 'API keys', description: 'Keys with which merchants call /v1.' },
      { name: 'Payments', description: 'Payments of all merchants.' },
      { name: 'Reviews', description: 'What waits for a person, with both sides.' },
      { name: 'Settlements', description: 'Payouts to merchants.' },
      { name: 'Approvals', description: 'What one of the staff asks for and another approves.' },
      { name: 'Ledger', description: 'Accounts, postings, suspense and wrong debits.' },
      { name: 'Reconciliation', description: "Operators' statements against the ledger." },
      { name: 'Operators', description: 'The operators of live payments.' },
      { name: 'Notices', description: 'What needs a person.' },
      { name: 'System', description: 'How the gateway itself is.' },
      { name: 'Audit log', description: 'Who did what.' },
      { name: 'Staff', description: 'The people of the company that runs the gateway.' },
      { name: 'Admin keys', description: 'Keys of this API.' },
    ],
    examples: {
      UNAUTHORIZED: 'This API key is unknown or was revoked.',
      FORBIDDEN: 'This API key lacks the permission merchants.write.',
      VALIDATION_ERROR: 'name must have 1 to 255 characters',
      NOT_FOUND: 'No such merchant.',
      INVALID_STATE: 'A settlement that is COMPLETED cannot be failed.',
    },
  };
}
