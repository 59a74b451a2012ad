export interface Fault {
  name: string;
  file: string;
  find: string;
  replace: string;
  /** The test that must go red. */
  test: string;
}

const money = 'server/test/simulation/money.test.ts';
const payments = 'server/test/flows/payments.test.ts';
const settlements = 'server/test/flows/settlements.test.ts';

export const faults: Fault[] = [
  {
    name: 'the fee is posted twice',
    file: 'server/src/ledger/posting.ts',
    find: "to: 'payable', amountMinor: netMinor }",
    replace: "to: 'payable', amountMinor: payment.amountMinor }",
    test: money,
  },
  {
    name: 'a cut does not reset what is unsettled',
    file: 'server/src/settlements/unsettled-store.ts',
    find: 'gross_minor = 0, fee_minor = 0, refund_minor = 0,',
    replace: '',
    test: money,
  },
  {
    name: 'a cut does not open the next period',
    file: 'server/src/settlements/unsettled-store.ts',
    find: 'UPDATE unsettled SET period = period + 1,',
    replace: 'UPDATE unsettled SET period = period,',
    test: settlements,
  },
  {
    name: 'a failed settlement keeps what it took',
    file: 'server/src/settlements/finish.ts',
    find: '    await releasePeriods(transaction, seen);\n',
    replace: '',
    test: settlements,
  },
  {
    name: 'a failed settlement keeps its periods',
    file: 'server/src/settlements/unsettled-store.ts',
    find: 'SET settlement_id = NULL WHERE tenant_id = $1 AND settlement_id = $3',
    replace: 'SET settlement_id = $3 WHERE tenant_id = $1 AND settlement_id = $3',
    test: settlements,
  },
  {
    name: 'two settlements of a currency may be open',
    file: 'server/migrations/0002-money-after-the-debit.sql',
    find: 'CREATE UNIQUE INDEX settlements_open',
    replace: 'CREATE INDEX settlements_open',
    test: settlements,
  },
  {
    name: 'a transition is no compare-and-set',
    file: 'server/src/payments/store.ts',
    find: 'AND p.version = t.seen_version',
    replace: '',
    test: 'server/src/payments/store.test.ts',
  },
  {
    name: 'a late debit is dropped',
    file: 'server/src/payments/decide.ts',
    find: "return { dueAtMs: null, reverse: { ...debitOf(answer), reason: 'LATE_DEBIT' } };",
    replace: 'return { dueAtMs: null };',
    test: payments,
  },
  {
    name: 'what a refund takes out is not counted as refunded in the settlement',
    file: 'server/src/ledger/append.ts',
    find: "CASE kind WHEN 'refund_out' THEN amount_minor",
    replace: "CASE kind WHEN 'refund_out' THEN 0",
    test: money,
  },
  {
    name: 'payments of a completed settlement are told of from the beginning again',
    file: 'server/src/settlements/tell.ts',
    find: 'after ?? beginning',
    replace: 'beginning ?? after',
    test: settlements,
  },
  {
    name: 'a refund reserves nothing',
    file: 'server/src/refunds/store.ts',
    find: 'refund_reserved_minor = p.refund_reserved_minor + created.amount_minor',
    replace: 'refund_reserved_minor = p.refund_reserved_minor',
    test: 'server/test/flows/refunds.test.ts',
  },
  {
    name: 'a refund that succeeded releases its reservation',
    file: 'server/src/refunds/store.ts',
    find: 'refund_reserved_minor = p.refund_reserved_minor - moved.released_minor,',
    replace:
      'refund_reserved_minor = p.refund_reserved_minor - moved.released_minor - moved.refunded_minor,',
    test: money,
  },
  {
    name: 'the attempt slot of a session is not taken',
    file: 'server/src/checkout/slot.ts',
    find: 'AND NOT s.attempt_in_flight AND',
    replace: 'AND',
    test: 'server/test/flows/payment-page.test.ts',
  },
  {
    name: 'the attempt slot of a session is never released',
    file: 'server/src/checkout/slot.ts',
    find: 'attempt_in_flight = false,',
    replace: 'attempt_in_flight = true,',
    test: 'server/test/flows/payment-page.test.ts',
  },
  {
    name: 'two attempts of a session are under way',
    file: 'server/src/checkout/slot.ts',
    find: 'AND NOT s.attempt_in_flight AND',
    replace: 'AND',
    test: money,
  },
  {
    name: 'a session that has ended takes another attempt',
    file: 'server/src/checkout/slot.ts',
    find: "AND s.status = 'OPEN' AND NOT s.attempt_in_flight AND",
    replace: 'AND NOT s.attempt_in_flight AND',
    test: money,
  },
  {
    name: 'a cancelled attempt keeps the slot of its session',
    file: 'server/src/checkout/slot.ts',
    find: "'EXPIRED', 'CANCELLED')",
    replace: "'EXPIRED')",
    test: money,
  },
  {
    name: 'a session expires under an attempt in flight',
    file: 'server/src/checkout/store.ts',
    find: "AND s.version = given.seen_version\n    AND s.status = 'OPEN' AND NOT s.attempt_in_flight",
    replace: "AND s.status = 'OPEN'",
    test: 'server/test/flows/payment-page.test.ts',
  },
];
