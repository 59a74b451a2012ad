import type { Mutation } from './list.ts';

const unit = 'server/src/api-requests/api-requests.test.ts';
const flow = 'server/test/flows/api-requests.test.ts';

/** Faults of the log of API requests. */
export const requestMutations: Mutation[] = [
  {
    name: 'requests: the log holds the address that was asked for',
    file: 'server/src/http/answered.ts',
    find: 'request.routeOptions.url ?? null',
    replace: 'request.raw.url!',
    test: flow,
  },
  {
    name: 'requests: nobody is told why one was refused',
    file: 'server/src/http/errors.ts',
    find: '  request.errorCode = refusal.code;\n',
    replace: '',
    test: flow,
  },
  {
    name: 'requests: what succeeds leaves no room for what fails',
    file: 'server/src/api-requests/recorder.ts',
    find: 'hasFailed(request) ? lanes.failed : lanes.succeeded',
    replace: 'lanes.succeeded',
    test: unit,
  },
  {
    name: 'requests: a flood is not bounded',
    file: 'server/src/api-requests/recorder.ts',
    find: 'lane.requests.length >= Math.min(mostOfTenant, share)',
    replace: 'lane.requests.length >= Number.POSITIVE_INFINITY * share',
    test: unit,
  },
  {
    name: 'requests: what was not deflated cannot be read',
    file: 'server/src/api-requests/request.ts',
    find: 'entries[0] === plainStart',
    replace: 'entries.length === plainStart',
    test: unit,
  },
  {
    name: 'requests: what the database did not take is lost',
    file: 'server/src/api-requests/recorder.ts',
    find: '    if (this.#unwritten.length === 0) this.#unwritten = await this.#takeChunks();',
    replace: '    this.#unwritten = await this.#takeChunks();',
    test: unit,
  },
  {
    name: 'requests: a page ends before what another process wrote',
    file: 'server/src/api-requests/list.ts',
    find: 'const sure = found.filter(({ atMs }) => atMs > sureFromMs).length;',
    replace: 'const sure = found.length;',
    test: unit,
  },
  {
    name: 'requests: small chunks are put together and lost',
    file: 'server/src/api-requests/store.ts',
    find: 'await insertChunks(transaction, [await merge(taken)]);',
    replace: 'await merge(taken);',
    test: unit,
  },
  {
    name: 'requests: failures are kept for ever',
    file: 'server/src/api-requests/worker.ts',
    find: '? { most: kept.failed, fromMs: failedFromMs }',
    replace: '? { most: kept.failed, fromMs: 0 }',
    test: unit,
  },
  {
    name: 'requests: a phone stands in the id of one',
    file: 'server/src/api-requests/recorder.ts',
    find: 'requestId: keptId(request.requestId),',
    replace: '',
    test: unit,
  },
];
