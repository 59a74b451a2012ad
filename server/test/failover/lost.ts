import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../src/platform/postgres/database.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { brokenPromises, type Operator } from '../operator-torture/check.ts';
import { type Ledger, readLedger } from '../operator-torture/ledger.ts';
import type {
  SimulatedTransaction,
  SimulatorProcess,
} from '../operator-torture/simulator-process.ts';
import { runZimbo } from '../support/process.ts';
import { statementOf } from './statement.ts';

/** The losses with the old primary, and which of them were found. */
export interface Losses {
  acknowledged: number;
  /** Acknowledged payments that the new primary lacks, together with their keys. */
  lost: number;
  /** Those that the operator debited all the same. */
  lostAndDebited: number;
  /** Debits that the ledger lacks: held in suspense, for review. */
  held: number;
  /** Debits that the old primary had returned: these need no review. */
  givenBack: number;
  /** Returns and disbursements that the ledger lacks: for review. */
  listed: number;
}

export interface Found {
  losses: Losses;
  /** The problems, in words. */
  broken: string[];
}

interface Looking {
  database: Database;
  simulator: SimulatorProcess;
  /** The ids of the API. */
  acknowledged: readonly string[];
  environment: Record<string, string>;
  folder: string;
  /** Waits until nothing is in flight. */
  settle: () => Promise<void>;
}

/**
 * Runs the commands that a person would run after such a fail-over, and compares their findings
 * with the operator's records.
 */
export async function findLosses(looking: Looking): Promise<Found> {
  const { database, simulator, acknowledged, environment, settle } = looking;
  await settle();
  const recovered = await runZimbo(
    ['operators', 'recover', '--since', '12h', '--json'],
    environment,
  );
  // A debit that was found may be on its way back.
  await settle();
  const ledger = await readLedger(database);
  const { totals } = await simulator.totals();
  const operator = { totals, transactions: await simulator.transactions() };
  const known = new Set(ledger.payments.map(({ id }) => id));
  const isLost = (id: string) => !known.has(parseId('pi', id)!);
  const lost = acknowledged.filter(isLost);
  const lostIds = new Set(lost.map((id) => parseId('pi', id)));
  const done = operator.transactions.filter((one) => one.transactionStatus === 'completed');
  const isDebit = ({ type }: SimulatedTransaction) => type === 'merchantpay';
  const unasked = unaskedReturns(ledger, done);
  const unknownPayouts = payoutsWithoutRow(ledger, done);
  const lostDebits = done.filter((one) => isDebit(one) && lostIds.has(referenceOf(one)));
  const isReversed = reversedIn(ledger, done);
  const losses = {
    acknowledged: acknowledged.length,
    lost: lost.length,
    lostAndDebited: lostDebits.length,
    held: ledger.reversals.filter(({ status }) => status === 'HELD').length,
    givenBack: lostDebits.filter(isReversed).length,
    listed: unasked.length + unknownPayouts.length,
  };
  const excused = new Set(
    [
      ...unasked.map((id) => ({ id, start: `the return ${id} ` })),
      ...unknownPayouts.map((id) => ({ id, start: `the payout ${id} ` })),
    ].flatMap(({ id, start }) => (ledger.listed.has(id) ? start : [])),
  );
  const broken = brokenPromises(
    ledger,
    operator,
    acknowledged.filter((id) => !isLost(id)),
  );
  return {
    losses,
    broken: [
      ...broken.filter((words) => ![...excused].some((start) => words.startsWith(start))),
      ...(recovered.code === 0 ? [] : [`zimbo operators recover: ${recovered.stderr}`]),
      ...sentTwice(operator.transactions),
      ...unseen(
        ledger,
        lostDebits.filter((one) => !isReversed(one)),
      ),
      ...(await unreconciled(looking, operator, [
        ...unasked,
        ...unknownPayouts,
        ...heldReturns(ledger),
      ])),
    ],
  };
}

const referenceOf = (one: SimulatedTransaction) => one.requestingOrganisationTransactionReference;

/** The operator's returns for refunds that the ledger lacks. */
function unaskedReturns(
  { refunds, reversals }: Ledger,
  done: readonly SimulatedTransaction[],
): string[] {
  const asked = new Set([...refunds, ...reversals].map(({ id }) => id));
  return done
    .filter(({ type }) => type === 'reversal')
    .map(referenceOf)
    .filter((id) => !asked.has(id));
}

/** The operator's payments to wallets for disbursements that the ledger lacks. */
function payoutsWithoutRow(
  { disbursements }: Ledger,
  done: readonly SimulatedTransaction[],
): string[] {
  const known = new Set(disbursements.map(({ reference }) => reference));
  return done
    .filter(({ type }) => type === 'disbursement')
    .map(referenceOf)
    .filter((reference) => !known.has(reference));
}

/** Whether the ledger has the debit as returned, by a return that the operator made. */
function reversedIn({ reversals }: Ledger, done: readonly SimulatedTransaction[]) {
  const returned = new Set(done.filter(({ type }) => type === 'reversal').map(referenceOf));
  const reversed = new Set(
    reversals
      .filter(({ id, status }) => status === 'SUCCEEDED' && returned.has(id))
      .map(({ operatorTxId }) => operatorTxId),
  );
  return ({ transactionReference }: SimulatedTransaction) => reversed.has(transactionReference);
}

/** Debits of lost payments that are not held for review. */
function unseen({ reversals }: Ledger, debits: readonly SimulatedTransaction[]): string[] {
  const held = new Set(
    reversals.filter(({ status }) => status === 'HELD').map(({ operatorTxId }) => operatorTxId),
  );
  return debits
    .filter(({ transactionReference }) => !held.has(transactionReference))
    .map((one) => `the debit ${one.transactionReference} of a lost payment is not in review`);
}

/**
 * The old primary had returned a late debit, and the new one holds it under the same reference: a
 * person sees both.
 */
const heldReturns = ({ reversals }: Ledger): string[] =>
  reversals.filter(({ status }) => status === 'HELD').map(({ id }) => id);

/** The operator does not deduplicate: surviving requests must be queried before they are sent. */
function sentTwice(transactions: readonly SimulatedTransaction[]): string[] {
  return [...Map.groupBy(transactions, referenceOf)]
    .filter(([, same]) => same.length > 1)
    .map(([reference, same]) => `${same[0]!.type} ${reference} was sent ${same.length} times`);
}

/** The operator's statement differs from the ledger only in the items under review. */
async function unreconciled(
  { environment, folder }: Looking,
  operator: Operator,
  listed: readonly string[],
): Promise<string[]> {
  const file = join(folder, 'statement.csv');
  const now = new Date();
  await writeFile(file, statementOf(operator.transactions, now.toISOString()));
  const dayMs = 86_400_000;
  const [from, to] = [-dayMs, dayMs].map((ms) => new Date(now.getTime() + ms).toISOString());
  const { stdout, stderr } = await runZimbo(
    [
      'reconcile',
      '--operator',
      'CVMOVEL',
      '--statement',
      file,
      '--from',
      from!,
      '--to',
      to!,
      '--json',
    ],
    environment,
  );
  if (stdout === '') return [`zimbo reconcile: ${stderr}`];
  const { differences } = JSON.parse(stdout) as {
    differences: { kind: string; reference: string }[];
  };
  const shown = ['MISSING_IN_LEDGER', 'DIFFERENT_STATUS'];
  return differences
    .filter(({ kind, reference }) => !shown.includes(kind) || !listed.includes(reference))
    .map(({ kind, reference }) => `zimbo reconcile: ${kind} ${reference}`);
}
