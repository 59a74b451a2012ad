import type { Mutation } from './list.ts';

const limits = {
  test: 'server/src/app/processes/limits.test.ts',
};
const whole = { test: 'server/test/processes/processes.test.ts' };
const folder = 'server/src/app/processes';

/** Faults of several processes on one machine: their starts, deaths and restarts, and what they share. */
export const processMutations: readonly Mutation[] = [
  {
    name: 'processes: a lot that is leased costs one token only',
    file: `${folder}/shared-limits.ts`,
    find: '    if (more > 0) limiter.charge(asked.key, more, nowMs);\n',
    replace: '',
    ...limits,
  },
  {
    name: 'processes: large lots leave nothing for the other processes',
    file: `${folder}/shared-limits.ts`,
    find: 'Math.floor(first.left / (4 * this.#processes))',
    replace: 'first.left',
    ...limits,
  },
  {
    name: 'processes: without the primary everything is let through',
    file: `${folder}/leased-buckets.ts`,
    find: 'hear(this.#own.take(key, nowMs));',
    replace: 'hear({ allowed: true, left: 0, fullInMs: 0, retryInMs: 0 });',
    ...limits,
  },
  {
    name: 'processes: without the primary each process has the whole limit',
    file: `${folder}/leased-buckets.ts`,
    find: 'Math.max(1, Math.floor(limit.burst / processes))',
    replace: 'limit.burst',
    ...limits,
  },
  {
    name: 'processes: tokens that come too late are lost',
    file: `${folder}/leased-buckets.ts`,
    find: '        if (first.allowed) this.#tell(key, -(1 + more));\n',
    replace: '',
    ...limits,
  },
  {
    name: 'processes: tokens that nobody took never go back',
    file: `${folder}/leased-buckets.ts`,
    find: '      if (lease.tokens > 0) this.#tell(key, -lease.tokens);\n',
    replace: '',
    ...limits,
  },
  {
    name: 'processes: what a request cost is taken from its own process only',
    file: `${folder}/leased-buckets.ts`,
    find: '    if (tokens > here) this.#tell(key, tokens - here);\n',
    replace: '',
    ...limits,
  },
  {
    name: 'processes: the pages of a process that died stay open for ever',
    file: `${folder}/shared-limits.ts`,
    find: '.keys() ?? []) this.leave(worker, id);',
    replace: '.keys() ?? []) void id;',
    ...limits,
  },
  {
    name: 'processes: a page that was let in too late stays counted',
    file: `${folder}/leased-pages.ts`,
    find: "    const forget = () => this.#link.tell({ type: 'PAGE_CLOSED', id });\n",
    replace: '    const forget = () => {};\n',
    ...limits,
  },
  {
    name: 'processes: each has all connections to the database',
    file: `${folder}/shares.ts`,
    find: 'databaseConnections: share(config.databaseConnections)',
    replace: 'databaseConnections: config.databaseConnections',
    test: 'server/src/app/processes/shares.test.ts',
  },
  {
    name: 'processes: each makes as many calls to an operator as the machine may',
    file: `${folder}/shares.ts`,
    find: 'maxCalls: share(settings.maxCalls)',
    replace: 'maxCalls: settings.maxCalls',
    test: 'server/src/app/processes/shares.test.ts',
  },
  {
    name: 'processes: more of them than connections are started',
    file: 'server/src/config/config.ts',
    find: '  problems.push(...sharingProblems(values, operators));\n',
    replace: '',
    test: 'server/src/app/processes/shares.test.ts',
  },
  {
    name: 'processes: a connection on its way to a process that dies is forgotten',
    file: `${folder}/handed-over.ts`,
    find: "  worker.on('exit', reclaim);\n",
    replace: '',
    only: 'a connection that a process had not taken yet when it died is answered by another',
    ...whole,
  },
  {
    name: 'processes: nobody takes the place of one that died',
    file: `${folder}/processes.ts`,
    find: '      return this.#revive(worker.slot);\n',
    replace: '',
    only: 'a process that is killed under load fails only the requests that it had, and is replaced',
    ...whole,
  },
  {
    name: 'processes: a restart ends all processes at once',
    file: `${folder}/processes.ts`,
    find: 'if (!old.isLeaving) await this.#replace(old);',
    replace: 'old.stop("STOP");',
    only: 'SIGHUP replaces all processes under load, and no request fails',
    ...whole,
  },
  {
    name: 'processes: why one cannot start is not told',
    file: `${folder}/worker.ts`,
    find: '    await tellFailure(error, log);\n',
    replace: '',
    only: 'a start that fails is explained once, in words',
    ...whole,
  },
  {
    name: 'processes: each counts the requests of a tenant for itself',
    file: `${folder}/machine.ts`,
    find: 'new LeasedBuckets(name, limit, link, processes)',
    replace: 'new LeasedBuckets(name + process.pid, limit, link, processes)',
    only: 'the rate limit of a tenant is one for all processes',
    ...whole,
  },
  {
    name: 'processes: what one that died had counted falls out of the sums',
    file: `${folder}/figures.ts`,
    find: '      this.#gone = await all.getMetricsAsJSON();\n',
    replace: '      await all.getMetricsAsJSON();\n',
    only: 'whichever process is asked, /metrics tells of all, and counts on when one died',
    ...whole,
  },
];
