import { EventQueue } from './event-queue.ts';

/**
 * A row as PostgreSQL wrote it, under its column names. Instants are text, see {@link instantOf}.
 */
// biome-ignore lint/suspicious/noExplicitAny: rows of all tables.
export type Row = Record<string, any>;

/** A row in memory, with the true times of its changes. */
export interface Mirrored {
  row: Row;
  dueMs: number | null;
  statusSinceMs: number;
  /**
   * When `sent_at` was last committed; for tables without it, when the row last became PROCESSING.
   */
  sentSinceMs: number | undefined;
}

export type OnChange = (table: string, before: Mirrored | undefined, after: Mirrored) => void;

const keyColumns: Record<string, string[]> = {
  postings: ['source_id', 'kind'],
  unsettled: ['tenant_id', 'currency'],
  settlement_periods: ['tenant_id', 'currency', 'period'],
  operator_callbacks: ['reference', 'outcome'],
  simulator_transactions: ['reference'],
};

export const mirrored = [
  'payments',
  'refunds',
  'reversals',
  'disbursements',
  'disbursement_batches',
  'unsettled',
  'settlements',
  'settlement_periods',
  'postings',
  'operator_callbacks',
  'simulator_transactions',
  'review_items',
] as const;

/** Columns that the invariants search by value. */
const indexed: Record<string, string[]> = {
  payments: ['operator_tx_id'],
  refunds: ['operator_refund_id'],
  reversals: ['operator_reversal_id', 'payment_id'],
  disbursements: ['operator_tx_id', 'reference'],
  review_items: ['subject_id'],
};

/**
 * The committed rows, in memory. Triggers report each row within the statement that writes it, so
 * each step checks the invariants without a query.
 */
export class Mirror {
  onChange: OnChange = () => {};
  /** How many changes there were. */
  changes = 0;
  #tables = new Map<string, Map<string, Mirrored>>();
  /** Keys of rows by table, column and value. */
  #index = new Map<string, Set<string>>();
  /** Keys of rows by their current or former due time. */
  #due = new Map<string, EventQueue<string>>();

  rows(table: string): Map<string, Mirrored> {
    let rows = this.#tables.get(table);
    if (!rows) {
      rows = new Map();
      this.#tables.set(table, rows);
    }
    return rows;
  }

  get(table: string, id: string): Mirrored | undefined {
    return this.rows(table).get(id);
  }

  /** The rows with this value in one of the {@link indexed} columns. */
  where(table: string, column: string, value: string): Mirrored[] {
    const keys = this.#index.get(`${table} ${column} ${value}`) ?? [];
    return Array.from(keys, (key) => this.get(table, key)!);
  }

  clear(): void {
    this.changes += 1;
    this.#tables.clear();
    this.#index.clear();
    this.#due.clear();
  }

  apply(table: string, row: Row, nowMs: number): void {
    this.changes += 1;
    const key = (keyColumns[table] ?? ['id']).map((column) => row[column]).join(' ');
    const rows = this.rows(table);
    const before = rows.get(key);
    const isNewStatus = before?.row.status !== row.status;
    const after: Mirrored = {
      row,
      dueMs: instantOf(row.due_at),
      statusSinceMs: before && !isNewStatus ? before.statusSinceMs : nowMs,
      sentSinceMs: isSent(before?.row, row) ? nowMs : before?.sentSinceMs,
    };
    rows.set(key, after);
    this.#updateIndexes(table, key, before, after);
    this.onChange(table, before, after);
  }

  #updateIndexes(table: string, key: string, before: Mirrored | undefined, after: Mirrored): void {
    for (const column of indexed[table] ?? []) {
      const [old, value] = [before?.row[column] ?? null, after.row[column]];
      if (old === value) continue;
      this.#index.get(`${table} ${column} ${old}`)?.delete(key);
      if (value === null) continue;
      const place = `${table} ${column} ${value}`;
      const keys = this.#index.get(place);
      if (keys) keys.add(key);
      else this.#index.set(place, new Set([key]));
    }
    if (after.dueMs === null || after.dueMs === before?.dueMs) return;
    const due = this.#due.get(table) ?? new EventQueue();
    this.#due.set(table, due);
    due.add(after.dueMs, key);
  }

  /** When the first row of a table is due. */
  firstDueMs(table: string): number | undefined {
    const due = this.#due.get(table);
    for (;;) {
      const first = due?.first;
      if (!first || this.get(table, first.item)?.dueMs === first.atMs) return first?.atMs;
      due.take();
    }
  }

  /** Whether any row of a table is due. */
  isDue(table: string, nowMs: number): boolean {
    const firstMs = this.firstDueMs(table);
    return firstMs !== undefined && firstMs <= nowMs;
  }
}

function isSent(before: Row | undefined, after: Row): boolean {
  if ('sent_at' in after) return after.sent_at !== null && before?.sent_at !== after.sent_at;
  return after.status === 'PROCESSING' && before?.status !== 'PROCESSING';
}

export function instantOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text);
}
