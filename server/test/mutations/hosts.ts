import type { Mutation } from './list.ts';

const hostsTest = 'server/src/postgres/hosts.test.ts';
const primaryTest = 'server/src/postgres/primary.test.ts';
const databaseTest = 'server/src/postgres/database.test.ts';
const outageTest = 'server/src/observability/outage.test.ts';
const outageFlow = 'server/test/flows/outage.test.ts';
const servers = 'server/test/failover/hosts.long.test.ts';

/** Faults of several hosts, and of what an outage of the database looks like. */
export const hostMutations: readonly Mutation[] = [
  {
    name: 'hosts: any server of several is taken',
    file: 'server/src/postgres/hosts.ts',
    find: "writing.includes(parameters.get('target_session_attrs') ?? 'read-write')",
    replace: 'writing.length > 0',
    test: hostsTest,
  },
  {
    name: 'hosts: clear text to the second one is not seen',
    file: 'server/src/postgres/unencrypted.ts',
    find: '.find((host) => host !== undefined)',
    replace: '.at(0)',
    test: hostsTest,
  },
  {
    name: 'hosts: a replaced primary is gone back to',
    file: 'server/src/postgres/primary.ts',
    find: 'timelineAt(index) > 0 && timelineAt(index) >= seen',
    replace: 'timelineAt(index) > 0',
    test: primaryTest,
  },
  {
    name: 'hosts: at the start the first answer counts',
    file: 'server/src/postgres/primary.ts',
    find: 'if (seen === 0 && answers.includes(undefined)) return undefined;',
    replace: '',
    test: primaryTest,
  },
  {
    name: 'hosts: what hangs at the old primary is waited for',
    file: 'server/src/postgres/pools.ts',
    find: 'for (const socket of sockets) socket.destroy();',
    replace: 'sockets.clear();',
    test: servers,
    only: 'a frozen primary',
  },
  {
    name: 'hosts: another pool of the process goes back to a replaced primary',
    file: 'server/src/postgres/primary.ts',
    find: 'newestSeen.get(this.#databaseUrl) ?? 0',
    replace: 'newestSeen.get(this.#databaseUrl + this.#doubts) ?? 0',
    test: servers,
    only: 'a frozen primary',
  },
  {
    name: 'outage: a read-only server is an error for good',
    file: 'server/src/postgres/transient.ts',
    find: '/^(08|25006|40|53|57)/',
    replace: '/^(08|40|53|57)/',
    test: databaseTest,
  },
  {
    name: 'outage: a connection that takes no writes is given back',
    file: 'server/src/postgres/database.ts',
    find: 'broken = isLoss(error);',
    replace: 'broken = false;',
    test: databaseTest,
    only: 'takes no writes',
  },
  {
    name: 'outage: what hangs in a transaction is waited for twice',
    file: 'server/src/postgres/database.ts',
    find: 'if (!broken) {',
    replace: 'if (client) {',
    test: databaseTest,
    only: 'what hangs',
  },
  {
    name: 'outage: it is answered as a fault of ours',
    file: 'server/src/http/errors.ts',
    find: 'if (outageOf(error)) return unavailable;',
    replace: '',
    test: outageFlow,
  },
  {
    name: 'outage: nobody is told when to come again',
    file: 'server/src/http/errors.ts',
    find: "reply.header('retry-after', String(retryAfterSeconds));",
    replace: '',
    test: outageFlow,
  },
  {
    name: 'outage: whatever fails because of it has a line of its own',
    file: 'server/src/observability/log.ts',
    find: 'level > debugLevel && outageOf(error)',
    replace: 'level < debugLevel && outageOf(error)',
    test: outageTest,
  },
  {
    name: 'outage: it is over with the first read that succeeds',
    file: 'server/src/observability/outage.ts',
    find: 'now - this.#present.failedMs >= quietMs',
    replace: 'now >= this.#present.failedMs',
    test: outageTest,
  },
  {
    name: 'readiness: a commit that hangs does not count',
    file: 'server/src/app/operational-routes.ts',
    find: 'look.isSynchronous && commits.hangs()',
    replace: 'look.isSynchronous && !commits',
    test: servers,
    only: 'whose commits wait',
  },
  {
    name: 'readiness: the time-out of a commit is taken for its end',
    file: 'server/src/app/commit-probe.ts',
    find: 'if (!isTransient(error)) this.#sinceMs = undefined;',
    replace: 'if (error) this.#sinceMs = undefined;',
    test: 'server/src/app/commit-probe.test.ts',
  },
  {
    name: 'doctor: commits that wait for nobody are taken for synchronous',
    file: 'server/src/doctor/replication.ts',
    find: "!['off', 'local'].includes(commit)",
    replace: 'commit.length > 0',
    test: 'server/src/doctor/replication.test.ts',
  },
];
