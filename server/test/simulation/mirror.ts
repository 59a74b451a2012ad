/** A row as PostgreSQL wrote it, in the columns' own names. Instants are text, see {@link instantOf}. */
// biome-ignore lint/suspicious/noExplicitAny: rows of all tables.
export type Row = Record<string, any>;

/** A row in memory, with when (in true time) what happened to it. */
export interface Mirrored {
  row: Row;
  dueMs: number | null;
  statusSinceMs: number;
  /** When `sent_at` was last committed; for what has none, when it last became PROCESSING. */
  sentSinceMs: number | undefined;
}

export type OnChange = (table: string, before: Mirrored | undefined, after: Mirrored) => void;

const keyColumns: Record<string, string[]> = {
  postings: ['source_id', 'kind'],
  settlement_periods: ['tenant_id', 'currency', 'period'],
  operator_callbacks: ['reference', 'outcome'],
  simulator_transactions: ['reference'],
  operator_requests: ['reference'],
  operator_transactions: ['operator', 'account', 'operator_tx_id'],
  outgoing_transactions: ['operator', 'account', 'operator_tx_id'],
};

export const mirrored = [
  'payments',
  'refunds',
  'reversals',
  'settlements',
  'settlement_periods',
  'postings',
  'operator_callbacks',
  'operator_requests',
  'operator_transactions',
  'outgoing_transactions',
  'simulator_transactions',
  'review_items',
] as const;

/**
 * What is committed, in memory: triggers tell of each row in the statement that writes it, so the
 * invariants are held against every step without asking the database.
 */
export class Mirror {
  onChange: OnChange = () => {};
  #tables = new Map<string, Map<string, Mirrored>>();

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

  clear(): void {
    this.#tables.clear();
  }

  hear(table: string, row: Row, nowMs: number): void {
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
    this.onChange(table, before, after);
  }

  /** Whether any row of a table is due. */
  isDue(table: string, nowMs: number): boolean {
    for (const { dueMs } of this.rows(table).values()) {
      if (dueMs !== null && dueMs <= nowMs) return true;
    }
    return false;
  }
}

function isSent(before: Row | undefined, after: Row): boolean {
  if ('sent_at' in after) return after.sent_at !== null && before?.sent_at !== after.sent_at;
  return after.status === 'PROCESSING' && before?.status !== 'PROCESSING';
}

export function instantOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text);
}
