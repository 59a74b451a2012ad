import type { Mutation } from './list.ts';

const lists = 'server/test/operators/recover-lists.test.ts';
const twoStates = 'server/test/operators/recover-two-states.test.ts';

/** Faults in how words of an operator that can mean two things are read. */
export const operatorWordMutations: Mutation[] = [
  {
    name: 'operators: a point before thousands is read as one before decimals',
    file: 'server/src/operators/amount.ts',
    find: '(?!\\d{3}$)',
    replace: '',
    test: 'server/test/operators/live-payments.test.ts',
    only: 'a point before thousands',
  },
  {
    name: 'recover: of a debit that one list calls done and reversed only the first word counts',
    file: 'server/src/recovery/debits.ts',
    find: 'known.expected.get(canonicalName(transaction.operatorTxId))',
    replace: 'undefined',
    test: twoStates,
    only: 'a debit that succeeded and was reversed',
  },
  {
    name: 'recover: of a refund that one list calls done and failed only the first word counts',
    file: 'server/src/recovery/recover.ts',
    find: '.filter((each) => !isOpen(each) && !isFailed(each))',
    replace: '.filter((each) => !isOpen(each))',
    test: twoStates,
    only: 'a refund that is finished and failed',
  },
  {
    name: 'recover: a debit of a bill is no customer’s money',
    file: 'server/src/operators/gsma/transactions.ts',
    find: 'type === undefined || comingIn.includes(type)',
    replace: "type === 'merchantpay'",
    test: lists,
    only: 'whatever the operator calls it',
  },
  {
    name: 'recover: what another type and a lost reference have is no customer’s money',
    file: 'server/src/recovery/recover.ts',
    find: "kind === 'OTHER' && reference === null",
    replace: "kind === 'OTHER' && !subject",
    test: lists,
    only: 'under a reference such as ours',
  },
  {
    name: 'callbacks: what a forgotten refund gave back can be refunded again',
    file: 'server/src/callbacks/unknown-returns.ts',
    find: "booked: 'nothing', told, reserved",
    replace: "booked: 'nothing', told",
    test: 'server/test/operators/forgotten-returns.test.ts',
    only: 'what went back cannot be refunded',
  },
  {
    name: 'callbacks: what a callback tells of a forgotten refund is believed',
    file: 'server/src/callbacks/unknown-returns.ts',
    find: "if (answer.kind !== 'succeeded') return answer.kind === 'failed';",
    replace:
      "if (answer.kind !== 'succeeded') Object.assign(answer, { operatorTxId: reference, amountMinor });",
    test: 'server/test/operators/forgotten-returns.test.ts',
    only: 'unless the operator confirms it',
  },
];
