import type { Mutation } from './list.ts';

const cancelled = 'server/test/operators/cancelled-unsent.test.ts';
const statements = 'server/test/operators/statements-of-lives.test.ts';
const simulation = 'server/test/simulation/simulation.test.ts';
const simulator = 'server/src/operators/simulator/simulator.test.ts';

/** Faults of what a payment becomes after its creation, in as few statements as there are unknowns. */
export const lifeMutations: readonly Mutation[] = [
  {
    name: 'lives: a request leaves although a cancellation was committed before it',
    file: 'server/src/jobs/send-under-lease.ts',
    find: "if (row === undefined) return { kind: 'LOST' };",
    replace: 'if (row === undefined) await sending.send(row as never).then(() => {}, () => {});',
    test: cancelled,
    only: 'never reaches the operator',
  },
  {
    name: 'lives: the fence heeds neither version nor lease',
    file: 'server/src/payments/transition-store.ts',
    find: 'AND p.version = t.seen_version\n    AND (t.lease IS NULL OR p.due_at = t.lease)',
    replace: '',
    test: cancelled,
    only: 'leaves no record',
  },
  {
    name: 'lives: steps and ends of payments wait for each other',
    file: 'server/src/payments/transition.ts',
    find: '(isStep(transition) ? steps : ends)',
    replace: 'ends',
    test: statements,
  },
  {
    name: 'lives: a simulated debit is written apart from its request',
    file: 'server/src/payments/send.ts',
    find: "if (payment.status === 'CREATED')\n    request.record",
    replace: "if (payment.status === 'DEBITED')\n    request.record",
    test: statements,
  },
  {
    name: 'lives: two processes do one step of the simulator',
    file: 'server/src/operators/simulator/store.ts',
    find: 'AND (given.seen_due_at IS NULL OR s.due_at = given.seen_due_at)',
    replace: '',
    test: simulator,
    only: 'each step once',
  },
  {
    name: 'simulation: a debit that comes to light late stays with us',
    file: 'server/src/payments/decide.ts',
    find: "return { dueAtMs: null, reverse: { ...debitOf(answer), reason: 'LATE_DEBIT' } };",
    replace: 'return { dueAtMs: null };',
    test: simulation,
    only: 'no invariant is broken',
  },
  {
    name: 'simulation: a transaction is the debit of two payments',
    file: 'server/src/operators/bookings.ts',
    find: '`(t.account IS NULL OR EXISTS (\n      SELECT FROM booked b WHERE b.tenant_id = t.tenant_id AND b.payment_id = t.id))`',
    replace: "'true'",
    test: simulation,
    only: 'no invariant is broken',
  },
  {
    name: 'simulation: the lease of a request ends as it begins',
    file: 'server/src/jobs/send-under-lease.ts',
    find: 'sending.renew(sentAtMs, sentAtMs + latestStartMs + lengthMs)',
    replace: 'sending.renew(sentAtMs, sentAtMs)',
    test: simulation,
    only: 'no invariant is broken',
  },
];
