import type { Mutation } from './list.ts';

const returns = 'server/test/operators/returns.test.ts';
const clashes = 'server/test/operators/clashes.test.ts';
const setBack = 'server/test/operators/set-back.test.ts';
const olderLedger = 'server/test/older-ledger.test.ts';
const checkTransactions = 'server/src/ledger/check-transactions.test.ts';

/** A transaction is booked once. */
export const transactionMutations: Mutation[] = [
  {
    name: 'money: a payment is debited although its transaction is booked for another',
    file: 'server/src/payments/transition-store.ts',
    find: `hasBookings ? \` AND \${isBookedWhereItMustBe}\` : ''`,
    replace: `hasBookings ? ' AND true' : ''`,
    test: clashes,
    only: 'one transaction for two payments',
  },
  {
    name: 'money: a debit is given back although its transaction is booked for another',
    file: 'server/src/reversals/store.ts',
    find: 'WHERE account IS NULL OR EXISTS (SELECT FROM booked)',
    replace: 'WHERE account IS NULL OR NOT EXISTS (SELECT FROM booked WHERE false)',
    test: clashes,
    only: 'is not given back for another',
  },
  {
    name: 'money: nobody is told that a transaction is booked for another payment',
    file: 'server/src/payments/record-answer.ts',
    find: 'if (account !== null && (await isClash(dependencies, payment, change, account))) {',
    replace:
      'if (account === undefined && (await isClash(dependencies, payment, change, account))) {',
    test: clashes,
    only: 'one transaction for two payments',
  },
  {
    name: 'money: what was booked before accounts were kept is booked again',
    file: 'server/src/operators/bookings.ts',
    find: "old.account IN ('', ",
    replace: "old.account IN ('-', ",
    test: clashes,
    only: 'before accounts were kept',
  },
  {
    name: 'money: the debit of another payment counts as what gave back a refund',
    file: 'server/src/operators/bookings.ts',
    find: "['operator_transactions', 'outgoing_transactions']",
    replace: "['outgoing_transactions']",
    test: returns,
    only: 'what debited one payment gives back no',
  },
  {
    name: 'money: what gave back a refund debits a payment too',
    file: 'server/src/operators/bookings.ts',
    find: "['operator_transactions', 'outgoing_transactions']",
    replace: "['operator_transactions']",
    test: returns,
    only: 'what gave back one refund debits no payment',
  },
  {
    name: 'money: a return of before is entered under the debit of another payment',
    file: 'server/src/review/enter-returns.ts',
    find: 'AND (d.tenant_id, d.payment_id) <> (r.tenant_id, r.payment_id)',
    replace: 'AND false',
    test: 'server/src/review/enter-returns.test.ts',
    only: 'by the debit of another payment',
  },
  {
    name: 'money: a transaction in capitals debits a second payment',
    file: 'server/src/operators/names.ts',
    find: 'THEN ARRAY[lower(${name}), upper(${name}), ${name}] ELSE',
    replace: 'THEN ARRAY[${name}, ${name}] ELSE',
    test: 'server/test/operators/spellings.test.ts',
    only: 'a UUID debits one payment',
  },
  {
    name: 'money: a batch books transactions in the order of its payments',
    file: 'server/src/operators/bookings.ts',
    find: '  ORDER BY operator, account, spellings[1]\n',
    replace: '',
    test: 'server/src/operators/bookings.test.ts',
  },
  {
    name: 'money: a transaction that is booked is told of as unknown too',
    file: 'server/src/callbacks/subjects.ts',
    find: '  if (!isHeld) return;\n',
    replace: '',
    test: setBack,
    only: 'a transaction that is booked',
  },
  {
    name: 'money: the check does not look at the transactions that are booked',
    file: 'server/src/ledger/check.ts',
    find: '    ...(await transactionProblems(snapshot)),\n',
    replace: '',
    test: checkTransactions,
  },
  {
    name: 'money: the check tells for ever of what a person has looked at',
    file: 'server/src/ledger/check-transactions.ts',
    find: "AND i.detail->>'operatorTxId' = held.operator_tx_id",
    replace: "AND i.detail->>'operatorTxId' IS NULL",
    test: checkTransactions,
  },
  {
    name: 'money: a migration takes the latest booking of a transaction for the good one',
    file: 'server/migrations/0008-money-at-the-edges.sql',
    find: 'ORDER BY created_at, payment_id, kind\n',
    replace: 'ORDER BY created_at DESC, payment_id, kind\n',
    test: olderLedger,
  },
  {
    name: 'money: a migration takes a refund that is under way for one that never left',
    file: 'server/migrations/0008-money-at-the-edges.sql',
    find: "UPDATE refunds SET sent_at = updated_at WHERE status = 'PROCESSING';\n",
    replace: '',
    test: olderLedger,
  },
];
