import type { Mutation } from './list.ts';

const test = 'server/test/simulation/simulation.test.ts';
const only = 'no invariant is broken';

/** Faults that a crowd of payments, under everything that may befall it, must bring to light. */
export const simulationMutations: readonly Mutation[] = [
  {
    name: 'simulation: a debit that comes to light late stays with us',
    file: 'server/src/payments/decide.ts',
    find: "return { dueAtMs: null, reverse: { ...debitOf(answer), reason: 'LATE_DEBIT' } };",
    replace: 'return { dueAtMs: null };',
    test,
    only,
  },
  {
    name: 'simulation: a transaction is the debit of two payments',
    file: 'server/src/operators/bookings.ts',
    find: '`(t.account IS NULL OR EXISTS (\n      SELECT FROM booked b WHERE b.tenant_id = t.tenant_id AND b.payment_id = t.id))`',
    replace: "'true'",
    test,
    only,
  },
  {
    name: 'simulation: the lease of a request ends as it begins',
    file: 'server/src/jobs/send-under-lease.ts',
    find: 'sending.renew(sentAtMs, sentAtMs + latestStartMs + lengthMs)',
    replace: 'sending.renew(sentAtMs, sentAtMs)',
    test,
    only,
  },
];
