/** Tables whose rows belong to a merchant, and live in its cell. */
export const merchantTables: readonly string[] = `
  merchants tenants bank_accounts api_keys settlements unsettled exports notices notice_recipients
  payment_total_deltas payments till_charges till_closings refunds reversals checkout_sessions payment_links
  short_links payment_link_uses products postings balances
  settlement_periods payable_hours payment_totals payment_day_totals events webhook_endpoints act_keys deliveries
  api_key_refund_days api_request_chunks approvals review_items operator_requests operator_callbacks
  operator_transactions outgoing_transactions simulator_transactions phone_prompts erasing_payments
  personal_data_walks fee_statements disbursements disbursement_batches disbursement_days top_ups`
  .trim()
  .split(/\s+/);

/** Tables of each cell whose rows belong to no merchant, with the reason. */
export const cellTables: Readonly<Record<string, string>> = {
  audit_records: 'sealed in the cell that wrote them',
  audit_seals: 'the chain of this cell',
  audit_unsealed: 'the records for the next seal of this cell',
  phone_prompt_totals: 'sums over all merchants of this cell',
  phone_digest_key: 'the same in every cell, copied when a cell is created',
  erasures: 'concern a phone, not a merchant, and run in each cell',
  // A statement is compared with the ledger of one cell, as of that time.
  reconciliations: 'statements compared with the ledger of this cell',
  bank_statements: 'statements matched with the payouts of this cell',
  bank_statement_lines: 'part of a bank statement',
  reconciliation_lines: 'part of a reconciliation',
  reconciliation_differences: 'part of a reconciliation',
  notice_mails: 'belong to a person; the cell that wrote a mail sends it',
  alerts: 'concern this cell',
  backups: 'concern this cell',
  operator_measurements: 'measured by this cell',
  operator_statuses: 'judged by the measurements of this cell',
  operator_watchers: 'processes that work on this cell',
  running_processes: 'processes that work on this cell',
  this_cell: 'the name of this cell',
  schema_migrations: 'the migrations of this cell',
};

/** Tables of the home. Further cells have copies of some. */
export const homeTables: readonly string[] = `
  people passkeys recovery_codes memberships invitations person_sessions used_challenges sign_in_tries staff
  admin_keys identities notice_settings merchant_roles till_devices blocked_phones cells cell_tenants cell_merchants cell_keys`
  .trim()
  .split(/\s+/);
