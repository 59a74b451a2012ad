import type { Clock } from '../clock.ts';
import { derivedUuid } from '../ids.ts';
import { unassigned } from '../merchants/unassigned.ts';
import type { AccountTransaction } from '../operators/adapter.ts';
import { findTransactionBooking } from '../operators/bookings.ts';
import type {
  OperatorAnswer,
  OperatorName,
  OperatorNotification,
  OperatorTraits,
} from '../operators/operator.ts';
import { decide, type PaymentTiming } from '../payments/decide.ts';
import { findPayment } from '../payments/store.ts';
import type { Database } from '../postgres/database.ts';
import type { CreateReversal } from '../reversals/create.ts';
import type { RequestReview } from '../review/request-review.ts';
import {
  type Finding,
  type ReviewKind,
  reviewItemOf,
  type SubjectKind,
} from '../review/review-item.ts';
import { findReviewItem, reviewItemsAbout } from '../review/store.ts';
import { findLiveSubjects, findSubject, type ReviewSubject } from '../review/subjects.ts';
import { type BookedTransaction, findBookings, findGivenBack } from './bookings.ts';
import type { Outcome, Tally } from './outcomes.ts';

interface NotificationHandler {
  notify(notification: OperatorNotification): Promise<void>;
}

export interface RecoverDependencies {
  database: Database;
  clock: Clock;
  timing: PaymentTiming;
  operator: OperatorName;
  traits: OperatorTraits & { account: string };
  /** Of the account; where there is only one, it is that of what tells none. */
  currencies: readonly string[];
  payments: NotificationHandler;
  refunds: NotificationHandler;
  reversals: NotificationHandler;
  reverse: CreateReversal;
  requestReview: RequestReview;
  /** Makes the tenant of debits that our records lack, where it is not there yet. */
  ensureUnassigned(): Promise<void>;
  /** Only tells what would become of each. */
  isDryRun: boolean;
}

/** A transaction that succeeded, of an amount and currency that can be booked. */
type Moved = AccountTransaction & { amountMinor: bigint; currency: 'CVE' | 'AOA' };

/** What our records have of the transactions that are looked at together. */
interface Known {
  bookings: Map<string, BookedTransaction>;
  /** Booked as given back under another reference than theirs, or none. */
  givenBack: Set<string>;
  subjects: Map<string, ReviewSubject>;
}

const chunkSize = 100;

/**
 * Holds each transaction of an operator's list against our records, and records what they lack. The list is
 * an answer to our query, so it is believed. Done again, it changes nothing more.
 */
export async function recover(
  dependencies: RecoverDependencies,
  transactions: AsyncIterable<AccountTransaction>,
  tally: Tally,
  onProgress: (transactions: number) => void,
): Promise<void> {
  let chunk: AccountTransaction[] = [];
  const work = async () => {
    const known = await whatIsKnown(dependencies, chunk);
    for (const each of chunk) tally.add(each, await hold(dependencies, each, known));
    onProgress(tally.transactions);
    chunk = [];
  };
  for await (const transaction of transactions) {
    chunk.push(transaction);
    if (chunk.length === chunkSize) await work();
  }
  await work();
}

async function whatIsKnown(
  { database, operator, traits }: RecoverDependencies,
  chunk: readonly AccountTransaction[],
): Promise<Known> {
  const done = chunk.filter(({ status }) => status === 'SUCCEEDED');
  const debits = done
    .filter(({ kind }) => kind === 'DEBIT')
    .map(({ operatorTxId }) => operatorTxId);
  const bookings = await findBookings(database, operator, traits.account, debits);
  const isOpen = ({ kind, operatorTxId, reference }: AccountTransaction) =>
    kind === 'GIVEN_BACK' || bookings.get(operatorTxId)?.paymentId !== reference;
  const references = done.filter(isOpen).flatMap(({ reference }) => reference ?? []);
  const subjects = await findLiveSubjects(database, references);
  const others = done
    .filter(({ kind, reference }) => kind === 'GIVEN_BACK' && !subjects.has(reference ?? ''))
    .map(({ operatorTxId }) => operatorTxId);
  return { bookings, subjects, givenBack: await findGivenBack(database, operator, others) };
}

async function hold(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
): Promise<Outcome> {
  const { status, kind } = transaction;
  if (status !== 'SUCCEEDED') return status === 'OPEN' ? 'OPEN' : 'NOTHING';
  const { reference } = transaction;
  const subject = reference === null ? undefined : known.subjects.get(reference);
  const isOurs = subject?.operator === dependencies.operator ? subject : undefined;
  return kind === 'DEBIT'
    ? holdDebit(dependencies, transaction, known.bookings.get(transaction.operatorTxId), isOurs)
    : holdGivenBack(dependencies, transaction, known, isOurs);
}

async function holdDebit(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  booking: BookedTransaction | undefined,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const { reference, amountMinor } = transaction;
  if (booking && (reference === null || booking.paymentId === reference)) {
    const isSame = booking.amountMinor === null || booking.amountMinor === amountMinor;
    if (isSame || amountMinor === null) return 'KNOWN';
    return notifyDebit(dependencies, transaction, amountMinor, booking.tenantId, booking.paymentId);
  }
  const moved = asMoved(dependencies, transaction, subject);
  if (subject?.kind === 'PAYMENT') {
    if (!moved) return list(dependencies, transaction, 'CONTRADICTION', subject);
    return notifyDebit(dependencies, transaction, moved.amountMinor, subject.tenantId, subject.id);
  }
  return moved
    ? holdUnknown(dependencies, moved)
    : list(dependencies, transaction, 'UNKNOWN_REFERENCE');
}

/** Undefined if amount or currency cannot be booked, or are not what we asked for. */
function asMoved(
  { currencies }: RecoverDependencies,
  transaction: AccountTransaction,
  subject?: ReviewSubject,
): Moved | undefined {
  const { amountMinor } = transaction;
  const [only] = currencies.length === 1 ? currencies : [];
  const currency = transaction.currency ?? subject?.currency ?? only;
  if (currency !== 'CVE' && currency !== 'AOA') return undefined;
  if (amountMinor === null || amountMinor <= 0n) return undefined;
  if (subject && subject.currency !== currency) return undefined;
  return { ...transaction, amountMinor, currency };
}

async function notifyDebit(
  dependencies: RecoverDependencies,
  { operatorTxId }: AccountTransaction,
  amountMinor: bigint,
  tenantId: string,
  paymentId: string,
): Promise<Outcome> {
  const { database, operator, traits } = dependencies;
  const answer: OperatorAnswer = { kind: 'succeeded', operatorTxId, amountMinor };
  if (dependencies.isDryRun) return decided(dependencies, tenantId, paymentId, answer);
  await dependencies.payments.notify({ tenantId, reference: paymentId, answer });
  const { account } = traits;
  const now = await findTransactionBooking(database, { operator, account, operatorTxId });
  const payment = await findPayment(database, tenantId, paymentId);
  const isOurs = now?.tenantId === tenantId && now.paymentId === paymentId;
  if (isOurs && now.kind === 'REVERSAL') return 'REVERSED';
  if (isOurs && payment?.amountMinor === amountMinor) return 'BOOKED';
  return listedAbout(database, tenantId, paymentId);
}

/** What a debit would lead to. */
async function decided(
  { database, clock, timing, operator, traits }: RecoverDependencies,
  tenantId: string,
  id: string,
  answer: OperatorAnswer & { kind: 'succeeded' },
): Promise<Outcome> {
  const payment = await findPayment(database, tenantId, id);
  const { account } = traits;
  const key = { operator, account, operatorTxId: answer.operatorTxId };
  const booking = await findTransactionBooking(database, key);
  if (!payment || (booking && booking.paymentId !== id)) return 'LISTED';
  const decision = decide(payment, answer, clock.nowMs(), timing, traits);
  if (decision.to === 'DEBITED') return 'BOOKED';
  return decision.reverse ? 'REVERSED' : 'LISTED';
}

/** The customer has paid, and nobody here knows what for: a person must find out before it goes back. */
async function holdUnknown(dependencies: RecoverDependencies, moved: Moved): Promise<Outcome> {
  const { operatorTxId, amountMinor, currency } = moved;
  const { operator, database, traits } = dependencies;
  const key = { operator, account: traits.account, operatorTxId };
  const id = referenceOf(moved);
  const { tenantId } = unassigned;
  if (!dependencies.isDryRun) {
    await dependencies.ensureUnassigned();
    const debit = { reason: 'UNKNOWN_REFERENCE', operatorTxId, amountMinor } as const;
    await dependencies.reverse({ tenantId, id, currency, operator }, debit, traits.account);
  }
  const booking = await findTransactionBooking(database, key);
  // Booked for something else, it is a clash, which is listed.
  if (booking && booking.paymentId !== id) {
    return dependencies.isDryRun ? 'LISTED' : listedAbout(database, tenantId, id);
  }
  await list(dependencies, moved, 'UNKNOWN_REFERENCE');
  return 'HELD';
}

async function holdGivenBack(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  { givenBack }: Known,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const { operatorTxId } = transaction;
  const isTold = subject?.kind !== 'PAYMENT' && subject?.operatorTxId === operatorTxId;
  if (isTold || givenBack.has(operatorTxId)) return 'KNOWN';
  if (!subject) return list(dependencies, transaction, 'UNKNOWN_REFERENCE');
  // The operator has reversed a debit by itself.
  if (subject.kind === 'PAYMENT') return list(dependencies, transaction, 'CONTRADICTION', subject);
  // Of one that succeeded before its id was kept, any id is the right one.
  if (subject.status === 'SUCCEEDED' && subject.operatorTxId === null) return 'KNOWN';
  const amountMinor = transaction.amountMinor ?? subject.amountMinor;
  if (!asMoved(dependencies, { ...transaction, amountMinor }, subject)) {
    return list(dependencies, transaction, 'CONTRADICTION', subject);
  }
  if (dependencies.isDryRun) return subject.operatorTxId === null ? 'BOOKED' : 'LISTED';
  const { tenantId, id: reference } = subject;
  const answer: OperatorAnswer = { kind: 'succeeded', operatorTxId, amountMinor };
  const processor = subject.kind === 'REFUND' ? dependencies.refunds : dependencies.reversals;
  await processor.notify({ tenantId, reference, answer });
  const now = await findSubject(dependencies.database, reference);
  if (now?.operatorTxId === operatorTxId) return 'BOOKED';
  return listedAbout(dependencies.database, tenantId, reference);
}

/** It was shown to a person, unless a person has closed it since. */
async function listedAbout(database: Database, tenantId: string, id: string): Promise<Outcome> {
  const items = await reviewItemsAbout(database, tenantId, [id]);
  return items.some(({ closedAtMs }) => closedAtMs === null) ? 'LISTED' : 'KNOWN';
}

/** Shows a person what the operator has, and changes nothing; what was closed stays closed. */
async function list(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  kind: ReviewKind,
  subject?: ReviewSubject,
): Promise<Outcome> {
  const { operator, database } = dependencies;
  const subjectKind: SubjectKind =
    subject?.kind ?? (transaction.kind === 'DEBIT' ? 'PAYMENT' : 'REFUND');
  const { tenantId } = subject ?? unassigned;
  const about = { tenantId, id: subject?.id ?? referenceOf(transaction), operator };
  const finding = findingOf(transaction, kind, subject);
  const { id } = reviewItemOf(subjectKind, about, finding, dependencies.clock.nowMs());
  const listed = await findReviewItem(database, id);
  if (listed && listed.closedAtMs !== null) return 'KNOWN';
  if (dependencies.isDryRun) return 'LISTED';
  if (!subject) await dependencies.ensureUnassigned();
  await dependencies.requestReview(subjectKind, about, finding);
  return 'LISTED';
}

function findingOf(
  { operatorTxId, amountMinor, currency, atMs, debitTxId }: AccountTransaction,
  kind: ReviewKind,
  subject?: ReviewSubject,
): Finding {
  const told = {
    operatorTxId,
    amountMinor: amountMinor?.toString() ?? null,
    currency,
    at: atMs === null ? null : new Date(atMs).toISOString(),
    ...(debitTxId !== null && { debitTxId }),
  };
  const booked = subject && {
    status: subject.status,
    operatorTxId: subject.operatorTxId,
    amountMinor: subject.amountMinor.toString(),
    currency: subject.currency,
  };
  return { kind, about: operatorTxId, detail: { booked: booked ?? 'nothing', told, by: 'list' } };
}

/** Ours where the operator tells one; else the same for the same transaction. */
const referenceOf = ({ reference, operatorTxId }: AccountTransaction) =>
  reference ?? derivedUuid(unassigned.tenantId, operatorTxId);
