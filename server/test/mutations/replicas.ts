import type { Mutation } from './list.ts';

const failover = 'server/test/failover/failover.long.test.ts';
const patroni = 'server/test/patroni.test.ts';
const behind =
  'the standby was behind: what was lost is found by recover and reconcile, and nothing is sent twice';

/** Faults that a fail-over brings to light. */
export const replicaMutations: readonly Mutation[] = [
  {
    name: 'what survived a fail-over is sent without asking about it',
    file: 'server/src/payments/process.ts',
    find: "if (isUnsent && origin === 'MEMORY')",
    replace: 'if (isUnsent)',
    test: failover,
    only: behind,
  },
  {
    name: 'a debit that was lost with its payment is listed, and not held',
    file: 'server/src/recovery/debits.ts',
    find: '? holdUnknown(dependencies, moved)',
    replace: "? list(dependencies, moved, 'UNKNOWN_REFERENCE')",
    test: failover,
    only: behind,
  },
  {
    name: 'a gateway does not wait for the synchronous standby',
    file: 'server/src/postgres/database.ts',
    find: '`-c timezone=UTC -c datestyle=ISO',
    replace: '`-c synchronous_commit=local -c timezone=UTC -c datestyle=ISO',
    test: failover,
    only: 'killed, frozen, stopped, read-only, without its standby: nothing acknowledged is lost, and nothing is done twice',
  },
  {
    name: 'Patroni promotes a standby that is behind',
    file: 'deploy/patroni/patroni.yaml',
    find: 'synchronous_mode: true',
    replace: 'synchronous_mode: false',
    test: patroni,
  },
  {
    name: "times that break Patroni's rule",
    file: 'deploy/patroni/patroni.yaml',
    find: 'retry_timeout: 9',
    replace: 'retry_timeout: 10',
    test: patroni,
  },
  {
    name: 'HAProxy leads to any member',
    file: 'deploy/patroni/haproxy.cfg',
    find: 'uri /primary',
    replace: 'uri /health',
    test: patroni,
  },
];
