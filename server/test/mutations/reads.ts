import type { Mutation } from './list.ts';

const read = 'server/src/payments/read.test.ts';
const view = 'server/src/payments/view.test.ts';

/** Faults of what is read: payments in groups, lists, and the JSON of both. */
export const readMutations: Mutation[] = [
  {
    name: 'reads: a get joins a statement that was sent before it came',
    file: 'server/src/payments/read.ts',
    find: '  return (tenantId, id) => batcher.submit({ tenantId, id });',
    replace: `  const open = new Map<string, ReturnType<ReadPayment>>();
  return (tenantId, id) => {
    const asked = tenantId + id;
    const answer = open.get(asked) ?? batcher.submit({ tenantId, id });
    open.set(asked, answer);
    return answer.finally(() => open.delete(asked));
  };`,
    test: read,
  },
  {
    name: 'reads: what was read before is answered again',
    file: 'server/src/payments/read.ts',
    find: '  return (tenantId, id) => batcher.submit({ tenantId, id });',
    replace: `  const known = new Map<string, ReturnType<ReadPayment>>();
  return (tenantId, id) => {
    const asked = tenantId + id;
    if (!known.has(asked)) known.set(asked, batcher.submit({ tenantId, id }));
    return known.get(asked)!;
  };`,
    test: 'server/test/flows/processes.test.ts',
    only: 'what one process has answered another reads, however many read at once',
  },
  {
    name: 'reads: payments of a group are read without their tenant',
    file: 'server/src/payments/read.ts',
    find: 'WHERE p.tenant_id = given.tenant_id AND p.id = given.id',
    replace: 'WHERE p.id = given.id',
    test: read,
  },
  {
    name: 'reads: the payments of a group are given to those who wait in the order in which they were found',
    file: 'server/src/payments/read.ts',
    find: 'for (const row of rows) found[row.place - 1] = row;',
    replace: 'for (const [index, row] of rows.entries()) found[index] = row;',
    test: read,
  },
  {
    name: 'reads: each get is a statement of its own',
    file: 'server/src/payments/read.ts',
    find: '    maxItems,\n    maxInFlight,',
    replace: '    maxItems: 1,\n    maxInFlight: 64,',
    test: 'server/test/flows/payments.test.ts',
    only: 'gets that come together are few statements, and one that comes alone is one',
  },
  {
    name: 'reads: a group of gets is of any size',
    file: 'server/src/payments/read.ts',
    find: 'const maxItems = 64;',
    replace: 'const maxItems = 100_000;',
    test: read,
  },
  {
    name: 'reads: a payment that cannot be read takes its group with it',
    file: 'server/src/jobs/batcher.ts',
    find: 'if (!isTransient(error)) return this.#divide(batch, queue, error);',
    replace: 'if (!isTransient(error)) return batch.forEach((entry) => entry.reject(error));',
    test: read,
  },
  {
    name: 'reads: a get that shares its statement has no span',
    file: 'server/src/app/traced.ts',
    find: "    tracing.trace(\n      'statement payments.read',",
    replace: "    inner(tenantId, id) ??\n    tracing.trace(\n      'statement payments.read',",
    test: 'server/test/flows/tracing.test.ts',
    only: 'gets that share a statement keep their own traces',
  },
  {
    name: 'reads: lists are planned anew each time',
    file: 'server/src/payments/list.ts',
    find: 'filters <= 1 ? named(text) : { text }',
    replace: '{ text }',
    test: 'server/src/payments/list.test.ts',
  },
  {
    name: 'reads: each way to combine the filters of a list is kept by each connection',
    file: 'server/src/payments/list.ts',
    find: 'filters <= 1 ? named(text) : { text }',
    replace: 'named(text)',
    test: 'server/src/payments/list.test.ts',
  },
  {
    name: 'reads: the JSON of a payment loses digits',
    file: 'server/src/payments/view.ts',
    find: '"amount":"${amountMinor}"',
    replace: '"amount":"${Number(amountMinor)}"',
    test: view,
  },
  {
    name: 'reads: the JSON of a payment escapes nothing',
    file: 'server/src/payments/view.ts',
    find: 'value === null ? null : JSON.stringify(value)',
    replace: 'value === null ? null : `"${value}"`',
    test: view,
  },
  {
    name: 'reads: an instant is shown with the second of another',
    file: 'server/src/formats/instant.ts',
    find: 'if (seconds[slot] !== second) {',
    replace: 'if (textsOfSeconds[slot] === undefined) {',
    test: view,
  },
];
