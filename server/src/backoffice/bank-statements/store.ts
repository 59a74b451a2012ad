import type { Settlement } from '../../money/settlements/settlement.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import type { BankStatement, StatementLine } from './bank-statement.ts';
import type { Candidate } from './match-lines.ts';

const statements = table<BankStatement>({
  id: 'uuid',
  format: 'text',
  fileName: 'text',
  fileDigest: 'bytea',
  lineCount: 'integer',
  firstDay: 'text',
  lastDay: 'text',
  uploadedBy: 'text',
  createdAtMs: 'timestamptz',
});
const newStatements = statements.rowsWithout();

const lines = table<StatementLine>({
  statementId: 'uuid',
  line: 'integer',
  kind: 'text',
  day: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  bankReference: 'text',
  tenantId: 'uuid',
  settlementId: 'uuid',
  confirmedBy: 'text',
  confirmedAtMs: 'timestamptz',
});
const newLines = lines.rowsWithout();

const insertStatement = prepare({
  name: 'bank_statements.insert',
  given: { rows: newStatements },
  text: (given) => `
INSERT INTO bank_statements (${newStatements.names}) SELECT ${newStatements.names} FROM ${given.rows}
ON CONFLICT DO NOTHING RETURNING id`,
});

const insertLines = prepare({
  name: 'bank_statement_lines.insert',
  given: { rows: newLines },
  text: (given) =>
    `INSERT INTO bank_statement_lines (${newLines.names}) SELECT ${newLines.names} FROM ${given.rows}`,
});

/** False if the same file was uploaded before. */
export async function insertBankStatement(
  transaction: Queryable,
  statement: BankStatement,
  rows: StatementLine[],
): Promise<boolean> {
  const inserted = await insertStatement.run(transaction, { rows: [statement] });
  if (inserted.length === 0) return false;
  if (rows.length > 0) await insertLines.run(transaction, { rows });
  return true;
}

export const findBankStatement = rowQuery<BankStatement, [id: string]>({
  name: 'bank_statements.find',
  text: `SELECT ${statements.columns} FROM bank_statements WHERE id = $1`,
});

export const findSameFile = rowQuery<BankStatement, [digest: Buffer]>({
  name: 'bank_statements.same',
  text: `SELECT ${statements.columns} FROM bank_statements WHERE file_digest = $1`,
});

const listStatement = {
  name: 'bank_statements.list',
  text: `
SELECT ${statements.columns} FROM bank_statements
WHERE id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY id DESC LIMIT $2`,
};

/** Newest first. Returns one row more than the limit if there are more. */
export const listBankStatements = (
  database: Queryable,
  { limit, startingAfter }: { limit: number; startingAfter?: string | undefined },
): Promise<BankStatement[]> =>
  database.query<BankStatement>(listStatement, [startingAfter ?? null, limit + 1]);

const linesStatement = {
  name: 'bank_statement_lines.list',
  text: `
SELECT ${lines.columns} FROM bank_statement_lines proposed
WHERE statement_id = $1 AND (confirmed_at IS NOT NULL OR kind NOT IN ('EXACT', 'BY_AMOUNT') OR EXISTS (
  SELECT FROM settlements s
  WHERE s.tenant_id = proposed.tenant_id AND s.id = proposed.settlement_id
    AND s.status IN ('PROCESSING', 'COMPLETED') AND s.bank_reference IS NULL))
ORDER BY line`,
};

/**
 * The stored lines of a statement, in the order of the file, without proposals for payouts that have the bank's
 * reference by now, or have failed. Their number is limited at the upload.
 */
export const linesOf = (database: Queryable, id: string): Promise<StatementLine[]> =>
  database.query<StatementLine>(linesStatement, [id]);

/** Locks the row until the transaction ends. */
export const lockLine = rowQuery<StatementLine, [statementId: string, line: number]>({
  name: 'bank_statement_lines.lock',
  text: `SELECT ${lines.columns} FROM bank_statement_lines WHERE statement_id = $1 AND line = $2 FOR UPDATE`,
});

const confirmStatement = {
  name: 'bank_statement_lines.confirm',
  text: `
UPDATE bank_statement_lines SET confirmed_by = $3, confirmed_at = $4
WHERE statement_id = $1 AND line = $2 AND confirmed_at IS NULL`,
};

export async function markConfirmed(
  transaction: Queryable,
  { statementId, line }: Pick<StatementLine, 'statementId' | 'line'>,
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<void> {
  await transaction.query(confirmStatement, [statementId, line, actor, timestamp(nowMs)]);
}

const dismissStatement = {
  name: 'bank_statement_lines.dismiss',
  text: `
DELETE FROM bank_statement_lines
WHERE statement_id = $1 AND line = ANY ($2::integer[]) AND kind = 'BY_AMOUNT' AND confirmed_at IS NULL
RETURNING line`,
};

/** Removes lines that turned out to be of other parties. Returns how many. */
export async function removeLines(
  transaction: Queryable,
  id: string,
  chosen: readonly number[],
): Promise<number> {
  return (await transaction.query(dismissStatement, [id, chosen])).length;
}

const candidate = `tenant_id AS "tenantId", id, currency, net_minor AS "netMinor", status,
  bank_reference AS "bankReference", processed_at AS "processedAtMs"`;
const isLive = `EXISTS (SELECT FROM tenants t WHERE t.id = tenant_id AND t.mode = 'live')`;

/** More payouts than this do not wait for a bank at once. */
const mostCandidates = 10_000;

const candidatesStatement = {
  name: 'bank_statements.candidates',
  text: `
(SELECT ${candidate} FROM settlements WHERE status = 'PROCESSING' AND ${isLive} ORDER BY id LIMIT $3)
UNION
(SELECT ${candidate} FROM settlements
  WHERE status = 'COMPLETED' AND id >= $1 AND bank_reference IS NULL AND ${isLive} ORDER BY id LIMIT $3)
UNION
(SELECT ${candidate} FROM settlements
  WHERE status = 'COMPLETED' AND id >= $1 AND bank_reference = ANY ($4::text[]) AND ${isLive})
UNION
(SELECT ${candidate} FROM settlements WHERE id = ANY ($2::uuid[]) AND ${isLive})`,
};

const dayMs = 86_400_000;
/** A payout is made this long before the bank pays it, at most. */
const earlierMs = 14 * dayMs;

/** The first id of an instant: ids begin with their time. */
function firstIdOf(atMs: number): string {
  const hex = Math.max(atMs, 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The payouts that a statement may show: those that wait for the bank, recent ones, and those whose id or bank's reference it has. */
export function findCandidates(
  database: Queryable,
  firstDay: string | null,
  { ids, references }: { ids: readonly string[]; references: readonly string[] },
): Promise<Candidate[]> {
  const since =
    firstDay === null ? Number.MAX_SAFE_INTEGER / 100 : Date.parse(firstDay) - earlierMs;
  const values = [firstIdOf(Math.floor(since)), ids, mostCandidates, references];
  return database.query<Candidate>(candidatesStatement, values);
}

/** A payout without the bank's reference. */
export type LeftOver = Pick<
  Settlement,
  'id' | 'tenantId' | 'merchantId' | 'netMinor' | 'currency' | 'status'
> & { processedAtMs: number };

const leftOverStatement = {
  name: 'bank_statements.left_over',
  text: `
SELECT id, tenant_id AS "tenantId", merchant_id AS "merchantId", net_minor AS "netMinor", currency, status,
  processed_at AS "processedAtMs"
FROM settlements
WHERE status IN ('PROCESSING', 'COMPLETED') AND id >= $1 AND processed_at < $2
  AND bank_reference IS NULL AND currency = ANY ($3::text[]) AND ${isLive}
  AND NOT EXISTS (SELECT FROM bank_statement_lines l
    WHERE l.statement_id = $4 AND l.settlement_id = settlements.id)
ORDER BY id LIMIT $5`,
};

/**
 * Payouts of the statement's days that none of its lines shows. Earlier versions took days that no database knows;
 * nothing was paid after the upload. @param limit one more is returned if there are more
 */
export function findLeftOver(
  database: Queryable,
  { id, firstDay, lastDay, createdAtMs }: BankStatement,
  currencies: readonly string[],
  limit: number,
): Promise<LeftOver[]> {
  if (firstDay === null || lastDay === null || currencies.length === 0) return Promise.resolve([]);
  const since = firstIdOf(Date.parse(firstDay) - earlierMs);
  const lastMs = Math.max(0, Math.min(Date.parse(lastDay), createdAtMs));
  const until = timestamp(lastMs + dayMs);
  return database.query<LeftOver>(leftOverStatement, [since, until, currencies, id, limit + 1]);
}
