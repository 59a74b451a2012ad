import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type {
  Callback,
  NewTransaction,
  SentCallback,
  Slice,
  Told,
  Total,
  Transaction,
} from './records.ts';
import { prepareTables } from './tables.ts';
import { totalsQuery } from './totals.ts';

export const fileName = 'operator-simulator.sqlite';

/** SQLite returns amounts as text: its integers have 64 bits, and JavaScript's numbers do not. */
const transaction = `
SELECT t.number, coalesce(t.shown_number, t.number) AS shownNumber, t.kind,
  t.correlation_id AS correlationId, t.request_id AS requestId, t.reference, t.request,
  t.original_number AS originalNumber, coalesce(o.shown_number, o.number) AS originalShownNumber,
  CAST(t.amount_minor AS TEXT) AS amountMinor, t.currency, t.payer, t.callback_url AS callbackUrl, t.status,
  t.error_category AS errorCategory, t.error_code AS errorCode, t.polls,
  t.created_at_ms AS createdAtMs, t.changed_at_ms AS changedAtMs
FROM transactions t LEFT JOIN transactions o ON o.number = t.original_number`;

/** The parameters are those of a slice, in order. */
const inSlice = `t.created_at_ms BETWEEN ?1 AND ?2
  AND (?3 IS NULL OR t.status = ?3) AND (?4 IS NULL OR t.kind = ?4)`;

type Value = string | number | bigint | null;

/** All data of the simulator, in one SQLite file. A commit is on disk before it returns. */
export class Store {
  #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  static open(dataDir: string): Store {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const database = new DatabaseSync(join(dataDir, fileName), { timeout: 5_000 });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    prepareTables(database);
    return new Store(database);
  }

  /** Opens existing data read-only. @throws Error if there is none */
  static read(dataDir: string): Store {
    return new Store(new DatabaseSync(join(dataDir, fileName), { readOnly: true, timeout: 5_000 }));
  }

  close(): void {
    this.#database.close();
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Rolls back after a failed commit, whether or not SQLite has already done so. */
  rollBack(): void {
    if (this.#database.isTransaction) this.exec('ROLLBACK');
  }

  /** Stores a value unless this name has one, and returns the stored value. */
  keepSetting(name: string, value: string): string {
    this.#run('INSERT INTO settings VALUES (?, ?) ON CONFLICT DO NOTHING', name, value);
    return this.#all<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)[0]!
      .value;
  }

  insert(added: NewTransaction): Transaction {
    this.#run(
      `INSERT INTO transactions (shown_number, kind, correlation_id, request_id, reference, request,
         original_number, amount_minor, currency, payer, callback_url, created_at_ms, changed_at_ms, due_at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      added.shownNumber,
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
    return this.byRequestId(added.requestId)!;
  }

  byNumber = (number: number) => this.#one('t.number = ?', number);
  byRequestId = (id: string) => this.#one('t.request_id = ?', id);
  byReference = (reference: string) => this.#one('t.reference = ?', reference);
  /** The first transaction under an id. */
  byCorrelationId = (id: string) => this.#one('t.correlation_id = ?', id);

  /** The latest transaction shown under a number. */
  byShownNumber(number: number): Transaction | undefined {
    const where = 't.shown_number = ? OR t.number = ? AND t.shown_number IS NULL';
    return this.#transactions(`${where} ORDER BY t.number DESC LIMIT 1`, number, number)[0];
  }

  /** The latest completed transaction of a kind. */
  latest(kind: Transaction['kind']): Transaction | undefined {
    const where = "t.kind = ? AND t.status = 'completed'";
    return this.#transactions(`${where} ORDER BY t.number DESC LIMIT 1`, kind)[0];
  }

  /** The number of all transactions, whatever their kind and status. */
  count(): number {
    const [row] = this.#all<{ count: number }>('SELECT count(*) AS count FROM transactions');
    return row!.count;
  }

  due(nowMs: number, limit: number): Transaction[] {
    return this.#transactions('t.due_at_ms <= ? ORDER BY t.due_at_ms LIMIT ?', nowMs, limit);
  }

  after(number: number, limit: number): Transaction[] {
    return this.#transactions('t.number > ? ORDER BY t.number LIMIT ?', number, limit);
  }

  /** A part of all transactions, newest first, and the total number. */
  list({ limit, offset, ...slice }: Slice): { found: Transaction[]; available: number } {
    const values = [slice.fromMs, slice.toMs, slice.status, slice.kind];
    const [counted] = this.#all<{ count: number }>(
      `SELECT count(*) AS count FROM transactions t WHERE ${inSlice}`,
      ...values,
    );
    const page = `${inSlice} ORDER BY t.created_at_ms DESC, t.number DESC LIMIT ?5 OFFSET ?6`;
    return {
      found: this.#transactions(page, ...values, limit, offset),
      available: counted!.count,
    };
  }

  /** The returned and pending returns of a debit, in minor units. */
  reversedMinor(originalNumber: number): bigint {
    const [row] = this.#all<{ sum: string }>(
      `SELECT CAST(coalesce(sum(amount_minor), 0) AS TEXT) AS sum FROM transactions
       WHERE original_number = ? AND status <> 'failed'`,
      originalNumber,
    );
    return BigInt(row!.sum);
  }

  /** What came into the client's account, less what went out or is about to; in minor units. */
  balanceMinor(currency: string): bigint {
    const [row] = this.#all<{ sum: string }>(
      `SELECT CAST(coalesce(sum(iif(kind = 'merchantpay', amount_minor, -amount_minor)), 0) AS TEXT) AS sum
       FROM transactions
       WHERE currency = ? AND status <> 'failed' AND (kind <> 'merchantpay' OR status = 'completed')`,
      currency,
    );
    return BigInt(row!.sum);
  }

  /**
   * Only a pending transaction gets an outcome, and only once; a failed one that is due gets a success.
   * @param dueAtMs when a success follows the failure
   */
  decide(
    number: number,
    error: { category: string; code: string } | undefined,
    nowMs: number,
    dueAtMs: number | null = null,
  ): boolean {
    const changes = this.#run(
      `UPDATE transactions SET status = ?, error_category = ?, error_code = ?, changed_at_ms = ?, due_at_ms = ?
       WHERE number = ? AND (status = 'pending' OR status = 'failed' AND due_at_ms IS NOT NULL)`,
      error ? 'failed' : 'completed',
      error?.category ?? null,
      error?.code ?? null,
      nowMs,
      dueAtMs,
      number,
    );
    return changes === 1;
  }

  /** Replaces a payer in finished transactions; returns how many. */
  erasePayer(payer: string, placeholder: string): number {
    return this.#run(
      `UPDATE transactions SET payer = ?2, request = replace(request, ?1, ?2)
       WHERE payer = ?1 AND status <> 'pending'`,
      payer,
      placeholder,
    );
  }

  countPoll(number: number): void {
    this.#run('UPDATE transactions SET polls = polls + 1 WHERE number = ?', number);
  }

  addCallback(transactionNumber: number, told: Told, dueAtMs: number): void {
    this.#run(
      'INSERT INTO callbacks (transaction_number, told, due_at_ms) VALUES (?, ?, ?)',
      transactionNumber,
      told,
      dueAtMs,
    );
  }

  /** @param except callbacks that are already being sent */
  dueCallbacks(nowMs: number, except: Iterable<number>, limit: number): Callback[] {
    return this.#all<Callback>(
      `SELECT number, transaction_number AS transactionNumber, told, attempts FROM callbacks
       WHERE due_at_ms <= ? AND number NOT IN (SELECT value FROM json_each(?))
       ORDER BY due_at_ms, number LIMIT ?`,
      nowMs,
      JSON.stringify([...except]),
      limit,
    );
  }

  /** @param dueAtMs when to try again, or null to stop */
  attempted(number: number, answer: string, sentAtMs: number, dueAtMs: number | null): void {
    this.#run(
      `UPDATE callbacks SET attempts = attempts + 1, last_answer = ?, sent_at_ms = coalesce(sent_at_ms, ?),
         due_at_ms = ? WHERE number = ?`,
      answer,
      sentAtMs,
      dueAtMs,
      number,
    );
  }

  sentCallbacks(after: number, limit: number): SentCallback[] {
    return this.#all<SentCallback>(
      `SELECT c.number, t.correlation_id AS correlationId, c.told, c.attempts, c.last_answer AS lastAnswer,
         c.sent_at_ms AS sentAtMs
       FROM callbacks c JOIN transactions t ON t.number = c.transaction_number
       WHERE c.number > ? AND c.sent_at_ms IS NOT NULL ORDER BY c.number LIMIT ?`,
      after,
      limit,
    );
  }

  /** When a transaction is due next, or null. In milliseconds since 1970. */
  nextTransactionMs(): number | null {
    const sql = 'SELECT min(due_at_ms) AS dueAtMs FROM transactions WHERE due_at_ms IS NOT NULL';
    return this.#all<{ dueAtMs: number | null }>(sql)[0]!.dueAtMs;
  }

  /** When a callback is due next, or null. @param except callbacks that are already being sent */
  nextCallbackMs(except: Iterable<number>): number | null {
    const [row] = this.#all<{ dueAtMs: number | null }>(
      `SELECT min(due_at_ms) AS dueAtMs FROM callbacks
       WHERE due_at_ms IS NOT NULL AND number NOT IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...except]),
    );
    return row!.dueAtMs;
  }

  totals = () => this.#all<Total>(totalsQuery);

  openCallbacks(): number {
    const sql = 'SELECT count(*) AS open FROM callbacks WHERE due_at_ms IS NOT NULL';
    return this.#all<{ open: number }>(sql)[0]!.open;
  }

  /** Open callbacks that the client last rejected because it has enough callbacks of that reference. */
  refusedCallbacks(): number {
    const sql = `SELECT count(*) AS refused FROM callbacks WHERE due_at_ms IS NOT NULL AND last_answer = '429'`;
    return this.#all<{ refused: number }>(sql)[0]!.refused;
  }

  #one(where: string, value: Value): Transaction | undefined {
    return this.#transactions(`${where} ORDER BY t.number LIMIT 1`, value)[0];
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
