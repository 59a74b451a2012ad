import type { Mutation } from './list.ts';

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
];
