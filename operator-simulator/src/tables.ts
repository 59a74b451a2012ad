import type { DatabaseSync } from 'node:sqlite';

/** The version of the schema; a file without a version predates versions. 2: disbursements. */
const version = 2;

const schema = `
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS transactions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  shown_number INTEGER,
  kind TEXT NOT NULL CHECK (kind IN ('merchantpay', 'reversal', 'disbursement')),
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

const indexes = [
  'transactions_correlation',
  'transactions_shown',
  'transactions_reference',
  'transactions_original',
  'transactions_created',
  'transactions_due',
  'callbacks_due',
];

const unversioned = {
  transactions: `number, kind, correlation_id, request_id, reference, request, original_number,
  amount_minor, currency, payer, callback_url, status, error_category, error_code, polls,
  created_at_ms, changed_at_ms, due_at_ms`,
  callbacks: 'number, transaction_number, told, attempts, last_answer, due_at_ms',
  told: "iif(is_stale = 1, 'pending', 'outcome')",
};
const versionOne: typeof unversioned = {
  transactions: `${unversioned.transactions}, shown_number`,
  callbacks: `${unversioned.callbacks}, sent_at_ms`,
  told: 'told',
};

/** SQLite cannot change a constraint, so this moves the rows to new tables. */
const upgradeFrom = ({ transactions, callbacks, told }: typeof unversioned) => `
BEGIN IMMEDIATE;
ALTER TABLE callbacks RENAME TO former_callbacks;
ALTER TABLE transactions RENAME TO former_transactions;
${indexes.map((name) => `DROP INDEX IF EXISTS ${name};`).join('\n')}
${schema};
INSERT INTO transactions (${transactions}) SELECT ${transactions} FROM former_transactions ORDER BY number;
INSERT INTO callbacks (${callbacks}) SELECT ${callbacks.replace('told', told)} FROM former_callbacks;
DROP TABLE former_callbacks;
DROP TABLE former_transactions;
COMMIT`;

/** Creates the tables, or migrates those of an earlier version. */
export function prepareTables(database: DatabaseSync): void {
  const found = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'transactions'").get();
  const { user_version: given } = database.prepare('PRAGMA user_version').get()!;
  const former = found && { 0: unversioned, 1: versionOne }[Number(given)];
  database.exec(former ? upgradeFrom(former) : schema);
}
