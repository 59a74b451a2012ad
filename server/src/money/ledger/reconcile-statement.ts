import {
  bigintArray,
  instantArray,
  integerArray,
  textArray,
  uuidArray,
} from '../../platform/postgres/arrays.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import type { StatementRow, StatementStatus, StatementType } from './operator-statement.ts';
import * as sql from './reconcile-statement-queries.ts';

export interface ReconcileRequest {
  operator: string;
  mode: 'live' | 'test';
  /** Null: all merchants. */
  merchantId: string | null;
  /** Null: all; otherwise lines and postings in other currencies are left out. */
  currency: string | null;
  /**
   * The period of the ledger that the statement must cover; null: from the first or to the last completed line of the
   * statement.
   */
  fromMs: number | null;
  untilMs: number | null;
}

export const differenceKinds = [
  'MISSING_IN_STATEMENT',
  'MISSING_IN_LEDGER',
  'LISTED_TWICE',
  'DIFFERENT_AMOUNT',
  'DIFFERENT_STATUS',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export interface Difference {
  position: number;
  kind: DifferenceKind;
  /** From the statement; null if it lacks the entry. */
  line: number | null;
  type: StatementType;
  reference: string | null;
  referenceId: string | null;
  transactionId: string | null;
  listedMinor: bigint | null;
  listedCurrency: string | null;
  listedStatus: StatementStatus | null;
  tenantId: string | null;
  bookedMinor: bigint | null;
  bookedCurrency: string | null;
  /** COMPLETED if it is in the ledger, otherwise the status of the object that the reference names. */
  bookedStatus: string | null;
  atMs: number | null;
}

export interface Reconciliation {
  fromMs: number;
  untilMs: number;
  lines: number;
  matched: number;
  /** Lines that moved no money, which the ledger confirms. */
  withoutMoney: number;
  counts: Record<DifferenceKind, number>;
  /** For MISSING_IN_STATEMENT: entries outside the completed lines of the statement. */
  missingAtEdges: { beforeFirstLine: number; afterLastLine: number };
  /** In the order of the statement, then entries that it lacks; can be read once, while the transaction lasts. */
  differences: AsyncGenerator<Difference[]>;
}

const batchSize = 5_000;

/** The period comes from the statement, but no completed line of the statement defines one. */
export class NoPeriodError extends Error {}

/** The period ends before it begins, so no posting of the ledger would be missed. */
export class EmptyPeriodError extends Error {}

/**
 * Compares a statement with the ledger at one instant, in one transaction that writes temporary tables only.
 * @throws NoPeriodError
 * @throws EmptyPeriodError
 */
export function reconcile<T>(
  database: Database,
  request: ReconcileRequest,
  rows: AsyncIterable<StatementRow>,
  show: (reconciliation: Reconciliation) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    // At one instant, like the export: a success between two queries would be missing from both.
    await transaction.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ' });
    // A slow file, or a slow reader of the result, is no reason to abort.
    await transaction.query({ text: 'SET LOCAL idle_in_transaction_session_timeout = 0' });
    for (const text of sql.createTables) await transaction.query({ text });
    const lines = await load(transaction, rows, request.currency);
    await transaction.query({ text: 'ANALYZE listed' });
    const { fromMs, untilMs } = await periodOf(transaction, request);
    const { operator, mode, merchantId, currency } = request;
    const scope = [operator, mode, merchantId];
    const values = [...scope, currency, timestamp(fromMs), timestamp(untilMs)];
    await transaction.query({ text: sql.compare }, values);
    await transaction.query({ text: 'ANALYZE differences' });
    await transaction.query({ text: sql.findKnown }, scope);
    await transaction.query({ text: sql.nameStatuses });
    const counts = await countsOf(transaction);
    const { MISSING_IN_STATEMENT: missing, WITHOUT_MONEY: withoutMoney, ...others } = counts;
    const differing = Object.values(others).reduce((sum, count) => sum + count, 0);
    const matched = lines - withoutMoney - differing;
    type Edges = Reconciliation['missingAtEdges'];
    const [missingAtEdges] = await transaction.query<Edges>({ text: sql.missingAtEdges });
    const differences = pagesOf(transaction);
    return show({
      fromMs,
      untilMs,
      lines,
      matched,
      withoutMoney,
      differences,
      counts: { MISSING_IN_STATEMENT: missing, ...others },
      missingAtEdges: missingAtEdges!,
    });
  });
}

async function load(
  transaction: Queryable,
  rows: AsyncIterable<StatementRow>,
  currency: string | null,
): Promise<number> {
  let count = 0;
  let batch: StatementRow[] = [];
  const flush = async () => {
    count += batch.length;
    await transaction.query({ text: sql.insertListed }, arraysOf(batch));
    batch = [];
  };
  for await (const row of rows) {
    if (currency !== null && row.currency !== currency) continue;
    batch.push(row);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  return count;
}

function arraysOf(rows: readonly StatementRow[]): Buffer[] {
  return [
    integerArray(rows, (row) => row.line),
    textArray(rows, (row) => row.transactionId),
    textArray(rows, (row) => row.reference),
    uuidArray(rows, (row) => row.referenceId),
    textArray(rows, (row) => row.type),
    bigintArray(rows, (row) => row.amountMinor),
    textArray(rows, (row) => row.currency),
    textArray(rows, (row) => row.status),
    instantArray(rows, (row) => row.completedAtMs),
  ];
}

async function periodOf(
  transaction: Queryable,
  request: ReconcileRequest,
): Promise<{ fromMs: number; untilMs: number }> {
  type Row = { fromMs: number | null; untilMs: number | null };
  const [own] = await transaction.query<Row>({ text: sql.period });
  const fromMs = request.fromMs ?? own!.fromMs;
  // The statement's last instant is part of the period.
  const untilMs = request.untilMs ?? (own!.untilMs === null ? null : own!.untilMs + 1);
  if (fromMs === null || untilMs === null) throw new NoPeriodError();
  if (fromMs >= untilMs) throw new EmptyPeriodError();
  return { fromMs, untilMs };
}

async function countsOf(transaction: Queryable) {
  type Row = { kind: DifferenceKind | 'WITHOUT_MONEY'; count: number };
  const counts = {
    MISSING_IN_STATEMENT: 0,
    MISSING_IN_LEDGER: 0,
    LISTED_TWICE: 0,
    DIFFERENT_AMOUNT: 0,
    DIFFERENT_STATUS: 0,
    WITHOUT_MONEY: 0,
  };
  const rows = await transaction.query<Row>({ text: sql.countDifferences });
  for (const { kind, count } of rows) counts[kind] = count;
  return counts;
}

async function* pagesOf(transaction: Queryable): AsyncGenerator<Difference[]> {
  for (let position = 0; ; ) {
    const values = [position, batchSize];
    const page = await transaction.query<Difference>({ text: sql.listDifferences }, values);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < batchSize) return;
    position = last.position;
  }
}
