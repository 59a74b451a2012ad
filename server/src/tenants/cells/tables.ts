/** Tables whose rows belong to a merchant, and are in its cell. */
export const merchantTables: readonly string[] = `
  merchants tenants bank_accounts api_keys settlements unsettled exports notices notice_recipients
  payment_total_deltas payments refunds reversals checkout_sessions payment_links products postings balances
  settlement_periods payable_hours payment_totals payment_day_totals events webhook_endpoints act_keys deliveries
  api_key_refund_days api_request_chunks approvals review_items operator_requests operator_callbacks
  operator_transactions outgoing_transactions simulator_transactions phone_prompts erasing_payments
  personal_data_walks`
  .trim()
  .split(/\s+/);

/** Tables of each cell whose rows belong to no merchant, with the reason. */
export const cellTables: Readonly<Record<string, string>> = {
  audit_records: 'sealed where they were written',
  audit_seals: 'the chain of this cell',
  audit_unsealed: 'what the next seal of this cell covers',
  phone_prompt_totals: 'of all merchants of this cell together',
  phone_digest_key: 'the same in every cell, copied when a cell is created',
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
};

/** Tables of the home. Further cells have copies of some. */
export const homeTables: readonly string[] = `
  people passkeys recovery_codes memberships invitations person_sessions used_challenges sign_in_tries staff
  admin_keys identities notice_settings blocked_phones cells cell_tenants cell_merchants cell_keys`
  .trim()
  .split(/\s+/);
