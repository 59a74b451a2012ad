import type { Mutation } from './list.ts';

const test = 'server/test/request-costs.test.ts';
const ofAllocations = 'a create, a get and a list of 20 allocate no more than they did';
const ofWal = 'a create writes no more WAL than it did, alone and in a batch';

/** Faults that make a request dearer and break nothing else. */
export const costMutations: readonly Mutation[] = [
  {
    name: 'costs: a list reads columns that it does not show',
    file: 'server/src/payments/list.ts',
    find: "import { shownColumns } from './store.ts';",
    replace: "import { paymentColumns as shownColumns } from './store.ts';",
    test,
    only: ofAllocations,
  },
  {
    name: 'costs: the body of a create is made twenty times',
    file: 'server/src/payments/create.ts',
    find: '  const json = paymentJson(payment);\n',
    replace:
      "  let json = '';\n  for (let made = 0; made < 20; made++) json = paymentJson(payment);\n",
    test,
    only: ofAllocations,
  },
  {
    name: 'costs: one more index of payments',
    file: 'server/migrations/0025-index-of-phones.sql',
    find: 'CREATE INDEX',
    replace: 'CREATE INDEX more ON payments (tenant_id, fee_minor, id);\nCREATE INDEX',
    test,
    only: ofWal,
  },
  {
    name: 'costs: an event holds its body twice',
    file: 'server/src/payments/store.ts',
    find: "event_body: ['text', ({ event }) => event.body],",
    replace: "event_body: ['text', ({ event }) => event.body + event.body],",
    test,
    only: ofWal,
  },
];
