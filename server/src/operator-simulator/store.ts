import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A debit or what goes back of one. */
export interface Transaction {
  number: number;
  kind: 'merchantpay' | 'reversal';
  /** The client's id of the request, or ours where it gave none. */
  correlationId: string;
  /** Our id of the request. */
  requestId: string;
  /** The client's reference, by which it books. */
  reference: string;
  /** What was asked for, to tell a repetition from another request under the same id. */
  request: string;
  /** Of the debit that a reversal gives back. */
  originalNumber: number | null;
  amountMinor: bigint;
  currency: string;
  payer: string;
  callbackUrl: string | null;
  status: 'pending' | 'completed' | 'failed';
  errorCategory: string | null;
  errorCode: string | null;
  polls: number;
  createdAtMs: number;
  changedAtMs: number;
}

export type NewTransaction = Omit<
  Transaction,
  'number' | 'status' | 'errorCategory' | 'errorCode' | 'polls' | 'changedAtMs'
> & { dueAtMs: number };

/** Word of an outcome that is to be sent. */
export interface Callback {
  number: number;
  transactionNumber: number;
  /** Tells of the transaction as it was before its outcome. */
  isStale: 0 | 1;
  attempts: number;
}

/** What one currency came to. */
export interface Total {
  currency: string;
  debits: number;
  debitedMinor: string;
  reversals: number;
  reversedMinor: string;
  pending: number;
  failed: number;
}

export const fileName = 'operator-simulator.sqlite';

const schema = `
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS transactions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('merchantpay', 'reversal')),
  correlation_id TEXT NOT NULL UNIQUE,
  request_id TEXT NOT NULL UNIQUE,
  reference TEXT NOT NULL,
  request TEXT NOT NULL,
  original_number INTEGER REFERENCES transactions,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency TEXT NOT NULL,
  payer TEXT NOT NULL,
  callback_url TEXT,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'failed')),
  error_category TEXT,
  error_code TEXT,
  polls INTEGER NOT NULL DEFAULT 0,
  created_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL,
  due_at_ms INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS transactions_reference ON transactions (reference);
CREATE INDEX IF NOT EXISTS transactions_original ON transactions (original_number) WHERE original_number IS NOT NULL;
CREATE INDEX IF NOT EXISTS transactions_due ON transactions (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE TABLE IF NOT EXISTS callbacks (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  transaction_number INTEGER NOT NULL REFERENCES transactions,
  is_stale INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_answer TEXT,
  due_at_ms INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS callbacks_due ON callbacks (due_at_ms) WHERE due_at_ms IS NOT NULL`;

/** Amounts leave SQLite as text: its integers have 64 bits, and JavaScript's numbers do not. */
const transaction = `
SELECT number, kind, correlation_id AS correlationId, request_id AS requestId, reference, request,
  original_number AS originalNumber, CAST(amount_minor AS TEXT) AS amountMinor, currency, payer,
  callback_url AS callbackUrl, status, error_category AS errorCategory, error_code AS errorCode, polls,
  created_at_ms AS createdAtMs, changed_at_ms AS changedAtMs
FROM transactions`;

type Value = string | number | bigint | null;

/** Everything the simulator knows, in one SQLite file. A commit is on the disk before it returns. */
export class Store {
  #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  static open(dataDir: string): Store {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const database = new DatabaseSync(join(dataDir, fileName), { timeout: 5_000 });
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${schema}`);
    return new Store(database);
  }

  /** What is there already, and nothing may be written. @throws Error where there is nothing */
  static read(dataDir: string): Store {
    return new Store(new DatabaseSync(join(dataDir, fileName), { readOnly: true, timeout: 5_000 }));
  }

  close(): void {
    this.#database.close();
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** After a commit that failed, whether or not SQLite has rolled back by itself. */
  rollBack(): void {
    if (this.#database.isTransaction) this.exec('ROLLBACK');
  }

  /** The value that was kept first under this name. */
  keepSetting(name: string, value: string): string {
    this.#run('INSERT INTO settings VALUES (?, ?) ON CONFLICT DO NOTHING', name, value);
    return this.#all<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)[0]!
      .value;
  }

  insert(added: NewTransaction): Transaction {
    this.#run(
      `INSERT INTO transactions (kind, correlation_id, request_id, reference, request, original_number,
         amount_minor, currency, payer, callback_url, created_at_ms, changed_at_ms, due_at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      added.kind,
      added.correlationId,
      added.requestId,
      added.reference,
      added.request,
      added.originalNumber,
      added.amountMinor,
      added.currency,
      added.payer,
      added.callbackUrl,
      added.createdAtMs,
      added.createdAtMs,
      added.dueAtMs,
    );
    return this.byCorrelationId(added.correlationId)!;
  }

  byNumber = (number: number) => this.#one('number = ?', number);
  byCorrelationId = (id: string) => this.#one('correlation_id = ?', id);
  byRequestId = (id: string) => this.#one('request_id = ?', id);
  byReference = (reference: string) => this.#one('reference = ?', reference);

  due(nowMs: number, limit: number): Transaction[] {
    return this.#transactions('due_at_ms <= ? ORDER BY due_at_ms LIMIT ?', nowMs, limit);
  }

  after(number: number, limit: number): Transaction[] {
    return this.#transactions('number > ? ORDER BY number LIMIT ?', number, limit);
  }

  /** What goes back of a debit, or went, in minor units. */
  reversedMinor(originalNumber: number): bigint {
    const [row] = this.#all<{ sum: string }>(
      `SELECT CAST(coalesce(sum(amount_minor), 0) AS TEXT) AS sum FROM transactions
       WHERE original_number = ? AND status <> 'failed'`,
      originalNumber,
    );
    return BigInt(row!.sum);
  }

  /** Only what is pending gets an outcome, and only once. */
  decide(
    number: number,
    error: { category: string; code: string } | undefined,
    nowMs: number,
  ): boolean {
    const changes = this.#run(
      `UPDATE transactions SET status = ?, error_category = ?, error_code = ?, changed_at_ms = ?, due_at_ms = NULL
       WHERE number = ? AND status = 'pending'`,
      error ? 'failed' : 'completed',
      error?.category ?? null,
      error?.code ?? null,
      nowMs,
      number,
    );
    return changes === 1;
  }

  countPoll(number: number): void {
    this.#run('UPDATE transactions SET polls = polls + 1 WHERE number = ?', number);
  }

  addCallback(transactionNumber: number, isStale: 0 | 1, dueAtMs: number): void {
    this.#run(
      'INSERT INTO callbacks (transaction_number, is_stale, due_at_ms) VALUES (?, ?, ?)',
      transactionNumber,
      isStale,
      dueAtMs,
    );
  }

  /** @param except those that are being sent already */
  dueCallbacks(nowMs: number, except: Iterable<number>, limit: number): Callback[] {
    return this.#all<Callback>(
      `SELECT number, transaction_number AS transactionNumber, is_stale AS isStale, attempts FROM callbacks
       WHERE due_at_ms <= ? AND number NOT IN (SELECT value FROM json_each(?))
       ORDER BY due_at_ms, number LIMIT ?`,
      nowMs,
      JSON.stringify([...except]),
      limit,
    );
  }

  /** @param dueAtMs when to try again, or null: not any more */
  attempted(number: number, answer: string, dueAtMs: number | null): void {
    this.#run(
      'UPDATE callbacks SET attempts = attempts + 1, last_answer = ?, due_at_ms = ? WHERE number = ?',
      answer,
      dueAtMs,
      number,
    );
  }

  /** When a transaction is due next, or null. In milliseconds since 1970. */
  nextTransactionMs(): number | null {
    const sql = 'SELECT min(due_at_ms) AS dueAtMs FROM transactions WHERE due_at_ms IS NOT NULL';
    return this.#all<{ dueAtMs: number | null }>(sql)[0]!.dueAtMs;
  }

  /** When a callback is due next, or null. @param except those that are being sent already */
  nextCallbackMs(except: Iterable<number>): number | null {
    const [row] = this.#all<{ dueAtMs: number | null }>(
      `SELECT min(due_at_ms) AS dueAtMs FROM callbacks
       WHERE due_at_ms IS NOT NULL AND number NOT IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...except]),
    );
    return row!.dueAtMs;
  }

  totals(): Total[] {
    return this.#all<Total>(
      `SELECT currency,
         count(*) FILTER (WHERE kind = 'merchantpay' AND status = 'completed') AS debits,
         CAST(coalesce(sum(amount_minor) FILTER (WHERE kind = 'merchantpay' AND status = 'completed'), 0) AS TEXT)
           AS debitedMinor,
         count(*) FILTER (WHERE kind = 'reversal' AND status = 'completed') AS reversals,
         CAST(coalesce(sum(amount_minor) FILTER (WHERE kind = 'reversal' AND status = 'completed'), 0) AS TEXT)
           AS reversedMinor,
         count(*) FILTER (WHERE status = 'pending') AS pending,
         count(*) FILTER (WHERE status = 'failed') AS failed
       FROM transactions GROUP BY currency ORDER BY currency`,
    );
  }

  openCallbacks(): number {
    const sql = 'SELECT count(*) AS open FROM callbacks WHERE due_at_ms IS NOT NULL';
    return this.#all<{ open: number }>(sql)[0]!.open;
  }

  #one(where: string, value: Value): Transaction | undefined {
    return this.#transactions(`${where} ORDER BY number LIMIT 1`, value)[0];
  }

  #transactions(where: string, ...values: Value[]): Transaction[] {
    const rows = this.#all<Transaction>(`${transaction} WHERE ${where}`, ...values);
    return rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }));
  }

  #all<Row>(sql: string, ...values: Value[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[];
  }

  #run(sql: string, ...values: Value[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }
}
