import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId } from '../../src/platform/values/ids.ts';
import { brokenPromises } from './check.ts';
import type { Ledger } from './ledger.ts';
import type { SimulatedTransaction } from './simulator-process.ts';

const uuid = (digit: number) => `019aa5d4-e0fb-7000-8000-00000000000${digit}`;
const [paid, late, returned, refund] = [uuid(1), uuid(2), uuid(3), uuid(4)] as const;
const [disbursement, payout] = [uuid(5), uuid(6)] as const;

interface World {
  ledger: Ledger & { listed: Set<string>; clashed: Set<string>; owedMinor: Map<string, bigint> };
  transactions: SimulatedTransaction[];
  acknowledged: string[];
}

function transaction(
  number: number,
  type: SimulatedTransaction['type'],
  reference: string,
  amountMinor: number,
): SimulatedTransaction {
  return {
    number,
    type,
    transactionReference: `SIM${number}`,
    requestingOrganisationTransactionReference: reference,
    transactionStatus: 'completed',
    amountMinor: String(amountMinor),
    currency: 'CVE',
  };
}

/** A payment that was debited and partly refunded, and a payment whose late debit was returned. */
function rightWorld(): World {
  return {
    ledger: {
      payments: [
        { id: paid, status: 'PARTIALLY_REFUNDED', amountMinor: 10_000n, operatorTxId: 'SIM1' },
        { id: late, status: 'EXPIRED', amountMinor: 10_001n, operatorTxId: null },
      ],
      refunds: [
        {
          id: refund,
          status: 'SUCCEEDED',
          amountMinor: 400n,
          currency: 'CVE',
          operatorRefundId: 'SIM4',
        },
      ],
      reversals: [
        {
          id: returned,
          paymentId: late,
          status: 'SUCCEEDED',
          amountMinor: 10_001n,
          currency: 'CVE',
          operatorTxId: 'SIM2',
        },
      ],
      disbursements: [
        {
          id: disbursement,
          reference: payout,
          status: 'SUCCEEDED',
          amountMinor: 300n,
          operatorTxId: 'SIM5',
        },
      ],
      listed: new Set(),
      clashed: new Set(),
      owedMinor: new Map([['CVE', 9_300n]]),
    },
    transactions: [
      transaction(1, 'merchantpay', paid, 10_000),
      transaction(2, 'merchantpay', late, 10_001),
      transaction(3, 'reversal', returned, 10_001),
      transaction(5, 'disbursement', payout, 300),
      transaction(4, 'reversal', refund, 400),
    ],
    acknowledged: [formatId('pi', paid), formatId('pi', late)],
  };
}

/** The operator's balance, computed from its transactions. */
function problemsAfter(change: (world: World) => unknown): string[] {
  const world = rightWorld();
  change(world);
  const { ledger, transactions, acknowledged } = world;
  const sum = (type: string) =>
    transactions
      .filter((one) => one.type === type && one.transactionStatus === 'completed')
      .reduce((total, one) => total + BigInt(one.amountMinor), 0n)
      .toString();
  const [debitedMinor, reversedMinor] = [sum('merchantpay'), sum('reversal')];
  const disbursedMinor = sum('disbursement');
  const moved = { debitedMinor, reversedMinor, disbursedMinor };
  const totals = [{ currency: 'CVE', ...moved, pending: 0, succeedingLate: 0 }];
  return brokenPromises(ledger, { transactions, totals }, acknowledged);
}

const totalsDiffer = 'the operator has … CVE of ours, and owes … by the ledger';

/** Removes varying parts. */
const kindsOf = (problems: readonly string[]) =>
  problems.map((words) => words.replace(/\S*\d\S*/g, '…'));

const broken: [name: string, change: (world: World) => unknown, ...expected: string[]][] = [
  [
    'a payment is lost',
    ({ acknowledged }) => acknowledged.push(formatId('pi', uuid(9))),
    '… was acknowledged, and is lost',
  ],
  [
    'an order has two payments',
    ({ ledger }) => ledger.payments.push({ ...ledger.payments[1]!, id: uuid(9) }),
    'an order of … has … payments',
  ],
  [
    'a payment is open, and nobody knows',
    ({ ledger }) => (ledger.payments[1]!.status = 'OPERATOR_PENDING'),
    '… is stuck: OPERATOR_PENDING, and nothing queries it',
  ],
  [
    'a refund is open, and nobody knows',
    ({ ledger }) =>
      ledger.refunds.push({
        id: uuid(9),
        status: 'PROCESSING',
        amountMinor: 1n,
        currency: 'CVE',
        operatorRefundId: null,
      }),
    'the refund … is stuck: PROCESSING',
  ],
  [
    'a reversal is open, and nobody knows',
    ({ ledger }) => {
      ledger.reversals[0]!.status = 'PROCESSING';
    },
    'the reversal … is stuck: PROCESSING',
    'the return … of … is booked as PROCESSING',
  ],
  [
    'a customer is debited again',
    ({ transactions }) => transactions.push(transaction(5, 'merchantpay', paid, 10_000)),
    'the debit … of … for … is booked nowhere',
    totalsDiffer,
  ],
  [
    'a debit is under a reference that is none of ours',
    ({ transactions }) => transactions.push(transaction(5, 'merchantpay', uuid(9), 7)),
    'the debit … of … for … is booked nowhere',
    totalsDiffer,
  ],
  [
    'a payee is paid again',
    ({ transactions }) => transactions.push(transaction(6, 'disbursement', payout, 300)),
    'the disbursement … was paid … times',
    totalsDiffer,
  ],
  [
    'a disbursement is a success without a payout',
    ({ transactions }) => (transactions[3]!.transactionStatus = 'failed'),
    'the disbursement … is SUCCEEDED, and was never paid',
    totalsDiffer,
  ],
  [
    'a disbursement was given back, and paid',
    ({ ledger }) => {
      Object.assign(ledger.disbursements[0]!, { status: 'FAILED', operatorTxId: null });
      ledger.owedMinor.set('CVE', 9_600n);
    },
    'the disbursement … was paid, and is FAILED',
    totalsDiffer,
  ],
  [
    'a disbursement is open, and nobody knows',
    ({ ledger }) =>
      ledger.disbursements.push({
        id: uuid(9),
        reference: uuid(8),
        status: 'PROCESSING',
        amountMinor: 1n,
        operatorTxId: null,
      }),
    'the disbursement … is stuck: PROCESSING',
  ],
  [
    'a debit is credited, and goes back too',
    ({ ledger }) =>
      ledger.reversals.push({
        ...ledger.reversals[0]!,
        id: uuid(9),
        paymentId: paid,
        status: 'FAILED',
        amountMinor: 10_000n,
        operatorTxId: 'SIM1',
      }),
    'the debit … of … for … is credited, and is returned',
  ],
  [
    'a debit is credited to two payments',
    ({ ledger }) =>
      ledger.payments.push({ ...ledger.payments[0]!, id: uuid(9), amountMinor: 10_002n }),
    'the debit … of … for … is credited to … payments',
    'the debit … of … for … is booked for …',
    'the debit … of … for … is booked with …',
  ],
  [
    'a debit goes back twice',
    ({ ledger }) =>
      ledger.reversals.push({ ...ledger.reversals[0]!, id: uuid(9), status: 'FAILED' }),
    'the debit … of … for … is returned … times',
  ],
  [
    'a debit is booked with what a callback told',
    ({ ledger }) => {
      ledger.payments[0]!.amountMinor = 10_150n;
      ledger.owedMinor.set('CVE', 9_450n);
    },
    'the debit … of … for … is booked with …',
    totalsDiffer,
  ],
  [
    'a payment is a success without a debit',
    ({ transactions }) => (transactions[0]!.transactionStatus = 'failed'),
    '… is PARTIALLY_REFUNDED, and was never debited',
    totalsDiffer,
  ],
  [
    'a refund is made twice',
    ({ transactions }) => transactions.push(transaction(5, 'reversal', refund, 400)),
    'the return … of … was made … times',
    totalsDiffer,
  ],
  [
    'something is given back that nobody asked for',
    ({ transactions }) => transactions.push(transaction(5, 'reversal', uuid(9), 1)),
    'the return … of … was never requested',
    totalsDiffer,
  ],
  [
    'a refund failed, and was made',
    ({ ledger }) => Object.assign(ledger.refunds[0]!, { status: 'FAILED', operatorRefundId: null }),
    'the return … of … is booked as FAILED',
  ],
  [
    'a refund is of another amount',
    ({ ledger }) => (ledger.refunds[0]!.amountMinor = 401n),
    'the return … of … is booked with …',
  ],
  [
    'a refund is booked, and was never made',
    ({ transactions }) => transactions.pop(),
    'the return … is booked, and was never made',
    totalsDiffer,
  ],
  ['a cent is missing', ({ ledger }) => ledger.owedMinor.set('CVE', 9_301n), totalsDiffer],
  [
    'what is for a person excuses nothing else',
    ({ ledger, transactions }) => {
      ledger.listed.add(late);
      transactions.push(transaction(5, 'merchantpay', paid, 10_000));
    },
    'the debit … of … for … is booked nowhere',
    totalsDiffer,
  ],
];

for (const [name, change, ...expected] of broken) {
  test(`finds that ${name}`, () => {
    assert.deepEqual(kindsOf(problemsAfter(change)), expected);
  });
}

test('finds nothing if everything is right or in review', () => {
  const fine: ((world: World) => unknown)[] = [
    () => {},
    // The operator refuses to return the debit: it stays in suspense, listed for review.
    ({ ledger, transactions }) => {
      ledger.reversals[0]!.status = 'FAILED';
      ledger.owedMinor.set('CVE', 19_301n);
      transactions[2]!.transactionStatus = 'failed';
    },
    // The operator first reported another's transaction: it is booked for this payment, and a
    // person sees both.
    ({ ledger, transactions }) => {
      transactions.pop();
      ledger.clashed.add(refund);
    },
    // A debit with an unknown outcome that was made.
    ({ ledger, transactions }) => {
      const id = uuid(9);
      ledger.payments.push({ id, status: 'OPERATOR_PENDING', amountMinor: 7n, operatorTxId: null });
      ledger.listed.add(id);
      transactions.push(transaction(5, 'merchantpay', id, 7));
    },
    // A refund with an unknown outcome that was made.
    ({ ledger }) => {
      Object.assign(ledger.refunds[0]!, { status: 'PROCESSING', operatorRefundId: null });
      ledger.listed.add(refund);
      ledger.owedMinor.set('CVE', 9_700n);
    },
    // A disbursement with an unknown outcome that was paid.
    ({ ledger }) => {
      Object.assign(ledger.disbursements[0]!, { status: 'PROCESSING', operatorTxId: null });
      ledger.listed.add(disbursement);
      ledger.owedMinor.set('CVE', 9_600n);
    },
    // A refund that was found after it had failed.
    ({ ledger }) => {
      ledger.refunds[0]!.status = 'FAILED';
    },
  ];
  for (const [index, change] of fine.entries()) {
    assert.deepEqual(problemsAfter(change), [], `case ${index}`);
  }
});
