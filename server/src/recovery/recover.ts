import type { AccountTransaction } from '../operators/adapter.ts';
import { isName, isSameName } from '../operators/names.ts';
import { findLiveSubjects, type ReviewSubject } from '../review/subjects.ts';
import { findBookings, findGivenBack } from './bookings.ts';
import { holdDebit } from './debits.ts';
import type { Known, RecoverDependencies } from './dependencies.ts';
import { list } from './listing.ts';
import type { Outcome, Tally } from './outcomes.ts';
import { holdGivenBack, listGivenBack } from './returns.ts';

const chunkSize = 100;
/** The most by which the clock of an operator, or a local time without its zone, is expected to be off. */
const clockSlackMs = 86_400_000;

/**
 * Holds each transaction of an operator's list against our records, and records what they lack. The list is
 * an answer to our query, so it is believed. Done again, it changes nothing more. What was read before the list broke
 * off is handled all the same.
 */
export async function recover(
  dependencies: RecoverDependencies,
  transactions: AsyncIterable<AccountTransaction>,
  tally: Tally,
  onProgress: (transactions: number) => void,
): Promise<void> {
  const returns: AccountTransaction[] = [];
  let debits: AccountTransaction[] = [];
  const work = async (chunk: readonly AccountTransaction[]) => {
    const known = await whatIsKnown(dependencies, chunk);
    for (const each of chunk) tally.add(each, await hold(dependencies, each, known));
    onProgress(tally.transactions);
  };
  try {
    for await (const transaction of transactions) {
      // The debit that a return is of may come later in the list, and must be booked before.
      (transaction.kind === 'GIVEN_BACK' ? returns : debits).push(transaction);
      if (debits.length < chunkSize) continue;
      await work(debits);
      debits = [];
    }
  } finally {
    await work(debits);
    for (let from = 0; from < returns.length; from += chunkSize) {
      await work(returns.slice(from, from + chunkSize));
    }
  }
}

async function whatIsKnown(
  { database, operator, traits }: RecoverDependencies,
  chunk: readonly AccountTransaction[],
): Promise<Known> {
  const done = chunk.filter(({ status }) => status === 'SUCCEEDED' || status === 'UNREADABLE');
  const named = done.filter(({ operatorTxId }) => isName(operatorTxId));
  const debits = named
    .filter(({ kind }) => kind === 'DEBIT')
    .map(({ operatorTxId }) => operatorTxId);
  const bookings = await findBookings(database, operator, traits.account, debits);
  const isOpen = ({ kind, operatorTxId, reference }: AccountTransaction) =>
    kind !== 'DEBIT' || bookings.get(operatorTxId)?.paymentId !== reference;
  const references = done.filter(isOpen).flatMap(({ reference }) => reference ?? []);
  const subjects = await findLiveSubjects(database, references);
  const others = named
    .filter(({ kind, reference }) => kind === 'GIVEN_BACK' && !subjects.has(reference ?? ''))
    .map(({ operatorTxId }) => operatorTxId);
  return { bookings, subjects, givenBack: await findGivenBack(database, operator, others) };
}

async function hold(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
): Promise<Outcome> {
  const { atMs } = transaction;
  const isOlder = atMs !== null && atMs < dependencies.sinceMs - clockSlackMs;
  if (!isOlder) return holdRecent(dependencies, transaction, known);
  // Nobody asked for it, and of what was before the gateway its ledger can know nothing: nothing is changed.
  const outcome = await holdRecent({ ...dependencies, isDryRun: true }, transaction, known);
  return changes.includes(outcome) ? 'LEFT_OUT' : outcome;
}

const changes: readonly Outcome[] = ['BOOKED', 'REVERSED', 'HELD', 'LISTED'];

async function holdRecent(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
): Promise<Outcome> {
  const { status, kind, reference, operatorTxId } = transaction;
  if (status === 'OPEN' || status === 'FAILED') return status === 'OPEN' ? 'OPEN' : 'NOTHING';
  const subject = reference === null ? undefined : known.subjects.get(reference);
  const isOurs = subject?.operator === dependencies.operator ? subject : undefined;
  if (kind === 'OTHER' && !isOurs) return 'OTHER';
  if (status === 'UNREADABLE' && isBooked(transaction, isOurs)) return 'KNOWN';
  // Of another kind than what we asked for, or under a name that cannot be booked.
  if (kind === 'OTHER' || status === 'UNREADABLE' || !isName(operatorTxId)) {
    if (kind === 'GIVEN_BACK') return listGivenBack(dependencies, transaction, isOurs);
    const reviewKind = isOurs ? 'CONTRADICTION' : 'UNKNOWN_REFERENCE';
    return list(dependencies, transaction, reviewKind, { subject: isOurs });
  }
  return kind === 'DEBIT'
    ? holdDebit(dependencies, transaction, known.bookings.get(operatorTxId), isOurs)
    : holdGivenBack(dependencies, transaction, known, isOurs);
}

/** As far as can be read it is the transaction that is booked under its reference. */
function isBooked(
  { kind, operatorTxId, amountMinor }: AccountTransaction,
  subject: ReviewSubject | undefined,
): boolean {
  if (!subject || subject.operatorTxId === null) return false;
  const isOfKind = (kind === 'DEBIT') === (subject.kind === 'PAYMENT');
  const isOfName = operatorTxId === '' || isSameName(operatorTxId, subject.operatorTxId);
  return isOfKind && isOfName && amountMinor === subject.amountMinor;
}
