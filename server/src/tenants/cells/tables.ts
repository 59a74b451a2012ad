/** A table whose rows go with their merchant. */
export interface MovingTable {
  name: string;
  /** The column that says whose a row is, and what it says. */
  owner: { column: 'tenant_id' | 'merchant_id' | 'id'; of: 'TENANT' | 'MERCHANT' };
  /**
   * EARLY: its rows are copied while the merchant is served. LAST: all of them in the last transaction, since the
   * cell must not know the merchant before, or since two of its rows exclude each other; these tables are small.
   */
  copied: 'EARLY' | 'LAST';
}

const ofTenant = (copied: MovingTable['copied'], ...names: string[]): MovingTable[] =>
  names.map((name) => ({ name, owner: { column: 'tenant_id', of: 'TENANT' }, copied }));

/** Rows of these move with their merchant, in an order that foreign keys allow; rows of no tenant stay. */
export const movingTables: readonly MovingTable[] = [
  { name: 'merchants', owner: { column: 'id', of: 'MERCHANT' }, copied: 'LAST' },
  { name: 'tenants', owner: { column: 'merchant_id', of: 'MERCHANT' }, copied: 'LAST' },
  { name: 'bank_accounts', owner: { column: 'merchant_id', of: 'MERCHANT' }, copied: 'LAST' },
  ...ofTenant('LAST', 'api_keys', 'settlements', 'unsettled', 'exports', 'notices'),
  // What is due for a person would be mailed before the merchant has come, and is of no use without its notice.
  ...ofTenant('LAST', 'notice_recipients'),
  // It has no key by which a change could be told.
  ...ofTenant('LAST', 'payment_total_deltas'),
  ...ofTenant('EARLY', 'payments', 'refunds', 'reversals', 'checkout_sessions', 'payment_links'),
  ...ofTenant('EARLY', 'products', 'postings', 'balances', 'settlement_periods', 'payable_hours'),
  ...ofTenant('EARLY', 'payment_totals', 'payment_day_totals', 'events', 'webhook_endpoints'),
  ...ofTenant(
    'EARLY',
    'act_keys',
    'deliveries',
    'api_key_refund_days',
    'api_request_chunks',
    'approvals',
  ),
  ...ofTenant('EARLY', 'review_items', 'operator_requests'),
  // Booked where the payment is: a second booking of the same transaction is refused there.
  ...ofTenant('EARLY', 'operator_callbacks', 'operator_transactions', 'outgoing_transactions'),
  ...ofTenant('EARLY', 'simulator_transactions'),
  ...ofTenant('EARLY', 'phone_prompts', 'erasing_payments', 'personal_data_walks'),
];

/** Rows of these stay in their cell, whoever moves, with the reason. */
export const stayingTables: Readonly<Record<string, string>> = {
  audit_records: 'sealed where they were written',
  audit_seals: 'the chain of this cell',
  audit_unsealed: 'what the next seal of this cell covers',
  phone_prompt_totals: 'of all merchants of this cell together',
  phone_digest_key: 'the same in every cell, copied when a cell is made',
  erasures: 'of a phone, not of a merchant: carried out in each cell',
  // A statement of an operator is compared with the ledger of one cell, as it was then.
  reconciliations: 'what was compared with the ledger of this cell',
  reconciliation_lines: 'of a reconciliation',
  reconciliation_differences: 'of a reconciliation',
  notice_mails: 'of a person: a mail under way is sent from where it was written',
  alerts: 'about this cell',
  backups: 'of this cell',
  operator_measurements: 'about operators, as seen from this cell',
  operator_watchers: 'of processes that work on this cell',
  running_processes: 'of processes that work on this cell',
  this_cell: 'which cell it is',
  schema_migrations: 'which tables this cell has',
  moving_merchants: 'who leaves this cell, or comes to it',
  moving_changes: 'what was written meanwhile',
};

/** At home in the first cell; other cells have copies of some, which nobody moves. */
export const homeTables: readonly string[] = `
  people passkeys recovery_codes memberships invitations person_sessions used_challenges sign_in_tries staff
  admin_keys identities notice_settings blocked_phones cells cell_tenants cell_merchants cell_keys cell_moves`
  .trim()
  .split(/\s+/);
