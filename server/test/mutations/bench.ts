import type { Mutation } from './list.ts';

const processor = 'bench/src/gateway/processor.ts';
const processorTest = 'bench/src/gateway/processor.test.ts';
const requestsTest = 'bench/src/load/requests.test.ts';
const loadTest = 'bench/src/gateway/load.test.ts';
const reportTest = 'bench/src/report/report.test.ts';
const suiteTest = 'bench/src/suite.test.ts';

/** Faults of the benchmark, which would print a wrong figure and say nothing. */
export const benchMutations: readonly Mutation[] = [
  {
    name: 'bench: the gateway is said to use what PostgreSQL uses',
    file: processor,
    find: 'gatewayMs: treeMs(stats, processId)',
    replace: 'gatewayMs: treeMs(stats, postgresId)',
    test: processorTest,
  },
  {
    name: 'bench: the backends of PostgreSQL are not counted',
    file: processor,
    find: 'if (ids.has(parent)) ids.add(id);',
    replace: 'if (ids.has(parent) && size === 0) ids.add(id);',
    test: processorTest,
  },
  {
    name: 'bench: what was used before the load counts as the requests’',
    file: 'bench/src/gateway/measure.ts',
    find: 'perRequest(after.gatewayMs - before.gatewayMs)',
    replace: 'perRequest(after.gatewayMs)',
    test: processorTest,
  },
  {
    name: 'bench: no create is repeated',
    file: 'bench/src/load/requests.ts',
    find: 'repeats ? this.#fresh - repeatedAfter : this.#fresh++',
    replace: 'this.#fresh++',
    test: requestsTest,
  },
  {
    name: 'bench: what is repeated has not been answered yet',
    file: 'bench/src/load/requests.ts',
    find: 'this.#fresh - repeatedAfter',
    replace: 'this.#fresh - 1',
    test: requestsTest,
  },
  {
    name: 'bench: refused requests count as answered',
    file: 'bench/src/load/main.ts',
    find: 'if (status !== 200) throw',
    replace: 'if (status >= 500) throw',
    test: loadTest,
    only: 'a load whose requests are refused has no rate',
  },
  {
    name: 'bench: the warm-up counts for the rate',
    file: 'bench/src/load/recorder.ts',
    find: 'if (this.#window.counts(nowMs)) this.#ended += 1;',
    replace: 'this.#ended += 1;',
    test: loadTest,
    only: 'a load counts what ends in the time that counts, and tells when that begins and ends',
  },
  {
    name: 'bench: pages of sessions are not opened',
    file: 'bench/src/load/main.ts',
    find: 'if (!opened) return body;',
    replace: 'if (opened) return body;',
    test: loadTest,
    only: 'a session is done when its customer has opened the page',
  },
  {
    name: 'bench: a redelivery ends with its first event',
    file: 'bench/src/load/counting-receiver.ts',
    find: 'if (count === expected)',
    replace: 'if (count === 1)',
    test: 'bench/src/load/counting-receiver.test.ts',
  },
  {
    name: 'bench: the median is of figures sorted as text',
    file: 'bench/src/report/summary.ts',
    find: '.sort((a, b) => a - b)',
    replace: '.sort()',
    test: reportTest,
  },
  {
    name: 'bench: a limit that must be reached must not be passed',
    file: 'bench/src/report/limits.ts',
    find: 'spread.median >= atLeast',
    replace: 'spread.median <= atLeast',
    test: reportTest,
  },
  {
    name: 'bench: a rate given to an open loop counts as the best of a sweep',
    file: 'bench/src/figures.ts',
    find: '/^(\\d+\\.)?perSecond$/',
    replace: '/perSecond$/',
    test: reportTest,
  },
  {
    name: 'bench: a slow machine is not told of',
    file: 'bench/src/report/doubts.ts',
    find: 'const fastest = Math.min(',
    replace: 'const fastest = Math.max(',
    test: reportTest,
  },
  {
    name: 'bench: a ratio short of its limit is drawn as if it reached it',
    file: 'bench/src/report/bar-chart.ts',
    find: '[spread.median, atLeast!]',
    replace: '[spread.median / 1.1]',
    test: reportTest,
  },
  {
    name: 'bench: gets alone are measured without their floor',
    file: 'bench/src/scenarios/history.ts',
    find: "      ...floor(['SELECT by primary key', 'select', 'select']),\n",
    replace: '',
    test: suiteTest,
  },
  {
    name: 'bench: what there is not to measure ends as if it had been',
    file: 'bench/src/main.ts',
    find: '  process.exit(2);',
    replace: '  process.exit(0);',
    test: suiteTest,
    only: 'what there is not to measure is refused before anything starts',
  },
];
