import type { Database, Queryable, Statement } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { totalsProblems } from '../totals/check.ts';
import * as sql from './check-queries.ts';
import { refundProblems } from './check-refunds.ts';
import { settlementProblems } from './check-settlements.ts';
import { transactionProblems } from './check-transactions.ts';
import { hourProblems } from './payable-hours.ts';

/** Something in the ledger that cannot be right. */
export interface LedgerProblem {
  check: 'balance' | 'posting' | 'operator' | 'transaction' | 'refund' | 'settlement' | 'totals';
  tenantId: string;
  /** The problem, in words; amounts are in minor units. */
  message: string;
}

/** A success of a simulated operator that the gateway has not heard of yet; it will query the operator. */
export interface InFlight {
  tenantId: string;
  operator: string;
  currency: string;
  /** Debits less reversals, refunds and disbursements, in minor units. */
  amountMinor: bigint;
  count: number;
}

export interface LedgerReport {
  problems: LedgerProblem[];
  inFlight: InFlight[];
}

/** The problems of {@link inspectLedger}. */
export async function checkLedger(database: Database): Promise<LedgerProblem[]> {
  return (await inspectLedger(database)).problems;
}

/**
 * Compares balances with postings, postings with payments, refunds, reversals and disbursements, these with the totals,
 * the ledger of test tenants with the records of the simulated operators, and the ledger of live tenants with the booked
 * transactions: all in one snapshot, while the gateway runs.
 */
export function inspectLedger(database: Database): Promise<LedgerReport> {
  return database.transaction(async (snapshot) => {
    await snapshot.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    const problems = await problemsIn(snapshot);
    return { problems, inFlight: await snapshot.query<InFlight>(sql.inFlight) };
  });
}

/** The same within a transaction whose rows nobody else changes meanwhile. */
export async function problemsIn(snapshot: Queryable): Promise<LedgerProblem[]> {
  return [
    ...(await balanceProblems(snapshot)),
    ...(await postingProblems(snapshot)),
    ...(await unexplainedTransactions(snapshot)),
    ...(await wrongReversals(snapshot)),
    ...(await operatorDifferences(snapshot)),
    ...(await transactionProblems(snapshot)),
    ...(await refundProblems(snapshot)),
    ...(await settlementProblems(snapshot)),
    ...(await totalsProblems(snapshot)),
    ...(await hourProblems(snapshot)),
  ];
}

async function balanceProblems(snapshot: Queryable): Promise<LedgerProblem[]> {
  type Row = {
    tenantId: string;
    account: string;
    currency: string;
    posted: string;
    balance: string | null;
  };
  return problemsOf<Row>(snapshot, 'balance', sql.wrongBalances, (row) => {
    const balance = row.balance === null ? 'has no balance' : `has a balance of ${row.balance}`;
    return `account ${row.account} in ${row.currency} ${balance}, but its postings sum up to ${row.posted}`;
  });
}

async function postingProblems(snapshot: Queryable): Promise<LedgerProblem[]> {
  type Row = {
    tenantId: string;
    sourceId: string;
    kind: string;
    expected: string | null;
    found: string | null;
  };
  return problemsOf<Row>(snapshot, 'posting', sql.wrongPostings, (row) => {
    const { kind, sourceId, expected, found } = row;
    const source = sourceName(kind, sourceId);
    if (expected === null) return `${source} should have no posting ${kind}, and has ${found}`;
    if (found === null) return `${source} lacks its posting ${kind}, ${expected}`;
    return `${source} has the posting ${kind} as ${found}, and should have ${expected}`;
  });
}

/** The kinds of posting by the object that they belong to. */
function sourceName(kind: string, id: string): string {
  if (kind.startsWith('debit_')) return paymentName(id);
  if (kind.startsWith('refund_')) return refundName(id);
  if (kind.startsWith('disbursement_')) return disbursementName(id);
  if (kind === 'top_up') return `top-up ${formatId('tu', id)}`;
  if (kind.startsWith('payout_') || kind.startsWith('kept_'))
    return `settlement ${formatId('se', id)}`;
  return reversalName(id);
}

type TransactionKind = 'DEBIT' | 'REVERSAL' | 'REFUND' | 'DISBURSEMENT';

/** The kinds of a simulated operator's records, and the object of ours that should match each. */
function wordsOf(kind: TransactionKind, reference: string, isKnown: boolean) {
  switch (kind) {
    case 'DEBIT':
      return { did: 'debited', subject: paymentName(reference) };
    case 'REVERSAL':
      return { did: 'reversed', subject: reversalName(reference) };
    case 'REFUND':
      return { did: 'refunded', subject: refundName(reference) };
    case 'DISBURSEMENT': {
      const unknown = `disbursement with the reference ${reference}`;
      return { did: 'disbursed', subject: isKnown ? disbursementName(reference) : unknown };
    }
  }
}

const paymentName = (id: string) => `payment ${formatId('pi', id)}`;
const refundName = (id: string) => `refund ${formatId('re', id)}`;
const reversalName = (id: string) => `reversal ${id}`;
const disbursementName = (id: string) => `disbursement ${formatId('di', id)}`;

async function unexplainedTransactions(snapshot: Queryable): Promise<LedgerProblem[]> {
  type Row = {
    tenantId: string;
    kind: TransactionKind;
    reference: string;
    operator: string;
    currency: string;
    amount: string;
    status: string | null;
  };
  return problemsOf<Row>(snapshot, 'operator', sql.unexplainedTransactions, (row) => {
    const { kind, reference, operator, currency, amount, status } = row;
    const { did, subject } = wordsOf(kind, reference, status !== null);
    const done = `${operator} ${did} ${amount} ${currency}`;
    const state = status === null ? 'does not exist' : `is ${status} and will not be asked about`;
    return `${done} that the ledger lacks, and the ${subject} ${state}`;
  });
}

async function wrongReversals(snapshot: Queryable): Promise<LedgerProblem[]> {
  type Row = {
    tenantId: string;
    operator: string;
    transaction: string;
    count: number;
    reversed: string;
    debited: string | null;
  };
  return problemsOf<Row>(snapshot, 'operator', sql.wrongReversals, (row) => {
    const { operator, transaction, count, reversed, debited } = row;
    const debit = debited === null ? 'no debit there' : `a debit of ${debited}`;
    return `${operator} reversed ${reversed} in ${count} reversals of ${transaction}, which is ${debit}`;
  });
}

async function operatorDifferences(snapshot: Queryable): Promise<LedgerProblem[]> {
  type Row = {
    tenantId: string;
    operator: string;
    currency: string;
    collected: string;
    inFlight: string;
    booked: string;
  };
  return problemsOf<Row>(snapshot, 'operator', sql.operatorDifferences, (row) => {
    const { operator, currency, collected, inFlight, booked } = row;
    const flying = inFlight === '0' ? '' : ` (${inFlight} of it in flight)`;
    return `${operator} has collected ${collected} ${currency}${flying}, but the ledger says ${booked}`;
  });
}

async function problemsOf<Row extends { tenantId: string }>(
  snapshot: Queryable,
  check: LedgerProblem['check'],
  statement: Statement,
  describe: (row: Row) => string,
): Promise<LedgerProblem[]> {
  const rows = await snapshot.query<Row>(statement);
  return rows.map((row) => ({ check, tenantId: row.tenantId, message: describe(row) }));
}
