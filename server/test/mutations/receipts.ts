import type { Mutation } from './list.ts';

const flow = 'server/test/flows/receipts.test.ts';
const page = 'server/src/receipts/page.ts';

/** Faults of receipts. */
export const receiptMutations: Mutation[] = [
  {
    name: 'receipts: a link dies with the secret key',
    file: 'server/src/app/compose/base.ts',
    find: 'receiptLinks: createReceiptLinks({ ...dependencies, digestKey }),',
    replace:
      'receiptLinks: createReceiptLinks({ ...dependencies, digestKey: { open: async () => secretKey } }),',
    test: flow,
  },
  {
    name: 'receipts: any link opens',
    file: 'server/src/checkout/receipt-link.ts',
    find: 'return key !== undefined && timingSafeEqual(',
    replace: 'return key !== undefined || timingSafeEqual(',
    test: flow,
  },
  {
    name: 'receipts: one that is not paid looks like one',
    file: page,
    find: 'wasPaid(state) ? own.paid : own.asked',
    replace: 'own.paid',
    test: flow,
  },
  {
    name: 'receipts: the whole phone is shown',
    file: page,
    find: 'endOfPhone(operatorPhone)',
    replace: 'operatorPhone',
    test: flow,
  },
  {
    name: 'receipts: what was given back remains paid',
    file: page,
    find: 'amount(payment.amountMinor - givenBackMinor',
    replace: 'amount(payment.amountMinor',
    test: flow,
  },
  {
    name: 'receipts: who tries links is not slowed down',
    file: 'server/src/receipts/routes.ts',
    find: '    ...dependencies,\n    noun',
    replace: "    ...dependencies,\n    unknownLinks: 'off',\n    noun",
    test: flow,
  },
  {
    name: 'receipts: a live receipt says that it is a test',
    file: 'server/src/receipts/page.ts',
    find: "banner: shop.mode === 'test' ?",
    replace: 'banner: shop.mode ?',
    test: 'server/test/flows/receipts.test.ts',
  },
];
