/** A table with free text, in which a phone may appear although it has no phone column. */
export interface MentionTable {
  table: string;
  /** The primary key, in whose order the table is paged through. */
  key: readonly string[];
  columns: readonly string[];
  json?: readonly string[];
  /** Reported, but never changed: events would go elsewhere. */
  kept?: readonly string[];
  /**
   * Texts of operators, receivers and our people, in which any spelling counts; merchants may mean something else by
   * the same digits.
   */
  bareDigitsArePhones?: true;
  /** The payment or disbursement of a row: while one of the phone must wait, the row stays unchanged. */
  payment?: string;
  /** When a row was created, unless the column is created_at. */
  madeAt?: string;
}

/**
 * Every text of merchants, operators, receivers and people. Columns that are neither here nor in erase-store.ts
 * contain no phone: a test checks every column of the database.
 */
export const mentionTables: readonly MentionTable[] = [
  {
    table: 'payments',
    key: ['tenant_id', 'id'],
    columns: ['external_id', 'customer_id', 'description', 'statement_descriptor', 'metadata'],
    payment: 'id',
  },
  {
    table: 'refunds',
    key: ['tenant_id', 'id'],
    columns: ['reason', 'metadata'],
    payment: 'payment_id',
  },
  {
    table: 'disbursements',
    key: ['tenant_id', 'id'],
    columns: ['external_id', 'customer_id', 'description', 'statement_descriptor', 'metadata'],
    payment: 'id',
  },
  {
    table: 'disbursement_batches',
    key: ['tenant_id', 'id'],
    columns: ['external_id', 'description'],
  },
  {
    table: 'checkout_sessions',
    key: ['tenant_id', 'id'],
    columns: [
      'items',
      'external_id',
      'customer_id',
      'description',
      'return_url',
      'completion_url',
      'metadata',
    ],
    payment: 'latest_payment_id',
  },
  {
    table: 'products',
    key: ['tenant_id', 'id'],
    columns: ['name', 'description', 'metadata', 'original_answer'],
  },
  {
    table: 'payment_links',
    key: ['tenant_id', 'id'],
    columns: ['description', 'metadata', 'return_url', 'completion_url', 'original_answer'],
  },
  { table: 'events', key: ['tenant_id', 'id'], columns: ['body'], payment: 'object_id' },
  {
    table: 'deliveries',
    key: ['tenant_id', 'endpoint_id', 'event_id'],
    columns: ['last_error'],
    json: ['attempts'],
    bareDigitsArePhones: true,
  },
  {
    table: 'act_keys',
    key: ['tenant_id', 'key_hash'],
    columns: [],
    json: ['answer'],
    bareDigitsArePhones: true,
  },
  { table: 'webhook_endpoints', key: ['tenant_id', 'id'], columns: ['description'], kept: ['url'] },
  {
    table: 'operator_callbacks',
    key: ['tenant_id', 'operator', 'reference', 'outcome'],
    columns: ['body'],
    payment: 'reference',
    bareDigitsArePhones: true,
    madeAt: 'received_at',
  },
  {
    table: 'review_items',
    key: ['tenant_id', 'id'],
    columns: ['reason'],
    json: ['detail'],
    payment: 'subject_id',
    bareDigitsArePhones: true,
  },
  { table: 'api_keys', key: ['tenant_id', 'id'], columns: ['label'], bareDigitsArePhones: true },
  {
    table: 'blocked_phones',
    key: ['phone_digest'],
    columns: ['reason'],
    madeAt: 'blocked_at',
    bareDigitsArePhones: true,
  },
  { table: 'merchants', key: ['id'], columns: ['name', 'brand_name', 'receipt_text'] },
];

/** Every table with idempotency keys: merchants name customers in keys of other objects, too. */
export const keyedTables: readonly MentionTable[] = [
  ...mentionTables.filter(({ table }) =>
    [
      'payments',
      'refunds',
      'disbursements',
      'disbursement_batches',
      'checkout_sessions',
      'products',
      'payment_links',
      'webhook_endpoints',
    ].includes(table),
  ),
  { table: 'settlements', key: ['tenant_id', 'id'], columns: [] },
];
