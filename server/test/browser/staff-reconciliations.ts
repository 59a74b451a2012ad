import type { Database } from '../../src/platform/postgres/database.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import type { Texts } from './world-texts.ts';

/** Statements in every state, with the texts of people and operators. */
export interface StatementWorld {
  /** The ids (rc_…) of a reconciliation in progress, and of a failed one. */
  reconciliation: string;
  failedReconciliation: string;
  /** The ids (rd_…) of differences of the first. */
  openDifference: string;
  explainedDifference: string;
}

export async function addStatements(
  database: Database,
  personId: string,
  { order, reason, description }: Texts,
): Promise<StatementWorld> {
  const ids = randomIds();
  const insert = (table: string, row: Record<string, unknown>) => {
    const columns = Object.keys(row);
    const values = columns.map((_, index) => `$${index + 1}`);
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`;
    return database.query({ text }, Object.values(row));
  };
  const actor = `person:${formatId('pe', personId)}`;
  const at = '2026-11-20T09:30:00Z';
  const add = async (status: string, more: object) => {
    const id = ids.next(Date.now());
    const file = { file_name: `${order}.csv`, file_digest: Buffer.from(id), file_bytes: 1_000 };
    const people = { uploaded_by: actor, asked_by: actor, asked_at: at, created_at: at };
    const what = { operator: 'CVMOVEL', mode: 'live', has_lines: true, line_count: 100_000 };
    await insert('reconciliations', { id, status, ...file, ...people, ...what, ...more });
    return id;
  };
  const result = { compared_at: at, from_at: '2026-11-19T01:00:00Z', until_at: at };
  const counts = { matched_count: 99_940, difference_count: 3, open_count: 1 };
  const reconciliation = await add('OPEN', { ...result, ...counts });
  const failed = await add('FAILED', { failure: 'TOO_MANY_DIFFERENCES', compared_at: at });
  await add('MATCHED', { ...result, closed_by: actor, closed_at: at });
  await add('COMPARING', { due_at: '2126-01-01T00:00:00Z' });
  const difference = async (status: string, kind: string, more: object) => {
    const id = ids.next(Date.now());
    const listed = { listed_minor: 125_000, listed_currency: 'CVE', listed_status: 'COMPLETED' };
    const about = { type: 'DEBIT', reference: description.slice(0, 200), transaction_id: order };
    const row = { reconciliation_id: reconciliation, id, identity: Buffer.from(id), status, kind };
    await insert('reconciliation_differences', { ...row, ...about, line: 7, ...listed, ...more });
    return formatId('rd', id);
  };
  const decided = { decided_by: actor, decided_at: at };
  const booked = { booked_minor: 130_000, booked_currency: 'CVE', booked_status: 'COMPLETED' };
  const openDifference = await difference('OPEN', 'MISSING_IN_LEDGER', { asked_at: at });
  const explained = { reason: 'OTHER', note: reason, operator_reference: order.slice(0, 100) };
  const explainedDifference = await difference('EXPLAINED', 'DIFFERENT_AMOUNT', {
    ...decided,
    ...explained,
    ...booked,
  });
  await difference('SOLVED', 'DIFFERENT_STATUS', { ...decided, ...booked });
  return {
    reconciliation: formatId('rc', reconciliation),
    failedReconciliation: formatId('rc', failed),
    openDifference,
    explainedDifference,
  };
}
