import type { AccountTransaction } from '../../integrations/operators/adapter.ts';
import { canonicalName, isName, isSameName } from '../../integrations/operators/transaction-ids.ts';
import { findLiveSubjects, type ReviewSubject } from '../../money/review/subjects.ts';
import { unassigned } from '../../tenants/merchants/unassigned-merchant.ts';
import {
  type BookedReturn,
  type BookedTransaction,
  findBookings,
  findReturnBookings,
} from './bookings.ts';
import type { Known, RecoverDependencies } from './dependencies.ts';
import { matchDebit, matchFailedDebit } from './match-debits.ts';
import { matchDisbursement } from './match-disbursements.ts';
import { matchFailedReturn, matchOpenReturn, matchReturn, reviewReturn } from './match-returns.ts';
import type { Outcome, Tally } from './outcomes.ts';
import { closeFinished } from './pending-returns.ts';
import { list, referenceOf } from './request-review.ts';

const chunkSize = 100;
/** The largest expected error of an operator's clock, or of a local time without a zone. */
export const clockSlackMs = 86_400_000;

/**
 * Compares each transaction of an operator's list with our records, and records what is missing. The list answers our
 * query, so it is trusted. A repeated run changes nothing more. If reading the list fails, the transactions read so
 * far are still processed.
 * Nothing changes while the list is read. Then returns and reversals are recorded before any debit, because a running
 * gateway refunds or returns a debit as soon as it is booked. The list may contain one transaction twice, as done and
 * as undone, in any order.
 */
export async function recover(
  dependencies: RecoverDependencies,
  transactions: AsyncIterable<AccountTransaction>,
  tally: Tally,
  onProgress: (transactions: number) => void,
): Promise<void> {
  const walk = new Walk(dependencies, tally, onProgress);
  try {
    for await (const transaction of transactions) await walk.look(transaction);
  } finally {
    await walk.work();
  }
}

class Walk {
  readonly #dependencies: RecoverDependencies;
  readonly #tally: Tally;
  readonly #onProgress: (transactions: number) => void;
  #debits: AccountTransaction[] = [];
  readonly #returns: AccountTransaction[] = [];
  /** Debits that are missing in our records, or contradict them. */
  readonly #pending: AccountTransaction[] = [];
  /** Debits that failed or were reversed: their bookings may come later in the list. */
  readonly #undone: AccountTransaction[] = [];
  readonly #expected = new Map<string, BookedTransaction>();
  /** Returns that this run has booked, or would book, by canonical name. */
  readonly #returned = new Map<string, BookedReturn>();

  constructor(
    dependencies: RecoverDependencies,
    tally: Tally,
    onProgress: (transactions: number) => void,
  ) {
    this.#dependencies = dependencies;
    this.#tally = tally;
    this.#onProgress = onProgress;
  }

  async look(transaction: AccountTransaction): Promise<void> {
    // The debit of a return may come later in the list.
    (transaction.kind === 'GIVEN_BACK' ? this.#returns : this.#debits).push(transaction);
    if (this.#debits.length >= chunkSize) await this.#checkDebits();
  }

  async work(): Promise<void> {
    await this.#checkDebits();
    const isOpen = ({ status }: AccountTransaction) => status === 'OPEN';
    // A finished return closes its pending item.
    await this.#record(this.#returns.filter(isOpen));
    await this.#record(this.#returns.filter((each) => !isOpen(each) && !isFailed(each)));
    await this.#record(this.#returns.filter(isFailed));
    await this.#record(this.#undone);
    await this.#record(this.#pending);
  }

  /** Keeps the transactions that need processing. */
  async #checkDebits(): Promise<void> {
    const dependencies = { ...this.#dependencies, isDryRun: true };
    const isUndone = (each: AccountTransaction) => each.kind === 'DEBIT' && isFailed(each);
    this.#undone.push(...this.#debits.filter(isUndone));
    const chunk = this.#debits.filter((each) => !isUndone(each));
    this.#debits = [];
    const known = await findRecords(dependencies, chunk, this.#expected);
    for (const listed of chunk) {
      const each = asKnown(listed, known);
      const outcome = await match(dependencies, each, known);
      const booking = bookingOf(outcome, each, known.subjects.get(each.reference ?? ''));
      if (booking) this.#expected.set(canonicalName(each.operatorTxId), booking);
      if (changes.includes(outcome)) this.#pending.push(each);
      else this.#tally.add(each, outcome);
    }
    this.#onProgress(this.#tally.transactions);
  }

  async #record(transactions: readonly AccountTransaction[]): Promise<void> {
    for (let from = 0; from < transactions.length; from += chunkSize) {
      const chunk = transactions.slice(from, from + chunkSize);
      const found = await findRecords(this.#dependencies, chunk, this.#expected);
      const known = { ...found, returned: new Map([...this.#returned, ...found.returned]) };
      for (const each of chunk) {
        const outcome = await match(this.#dependencies, each, known);
        this.#tally.add(each, outcome);
        const booked = returnOf(outcome, each, known.subjects.get(each.reference ?? ''));
        if (booked) this.#returned.set(canonicalName(each.operatorTxId), booked);
        if (outcome !== 'LEFT_OUT') await closeFinished(this.#dependencies, each);
      }
      this.#onProgress(this.#tally.transactions);
    }
  }
}

/** A payout that our records lack is of another kind, like any payout from the account. */
function asKnown(transaction: AccountTransaction, { subjects }: Known): AccountTransaction {
  const { kind, reference } = transaction;
  const isOurs = subjects.get(reference ?? '')?.kind === 'DISBURSEMENT';
  return kind === 'DISBURSEMENT' && !isOurs
    ? { ...transaction, kind: 'OTHER', type: 'disbursement' }
    : transaction;
}

const isFailed = ({ status }: AccountTransaction) => status === 'FAILED';

/** What a missing debit is about to be booked as. */
function bookingOf(
  outcome: Outcome,
  transaction: AccountTransaction,
  payment: ReviewSubject | undefined,
): BookedTransaction | undefined {
  const isBooked = outcome === 'BOOKED' && payment !== undefined;
  if (!isBooked && outcome !== 'REVERSED' && outcome !== 'HELD') return undefined;
  const { operatorTxId, amountMinor } = transaction;
  const { tenantId } = payment ?? unassigned;
  const paymentId = payment?.id ?? referenceOf(transaction);
  const currency = payment?.currency ?? transaction.currency;
  const kind = isBooked ? 'DEBIT' : 'REVERSAL';
  return { operatorTxId, tenantId, paymentId, kind, amountMinor, currency };
}

/** What a return is booked as now. */
function returnOf(
  outcome: Outcome,
  { kind, operatorTxId }: AccountTransaction,
  subject: ReviewSubject | undefined,
): BookedReturn | undefined {
  if (outcome !== 'BOOKED' || kind !== 'GIVEN_BACK' || !subject) return undefined;
  const { id, amountMinor, currency, debitTxId } = subject;
  return { operatorTxId, id, amountMinor, currency, debitTxId };
}

async function findRecords(
  { database, operator, traits }: RecoverDependencies,
  chunk: readonly AccountTransaction[],
  expected: Known['expected'],
): Promise<Known> {
  const named = chunk.filter(({ operatorTxId }) => isName(operatorTxId));
  const debits = named
    .filter(({ kind, status }) => kind === 'DEBIT' && status !== 'OPEN')
    .map(({ operatorTxId }) => operatorTxId);
  const bookings = await findBookings(database, operator, traits.account, debits);
  const needsProcessing = ({ kind, status, operatorTxId, reference }: AccountTransaction) => {
    if (kind === 'GIVEN_BACK' || kind === 'DISBURSEMENT') return true;
    const isBooked = bookings.get(operatorTxId)?.paymentId === reference;
    return status === 'UNREADABLE' || (status === 'SUCCEEDED' && !(kind === 'DEBIT' && isBooked));
  };
  const references = chunk.filter(needsProcessing).flatMap(({ reference }) => reference ?? []);
  const subjects = await findLiveSubjects(database, references);
  const others = named
    .filter(({ kind, reference }) => kind === 'GIVEN_BACK' && !subjects.has(reference ?? ''))
    .map(({ operatorTxId }) => operatorTxId);
  const returned = await findReturnBookings(database, operator, others);
  return { bookings, subjects, returned, expected };
}

async function match(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
): Promise<Outcome> {
  const { atMs } = transaction;
  const isOlder = atMs !== null && atMs < dependencies.sinceMs - clockSlackMs;
  if (!isOlder) return matchRecent(dependencies, transaction, known);
  // It is unrequested, and the ledger cannot know transactions from before the gateway: nothing changes.
  const outcome = await matchRecent({ ...dependencies, isDryRun: true }, transaction, known);
  return changes.includes(outcome) ? 'LEFT_OUT' : outcome;
}

const changes: readonly Outcome[] = ['BOOKED', 'REVERSED', 'HELD', 'LISTED'];

async function matchRecent(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
): Promise<Outcome> {
  const { status, kind, reference } = transaction;
  const subject = reference === null ? undefined : known.subjects.get(reference);
  const isOurs = subject?.operator === dependencies.operator ? subject : undefined;
  if (kind === 'DISBURSEMENT') return matchDisbursement(dependencies, transaction, isOurs);
  switch (status) {
    case 'OPEN':
      return kind === 'GIVEN_BACK'
        ? matchOpenReturn(dependencies, transaction, known, isOurs)
        : 'OPEN';
    case 'FAILED': {
      if (kind === 'GIVEN_BACK') return matchFailedReturn(dependencies, transaction, known, isOurs);
      return kind === 'DEBIT' ? matchFailedDebit(dependencies, transaction, known) : 'NOTHING';
    }
    case 'UNREADABLE':
      return isBooked(transaction, isOurs)
        ? 'KNOWN'
        : matchOdd(dependencies, transaction, known, isOurs);
    case 'SUCCEEDED':
      return matchSuccess(dependencies, transaction, known, isOurs);
  }
}

async function matchSuccess(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const { kind, operatorTxId } = transaction;
  const isReturn = isReturnOfOurs(subject) && !known.bookings.has(operatorTxId);
  if (kind === 'OTHER' || !isName(operatorTxId) || (kind === 'DEBIT' && isReturn)) {
    return matchOdd(dependencies, transaction, known, subject);
  }
  return kind === 'DEBIT'
    ? matchDebit(dependencies, transaction, known.bookings.get(operatorTxId), subject)
    : matchReturn(dependencies, transaction, known, subject);
}

/** Of another kind than requested, without a bookable name, or unreadable. */
async function matchOdd(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const { kind, reference } = transaction;
  // Under a reference of our form, it may be a lost record of ours.
  if (kind === 'OTHER' && reference === null) return 'OTHER';
  if (kind === 'GIVEN_BACK' || isReturnOfOurs(subject)) {
    return reviewReturn(dependencies, transaction, known, subject);
  }
  return list(dependencies, transaction, subject ? 'CONTRADICTION' : 'UNKNOWN_REFERENCE', {
    subject,
  });
}

/** No debit has the reference of a refund or reversal. */
const isReturnOfOurs = (subject: ReviewSubject | undefined) =>
  subject !== undefined && subject.kind !== 'PAYMENT';

/** As far as readable, it is the transaction that is booked under its reference. */
function isBooked(
  { kind, operatorTxId, amountMinor }: AccountTransaction,
  subject: ReviewSubject | undefined,
): boolean {
  if (!subject || subject.operatorTxId === null) return false;
  const isOfKind = (kind === 'DEBIT') === (subject.kind === 'PAYMENT');
  const isOfName = operatorTxId === '' || isSameName(operatorTxId, subject.operatorTxId);
  return isOfKind && isOfName && amountMinor === subject.amountMinor;
}
