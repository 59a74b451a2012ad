import type { DatabaseSync } from 'node:sqlite';

/** The version of the schema; a file without a version predates versions. */
const version = 1;

const schema = `
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS transactions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  shown_number INTEGER,
  kind TEXT NOT NULL CHECK (kind IN ('merchantpay', 'reversal')),
  correlation_id TEXT NOT NULL,
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
CREATE INDEX IF NOT EXISTS transactions_correlation ON transactions (correlation_id);
CREATE INDEX IF NOT EXISTS transactions_shown ON transactions (shown_number) WHERE shown_number IS NOT NULL;
CREATE INDEX IF NOT EXISTS transactions_reference ON transactions (reference);
CREATE INDEX IF NOT EXISTS transactions_original ON transactions (original_number) WHERE original_number IS NOT NULL;
CREATE INDEX IF NOT EXISTS transactions_created ON transactions (created_at_ms, number);
CREATE INDEX IF NOT EXISTS transactions_due ON transactions (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE TABLE IF NOT EXISTS callbacks (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  transaction_number INTEGER NOT NULL REFERENCES transactions,
  told TEXT NOT NULL CHECK (told IN ('outcome', 'pending', 'opposite', 'fee')),
  attempts INTEGER NOT NULL DEFAULT 0,
  last_answer TEXT,
  sent_at_ms REAL,
  due_at_ms INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS callbacks_due ON callbacks (due_at_ms) WHERE due_at_ms IS NOT NULL;
PRAGMA user_version = ${version}`;

const formerColumns = `number, kind, correlation_id, request_id, reference, request, original_number,
  amount_minor, currency, payer, callback_url, status, error_category, error_code, polls,
  created_at_ms, changed_at_ms, due_at_ms`;

/** SQLite cannot drop a constraint, so this moves the rows to a new table. */
const upgrade = `
BEGIN IMMEDIATE;
ALTER TABLE callbacks RENAME TO former_callbacks;
ALTER TABLE transactions RENAME TO former_transactions;
DROP INDEX transactions_reference;
DROP INDEX transactions_original;
DROP INDEX transactions_due;
DROP INDEX callbacks_due;
${schema};
INSERT INTO transactions (${formerColumns}) SELECT ${formerColumns} FROM former_transactions ORDER BY number;
INSERT INTO callbacks (number, transaction_number, told, attempts, last_answer, due_at_ms)
  SELECT number, transaction_number, iif(is_stale = 1, 'pending', 'outcome'), attempts, last_answer, due_at_ms
  FROM former_callbacks;
DROP TABLE former_callbacks;
DROP TABLE former_transactions;
COMMIT`;

/** Creates the tables, or migrates those of an earlier version. */
export function prepareTables(database: DatabaseSync): void {
  database.exec(isFormer(database) ? upgrade : schema);
}

function isFormer(database: DatabaseSync): boolean {
  const found = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'transactions'").get();
  const { user_version: given } = database.prepare('PRAGMA user_version').get()!;
  return found !== undefined && given === 0;
}
