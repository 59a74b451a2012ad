import { isSameName, reversalIdOf } from '../../integrations/operators/transaction-ids.ts';
import { correctTransaction } from '../../money/payments/correct-transaction.ts';
import { markByHand, takePayment } from '../../money/payments/lease-store.ts';
import { answerOfFinding, isWatched } from '../../money/payments/manual-outcome.ts';
import { isClosedWithoutDebit, type Payment } from '../../money/payments/payment.ts';
import { findPayment } from '../../money/payments/store.ts';
import type { Reversal } from '../../money/reversals/reversal.ts';
import { findReversal } from '../../money/reversals/store.ts';
import { formatAmount } from '../../platform/formats/display-format.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { FindingOf, PaymentFinding } from './finding.ts';
import {
  checkTransaction,
  isBusy,
  isContradicted,
  leaseLengthMs,
  type Resolving,
  traitsFor,
} from './resolution-checks.ts';
import type { Resolver } from './resolver.ts';
import { ReviewRefusal } from './review-error.ts';
import { useCasesOf } from './use-cases.ts';

/**
 * Accepts the operator's answer to a person like an answer to a query: the same transitions, postings and reversals
 * follow.
 * @returns the payment's new state, in words
 */
export async function resolvePayment(
  resolving: Resolving,
  finding: PaymentFinding,
): Promise<string> {
  const { workspace, subject, open, record } = resolving;
  const { tenantId, id } = subject;
  const { database } = workspace;
  const payment = await findPayment(database, tenantId, id);
  if (!payment) throw new Error('the payment was there just now');
  const wasWrong = isContradicted(resolving, payment);
  const isOpen =
    isWatched(payment) || open.some(({ kind }) => kind === 'UNCLEAR' || kind === 'MISMATCH');
  if (finding.kind === 'DEBITED') await checkDebit(workspace, payment, finding);
  if (wasWrong && payment.operatorTxId !== null && finding.kind === 'DEBITED') {
    return correct(resolving, payment, finding);
  }
  if (finding.kind === 'NOT_DEBITED' && payment.operatorTxId !== null) throw isBooked(payment);
  if (!isOpen && !(wasWrong && finding.kind === 'DEBITED')) throw isKnown(payment);
  const nowMs = workspace.clock.nowMs();
  const leaseMs = nowMs + leaseLengthMs;
  const taken = await takePayment(database, { tenantId, id, nowMs, leaseMs });
  if (!taken) throw isBusy(payment);
  await record({ was: payment.status });
  // For a booked payment a person reports a further debit, and its outcome stays the operator's answer.
  if (payment.operatorTxId === null) await markByHand(database, payment);
  // The mark of a person's finding applies to later answers of the operator, and earlier ones are cleared up.
  const held = { ...taken.row, dueAtMs: taken.leaseMs, byHand: false, mismatched: false };
  await useCasesOf(workspace).payments.answered(held, answerOfFinding(wordOf(finding)));
  return outcomeOf(workspace, payment, finding);
}

const wordOf = (finding: PaymentFinding) =>
  finding.kind === 'DEBITED' ? finding : ('not debited' as const);

const isBooked = ({ id, status, operatorTxId }: Payment) =>
  new ReviewRefusal(
    'KNOWN',
    `The outcome of ${formatId('pi', id)} is known: it is ${status} by ${operatorTxId}.`,
    'If nothing needs to change, close the item: zimbo review close ID --reason "…"',
  );

function isKnown({ id, status, sentAtMs }: Payment): ReviewRefusal {
  const name = formatId('pi', id);
  if (sentAtMs === null) {
    return new ReviewRefusal(
      'NEVER_SENT',
      `${name} is ${status}, and was never sent to the operator.`,
    );
  }
  return new ReviewRefusal(
    'KNOWN',
    `The outcome of ${name} is known: it is ${status}.`,
    'To find a debit that the ledger lacks, use "zimbo operators recover" or "zimbo reconcile".',
  );
}

async function checkDebit(
  workspace: Resolver,
  payment: Payment,
  { operatorTxId, amountMinor, isOtherAmount }: FindingOf<'DEBITED'>,
): Promise<void> {
  const use = { kind: 'PAYMENT', id: payment.id, isDebit: true } as const;
  await checkTransaction(workspace, payment, operatorTxId, use);
  if (amountMinor === payment.amountMinor || isOtherAmount) return;
  const [requested, stated] = [payment.amountMinor, amountMinor].map((minor) =>
    formatAmount(minor, payment.currency),
  );
  throw new ReviewRefusal(
    'OTHER_AMOUNT',
    `The amount of the payment is ${requested}, not ${stated}.`,
    'If the operator really debited another amount, add --other-amount: the debit then goes to suspense, and back to the customer.',
  );
}

/** The payment stays debited; only the operator's transaction id was wrong. */
async function correct(
  { workspace, record }: Resolving,
  payment: Payment,
  { operatorTxId, amountMinor }: FindingOf<'DEBITED'>,
): Promise<string> {
  const name = formatId('pi', payment.id);
  if (isSameName(operatorTxId, payment.operatorTxId)) throw isKnown(payment);
  if (amountMinor !== payment.amountMinor) {
    const hint =
      'Settle the difference with the operator, then: zimbo review close ID --reason "…"';
    throw new ReviewRefusal(
      'BOOKED_OTHERWISE',
      `${name} is booked with ${formatAmount(payment.amountMinor, payment.currency)}.`,
      hint,
    );
  }
  const { account } = await traitsFor(workspace, payment, true);
  await record({ was: payment.status, instead: payment.operatorTxId });
  if (!(await correctTransaction(workspace.database, payment, operatorTxId, account))) {
    throw new ReviewRefusal(
      'CANNOT_CORRECT',
      `The transaction id of the debit of ${name} cannot be corrected.`,
      'It has refunds under the wrong number, or changed just now: see "zimbo review show".',
    );
  }
  return `${name} is ${payment.status} by ${operatorTxId}, no longer by ${payment.operatorTxId}.`;
}

const wordsOf: Partial<Record<Reversal['reason'], string>> = {
  LATE_DEBIT: 'The debit came too late',
  SECOND_DEBIT: 'It is a second debit',
};

/** @throws StartError if a gateway was faster */
async function outcomeOf(
  { database }: Resolver,
  before: Payment,
  finding: PaymentFinding,
): Promise<string> {
  const { tenantId, id } = before;
  const name = formatId('pi', id);
  const now = await findPayment(database, tenantId, id);
  if (!now) throw new Error('the payment was there just now');
  if (finding.kind === 'NOT_DEBITED') {
    if (isWatched(now) || !isClosedWithoutDebit(now.status)) throw isBusy(now);
    return `${name} is ${now.status}. The operator is no longer queried about it.`;
  }
  if (isSameName(now.operatorTxId, finding.operatorTxId)) return `${name} is ${now.status}.`;
  const reversal = await findReversal(database, tenantId, reversalIdOf(id, finding.operatorTxId));
  if (!reversal) throw isBusy(now);
  const why = wordsOf[reversal.reason] ?? 'The debit has another amount';
  return `${name} is ${now.status}. ${why}: it is in suspense, and is being reversed ("zimbo ledger suspense").`;
}
