import type { Mutation } from './list.ts';

const walkTest = 'server/test/browser/first-walk.test.ts';
const payment = 'server/src/console/pages/payment.ts';

/** Faults that leave a newcomer standing. */
export const firstWalkMutations: Mutation[] = [
  {
    name: 'first walk: home does not lead to the till',
    file: 'server/src/console/pages/home.ts',
    find: "visit.can('payments.charge') ? chargeButton(visit)",
    replace: "visit.can('settlements.create') && !visit ? chargeButton(visit)",
    test: walkTest,
  },
  {
    name: 'first walk: a test number cannot be pressed',
    file: 'server/src/console/assets/till.js',
    find: 'if (phone) fill(button.form, phone, country);',
    replace: '',
    test: walkTest,
  },
  {
    name: 'first walk: a refund that is done is said to be asked for',
    file: payment,
    find: "refunds.at(-1)?.status === 'SUCCEEDED'",
    replace: "refunds.at(-1)?.status === 'PENDING'",
    test: walkTest,
  },
  {
    name: 'first walk: the till offers a number that does something else',
    file: 'server/src/console/parts/test-phones.ts',
    find: "PAYER_DECLINED: failing('PAYER_DECLINED')",
    replace: "PAYER_DECLINED: failing('INSUFFICIENT_FUNDS')",
    test: 'server/src/console/parts/test-phones.test.ts',
  },
  {
    name: 'first walk: live tills offer test numbers',
    file: 'server/src/console/parts/payer.ts',
    find: "visit.mode === 'test' ? testPhones",
    replace: 'visit.mode ? testPhones',
    test: 'server/src/console/parts/test-phones.test.ts',
  },
];
