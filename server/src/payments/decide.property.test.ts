import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { failureMessages, type OperatorAnswer } from '../operators/operator.ts';
import { type Decision, decide, type PaymentTiming, requestLengthMs } from './decide.ts';
import { examplePayment } from './payment.fixture.ts';
import { allows, isClosedWithoutDebit, isOpen, type Payment, paymentStatuses } from './payment.ts';

const debitedStatuses = ['DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const;
const sentOpenStatuses = ['OPERATOR_PENDING', 'USER_CONFIRMING'] as const;
const baseMs = Date.parse('2026-11-21T09:30:00.000Z');

interface Case {
  payment: Payment;
  answer: OperatorAnswer;
  nowMs: number;
  timing: PaymentTiming;
}

const timings: fc.Arbitrary<PaymentTiming> = fc.record({
  operatorTimeoutMs: fc.integer({ min: 1, max: 30_000 }),
  expiryGraceMs: fc.integer({ min: 0, max: 120_000 }),
  firstAskGapMs: fc.integer({ min: 1, max: 10_000 }),
  longestAskGapMs: fc.integer({ min: 10_000, max: 3_600_000 }),
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
    ),
  }),
);

/** Payments as they can be; instants lie close together, so that each side of every limit is met. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    timing: timings,
    answer: answers,
    status: fc.constantFrom(...paymentStatuses),
    amountMinor: amounts,
    operatorTxId: transactions,
    wasSent: fc.boolean(),
    watched: fc.boolean(),
    sentAfterMs: fc.nat(300_000),
    expiresAfterMs: fc.nat(300_000),
    nowAfterMs: fc.nat(600_000),
    askCount: fc.nat(40),
  })
  .map(({ timing, answer, ...drawn }) => {
    const isDebited = debitedStatuses.some((status) => status === drawn.status);
    const isSent =
      drawn.status === 'CREATED' ? false : isDebited || drawn.wasSent || isOpen(drawn.status);
    const payment = examplePayment({
      status: drawn.status,
      amountMinor: drawn.amountMinor,
      operatorTxId: isDebited ? drawn.operatorTxId : null,
      sentAtMs: isSent ? baseMs + drawn.sentAfterMs : null,
      expiresAtMs: baseMs + drawn.expiresAfterMs,
      dueAtMs: isOpen(drawn.status) || (isSent && drawn.watched) ? baseMs : null,
      askCount: drawn.askCount,
      createdAtMs: baseMs,
      updatedAtMs: baseMs,
    });
    return { payment, answer, timing, nowMs: baseMs + drawn.nowAfterMs };
  })
  // CREATED means never sent: of such a payment no operator can report a debit.
  .filter(({ payment, answer }) => payment.status !== 'CREATED' || answer.kind !== 'succeeded');

function always(promise: (given: Case, decision: Decision) => void): void {
  fc.assert(
    fc.property(cases, (given) => {
      promise(given, decide(given.payment, given.answer, given.nowMs, given.timing));
    }),
    { numRuns: 3_000 },
  );
}

test('whatever the operator says, a payment moves only as the transition table allows', () => {
  always(({ payment }, { to }) => {
    if (to) assert.ok(allows(payment.status, to), `${payment.status} → ${to}`);
  });
});

test('whatever the operator says, a debited payment stays as it is', () => {
  always(({ payment, answer }, decision) => {
    if (!debitedStatuses.some((status) => status === payment.status)) return;
    const { reverse, ...rest } = decision;
    assert.deepEqual(rest, {});
    const isSecond = answer.kind === 'succeeded' && answer.operatorTxId !== payment.operatorTxId;
    assert.equal(reverse?.reason, isSecond ? 'SECOND_DEBIT' : undefined);
  });
});

test('a debit of the right amount always makes an open payment DEBITED', () => {
  always(({ payment, answer }, decision) => {
    const isDebit = answer.kind === 'succeeded' && answer.amountMinor === payment.amountMinor;
    const isRight = isDebit && sentOpenStatuses.some((status) => status === payment.status);
    assert.equal(decision.to === 'DEBITED', isRight);
    if (!isRight) return;
    const { operatorTxId } = answer;
    assert.deepEqual(decision, { to: 'DEBITED', operatorTxId, dueAtMs: null });
  });
});

test('a debit after the end always goes back, and never moves the payment', () => {
  always(({ payment, answer }, decision) => {
    if (!isClosedWithoutDebit(payment.status)) return;
    assert.equal(decision.to, undefined);
    assert.equal(decision.reverse?.reason, answer.kind === 'succeeded' ? 'LATE_DEBIT' : undefined);
  });
});

test('a debit of another amount always goes back, and never makes the payment DEBITED', () => {
  always(({ payment, answer }, decision) => {
    if (answer.kind !== 'succeeded' || !isOpen(payment.status)) return;
    if (answer.amountMinor === payment.amountMinor) return;
    assert.notEqual(decision.to, 'DEBITED');
    const { operatorTxId, amountMinor } = answer;
    assert.deepEqual(decision.reverse, { reason: 'WRONG_AMOUNT', operatorTxId, amountMinor });
  });
});

test('what goes back is what the operator reported, and nothing goes back without a debit', () => {
  always(({ answer }, { reverse }) => {
    if (!reverse) return;
    assert.ok(answer.kind === 'succeeded');
    assert.equal(reverse.operatorTxId, answer.operatorTxId);
    assert.equal(reverse.amountMinor, answer.amountMinor);
  });
});

test('no debit is dropped: the payment takes it, or it goes back, or it was taken before', () => {
  always(({ payment, answer }, { to, reverse }) => {
    if (answer.kind !== 'succeeded') return;
    const takenBefore = payment.operatorTxId === answer.operatorTxId;
    assert.equal([to === 'DEBITED', reverse !== undefined, takenBefore].filter(Boolean).length, 1);
  });
});

test('an unknown outcome is never a failure, and before the expiry it never ends a payment', () => {
  always(({ payment, answer, nowMs }, { to }) => {
    if (answer.kind !== 'unknown') return;
    assert.notEqual(to, 'FAILED');
    if (nowMs < payment.expiresAtMs) assert.ok(to === undefined || to === 'USER_CONFIRMING');
  });
});

test('a payment is EXPIRED at its expiry at the earliest, unless the operator says so', () => {
  always(({ payment, answer, nowMs }, { to, failureCode }) => {
    if (to !== 'EXPIRED') return;
    assert.equal(failureCode, 'CONFIRMATION_TIMEOUT');
    const isSaid = answer.kind === 'failed' && answer.failureCode === 'CONFIRMATION_TIMEOUT';
    assert.ok(isSaid || nowMs >= payment.expiresAtMs);
  });
});

test('while the operator is not definite, a payment that was sent stays due, EXPIRED or not', () => {
  always(({ payment, answer, nowMs, timing }, decision) => {
    if (answer.kind !== 'unknown' || payment.sentAtMs === null || payment.dueAtMs === null) return;
    if (debitedStatuses.some((status) => status === payment.status) || decision.resend) return;
    const isOver = nowMs > payment.sentAtMs + requestLengthMs(timing);
    if (answer.progress === 'NOT_FOUND' && isOver) return;
    assert.ok(decision.dueAtMs != null, 'it is looked at again');
    const isAtALimit = decision.dueAtMs === payment.expiresAtMs + timing.expiryGraceMs;
    assert.ok(decision.dueAtMs > nowMs || isAtALimit, 'and not before now');
    assert.ok(decision.dueAtMs <= nowMs + timing.longestAskGapMs);
  });
});

test('a debit is sent again only where the operator does not know it, after its time-out, before the expiry', () => {
  always(({ payment, answer, nowMs, timing }, { resend, to }) => {
    const mayArrive =
      payment.sentAtMs === null || nowMs <= payment.sentAtMs + requestLengthMs(timing);
    const isUnheard = answer.kind === 'unknown' && answer.progress === 'NOT_FOUND' && !mayArrive;
    assert.equal(
      resend === true,
      isUnheard && isOpen(payment.status) && nowMs < payment.expiresAtMs,
    );
    if (resend) assert.equal(to, undefined);
  });
});

test('heard twice, an answer changes nothing the second time', () => {
  always(({ payment, answer, nowMs, timing }, decision) => {
    if (!decision.to) return;
    const moved = {
      ...payment,
      status: decision.to,
      operatorTxId: decision.operatorTxId ?? null,
      dueAtMs: decision.dueAtMs ?? null,
    };
    const again = decide(moved, answer, nowMs, timing);
    assert.equal(again.to, undefined);
    // One debit is reversed once, so it may be reported again.
    if (!decision.reverse) assert.equal(again.reverse, undefined);
  });
});
