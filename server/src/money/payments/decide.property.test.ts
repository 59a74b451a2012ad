import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { examplePayment } from '../../../test/support/payment.ts';
import {
  failureMessages,
  type OperatorAnswer,
  type OperatorTraits,
  type ReportedSuccess,
} from '../../integrations/operators/operator.ts';
import { requestIsOver } from '../../integrations/operators/query-schedule.ts';
import { allows } from '../../platform/values/transitions.ts';
import { type Decision, decide, type PaymentTiming } from './decide.ts';
import {
  isClosedWithoutDebit,
  isOpen,
  type Payment,
  paymentStatuses,
  paymentTransitions,
} from './payment.ts';

const debitedStatuses = ['DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const;
const sentOpenStatuses = ['OPERATOR_PENDING', 'USER_CONFIRMING'] as const;
const baseMs = Date.parse('2026-11-21T09:30:00.000Z');

interface Case {
  payment: Payment;
  answer: OperatorAnswer;
  nowMs: number;
  timing: PaymentTiming;
  traits: Pick<OperatorTraits, 'deduplicates' | 'answersQueries'>;
}

const timings: fc.Arbitrary<PaymentTiming> = fc.record({
  operatorTimeoutMs: fc.integer({ min: 1, max: 30_000 }),
  expiryGraceMs: fc.integer({ min: 0, max: 120_000 }),
  firstBackoffMs: fc.integer({ min: 1, max: 10_000 }),
  maxBackoffMs: fc.integer({ min: 10_000, max: 3_600_000 }),
  watchMs: fc.nat(600_000),
});

const amounts = fc.bigInt({ min: 1n, max: 5n });
const transactions = fc.constantFrom('OP-1', 'OP-2');

const answers: fc.Arbitrary<OperatorAnswer> = fc.oneof(
  fc.record({
    kind: fc.constant('succeeded' as const),
    operatorTxId: transactions,
    amountMinor: amounts,
  }),
  fc.record({
    kind: fc.constant('failed' as const),
    failureCode: fc.constantFrom(
      ...(Object.keys(failureMessages) as (keyof typeof failureMessages)[]),
    ),
  }),
  fc.record({
    kind: fc.constant('unknown' as const),
    progress: fc.constantFrom(
      'PENDING' as const,
      'PROMPTED' as const,
      'NOT_FOUND' as const,
      'UNREACHABLE' as const,
      'NOT_SENT' as const,
    ),
  }),
  fc.record({
    kind: fc.constant('unknown' as const),
    progress: fc.constant('MISMATCH' as const),
    reported: fc.record({
      operatorTxId: transactions,
      amount: fc.constantFrom('1.520,00', null),
      currency: fc.constant(null),
      type: fc.constant(null),
      reference: fc.constant(null),
    }),
  }),
);

/** All possible payments; instants lie close together, so that each side of every limit occurs. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    timing: timings,
    answer: answers,
    traits: fc.record({ deduplicates: fc.boolean(), answersQueries: fc.boolean() }),
    byHand: fc.boolean(),
    mismatched: fc.boolean(),
    status: fc.constantFrom(...paymentStatuses),
    amountMinor: amounts,
    operatorTxId: transactions,
    wasSent: fc.boolean(),
    watched: fc.boolean(),
    sentAfterMs: fc.nat(300_000),
    expiresAfterMs: fc.nat(300_000),
    nowAfterMs: fc.nat(600_000),
    queryCount: fc.nat(40),
  })
  .map(({ timing, answer, traits, ...drawn }) => {
    const isDebited = debitedStatuses.some((status) => status === drawn.status);
    const isHeardOf = isDebited || drawn.status === 'USER_CONFIRMING';
    const isSent = drawn.status !== 'CREATED' && (isHeardOf || drawn.wasSent);
    const payment = examplePayment({
      status: drawn.status,
      amountMinor: drawn.amountMinor,
      operatorTxId: isDebited ? drawn.operatorTxId : null,
      sentAtMs: isSent ? baseMs + drawn.sentAfterMs : null,
      expiresAtMs: baseMs + drawn.expiresAfterMs,
      dueAtMs: isOpen(drawn.status) || drawn.watched ? baseMs : null,
      byHand: drawn.byHand,
      mismatched: drawn.mismatched,
      queryCount: drawn.queryCount,
      createdAtMs: baseMs,
      updatedAtMs: baseMs,
    });
    return { payment, answer, timing, traits, nowMs: baseMs + drawn.nowAfterMs };
  })
  // A CREATED payment that is debited all the same is first marked as sent (process.ts).
  .filter(({ payment, answer }) => payment.status !== 'CREATED' || answer.kind !== 'succeeded');

const isMismatch = (
  answer: OperatorAnswer,
): answer is OperatorAnswer & { kind: 'unknown'; reported: ReportedSuccess } =>
  answer.kind === 'unknown' && answer.reported !== undefined;

function always(promise: (given: Case, decision: Decision) => void): void {
  fc.assert(
    fc.property(cases, (given) => {
      const { payment, answer, nowMs, timing, traits } = given;
      promise(given, decide(payment, answer, nowMs, timing, traits));
    }),
    { numRuns: 3_000 },
  );
}

test('moves a payment only as the transition table allows, for any answer of the operator', () => {
  always(({ payment }, { to }) => {
    if (to) assert.ok(allows(paymentTransitions, payment.status, to), `${payment.status} → ${to}`);
  });
});

test('reaches each transition of an open payment that is not ours to make by some answer', () => {
  const sampled = fc.sample(cases, { numRuns: 5_000, seed: 1 });
  const decided = sampled.flatMap(({ payment, answer, nowMs, timing, traits }) => {
    const { to } = decide(payment, answer, nowMs, timing, traits);
    return to ? `${payment.status} → ${to}` : [];
  });
  const listed = paymentStatuses.filter(isOpen).flatMap((from) =>
    paymentTransitions[from]
      // We make these two ourselves: we send a payment, and the merchant cancels it.
      .filter((to) => to !== 'OPERATOR_PENDING' && to !== 'CANCELLED')
      .map((to) => `${from} → ${to}`),
  );
  assert.deepEqual([...new Set(decided)].sort(), listed.sort());
});

test('leaves a debited payment as it is, for any answer of the operator', () => {
  always(({ payment, answer }, decision) => {
    if (!debitedStatuses.some((status) => status === payment.status)) return;
    const { reverse, review, ...rest } = decision;
    assert.deepEqual(rest, { dueAtMs: null });
    const isSecond = answer.kind === 'succeeded' && answer.operatorTxId !== payment.operatorTxId;
    const goesBack = isSecond && !payment.byHand;
    assert.equal(reverse?.reason, goesBack ? 'SECOND_DEBIT' : undefined);
    const isBooked =
      answer.kind === 'succeeded' && !isSecond && answer.amountMinor === payment.amountMinor;
    if (answer.kind === 'unknown') {
      const isOther = isMismatch(answer) && answer.reported.operatorTxId !== payment.operatorTxId;
      assert.equal(review?.kind, isOther ? 'MISMATCH' : undefined);
      return;
    }
    assert.equal(review?.kind, isBooked || goesBack ? undefined : 'CONTRADICTION');
  });
});

test('always makes an open payment DEBITED by a debit of the right amount', () => {
  always(({ payment, answer }, decision) => {
    const isDebit = answer.kind === 'succeeded' && answer.amountMinor === payment.amountMinor;
    const isRight = isDebit && sentOpenStatuses.some((status) => status === payment.status);
    assert.equal(decision.to === 'DEBITED', isRight);
    if (!isRight) return;
    const { operatorTxId } = answer;
    assert.deepEqual(decision, { to: 'DEBITED', operatorTxId, dueAtMs: null });
  });
});

test('returns a debit after the end, or leaves it to the person who ended the payment, and never moves the payment', () => {
  always(({ payment, answer }, decision) => {
    if (!isClosedWithoutDebit(payment.status)) return;
    assert.equal(decision.to, undefined);
    const isDebit = answer.kind === 'succeeded';
    const goesBack = isDebit && !payment.byHand;
    assert.equal(decision.reverse?.reason, goesBack ? 'LATE_DEBIT' : undefined);
    if (answer.kind === 'failed') return;
    assert.equal(decision.review?.kind === 'CONTRADICTION', isDebit && payment.byHand);
  });
});

test('always returns a debit of another amount, and never makes the payment DEBITED by it', () => {
  always(({ payment, answer }, decision) => {
    if (answer.kind !== 'succeeded' || !isOpen(payment.status)) return;
    if (answer.amountMinor === payment.amountMinor) return;
    assert.notEqual(decision.to, 'DEBITED');
    const { operatorTxId, amountMinor } = answer;
    assert.deepEqual(decision.reverse, { reason: 'WRONG_AMOUNT', operatorTxId, amountMinor });
  });
});

test('returns what the operator reported, and nothing without a debit', () => {
  always(({ answer }, { reverse }) => {
    if (!reverse) return;
    assert.ok(answer.kind === 'succeeded');
    assert.equal(reverse.operatorTxId, answer.operatorTxId);
    assert.equal(reverse.amountMinor, answer.amountMinor);
  });
});

test('drops no debit: the payment takes it, it goes back, a person sees it, or it was taken before', () => {
  always(({ payment, answer }, { to, reverse, review }) => {
    if (answer.kind !== 'succeeded') return;
    const takenBefore =
      payment.operatorTxId === answer.operatorTxId && payment.amountMinor === answer.amountMinor;
    const fates = [to === 'DEBITED', reverse !== undefined, review !== undefined, takenBefore];
    assert.equal(fates.filter(Boolean).length, 1);
  });
});

test('never takes an unknown outcome for a failure, nor ends a payment with one before the expiry', () => {
  always(({ payment, answer, nowMs }, { to }) => {
    if (answer.kind !== 'unknown') return;
    assert.notEqual(to, 'FAILED');
    if (nowMs < payment.expiresAtMs) assert.ok(to === undefined || to === 'USER_CONFIRMING');
  });
});

test('expires a payment at its expiry at the earliest, unless the operator says so', () => {
  always(({ payment, answer, nowMs }, { to, failureCode }) => {
    if (to !== 'EXPIRED') return;
    assert.equal(failureCode, 'CONFIRMATION_TIMEOUT');
    const isSaid = answer.kind === 'failed' && answer.failureCode === 'CONFIRMATION_TIMEOUT';
    assert.ok(isSaid || nowMs >= payment.expiresAtMs);
  });
});

test('reports a mismatched success to a person at once, and does not expire the payment until the watch ends', () => {
  always(({ payment, answer, nowMs, timing }, { to, review, mismatched, dueAtMs }) => {
    if (answer.kind !== 'unknown' || !isOpen(payment.status)) return;
    if (isMismatch(answer)) {
      assert.equal(review?.kind, 'MISMATCH');
      assert.equal(mismatched, true);
    }
    if (!isMismatch(answer) && !payment.mismatched) return;
    if (nowMs >= (payment.sentAtMs ?? nowMs) + timing.watchMs) return;
    assert.equal(to, undefined);
    assert.ok(dueAtMs != null, 'it is asked about');
  });
});

test('ends nothing by a failure after a mismatched success, and shows it to a person', () => {
  always(({ payment, answer, nowMs, timing }, { to, review, dueAtMs }) => {
    if (answer.kind !== 'failed' || debitedStatuses.some((status) => status === payment.status))
      return;
    const isDisputed = payment.mismatched && !payment.byHand;
    assert.equal(review !== undefined, isDisputed);
    if (!isDisputed) return;
    assert.notEqual(to, 'FAILED');
    if (nowMs >= (payment.sentAtMs ?? nowMs) + timing.watchMs) return;
    assert.equal(to, undefined);
    if (isOpen(payment.status)) assert.ok(dueAtMs != null, 'it is asked about');
  });
});

test('keeps a sent payment due, not received, or with a person while the operator is not definite', () => {
  always(({ payment, answer, nowMs, timing, traits }, decision) => {
    if (answer.kind !== 'unknown' || payment.sentAtMs === null || payment.dueAtMs === null) return;
    if (debitedStatuses.some((status) => status === payment.status) || decision.send) return;
    const isNotFound = answer.progress === 'NOT_FOUND';
    if (isNotFound && payment.status === 'FAILED') return;
    if (isClosedWithoutDebit(payment.status) && nowMs >= payment.sentAtMs + timing.watchMs) {
      const isNotReceived = isNotFound && traits.answersQueries && !payment.mismatched;
      assert.equal(decision.dueAtMs, null);
      assert.equal(decision.notReceived ?? false, isNotReceived);
      assert.equal(decision.review?.kind, isNotReceived ? undefined : 'UNCLEAR');
      return;
    }
    assert.ok(decision.dueAtMs != null, 'it is looked at again');
    const isAtALimit = decision.dueAtMs === payment.expiresAtMs + timing.expiryGraceMs;
    assert.ok(decision.dueAtMs > nowMs || isAtALimit, 'and not before now');
    assert.ok(decision.dueAtMs <= nowMs + timing.maxBackoffMs);
  });
});

test('sends a debit only if the operator does not know it, before the expiry; again only to an operator that deduplicates, after its time-out', () => {
  always(({ payment, answer, nowMs, timing, traits }, { send, to }) => {
    const isUnheard = answer.kind === 'unknown' && answer.progress === 'NOT_FOUND';
    const mayRepeat = traits.deduplicates && requestIsOver(payment, nowMs, timing);
    const { sentAtMs } = payment;
    const isWatched = sentAtMs === null || nowMs < sentAtMs + timing.watchMs;
    const maySend = (sentAtMs === null || mayRepeat) && !(payment.mismatched && isWatched);
    const isInTime = isOpen(payment.status) && nowMs < payment.expiresAtMs;
    assert.equal(send === true, isUnheard && maySend && isInTime);
    if (send) assert.equal(to, undefined);
  });
});

test('changes nothing when it hears an answer a second time', () => {
  always(({ payment, answer, nowMs, timing, traits }, decision) => {
    if (!decision.to) return;
    const moved = {
      ...payment,
      status: decision.to,
      operatorTxId: decision.operatorTxId ?? null,
      dueAtMs: decision.dueAtMs ?? null,
    };
    const again = decide(moved, answer, nowMs, timing, traits);
    assert.equal(again.to, undefined);
    // One debit is reversed once, so the operator may report it again.
    if (!decision.reverse) assert.equal(again.reverse, undefined);
  });
});
