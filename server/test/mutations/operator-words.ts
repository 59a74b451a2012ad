import type { Mutation } from './list.ts';

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
];
