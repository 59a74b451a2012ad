import type { Mutation } from './list.ts';

const batcher = 'server/src/jobs/batcher.ts';
const batches = 'server/src/jobs/batcher.test.ts';
const statement = 'server/src/postgres/statement.test.ts';
const idempotency = 'server/test/flows/idempotency.test.ts';

/** Faults of how many creations share a statement, of what it is sent, and of what they had created before. */
export const creationMutations: Mutation[] = [
  {
    name: 'creations: after several at once the next batch begins at once',
    file: batcher,
    find: '      if (this.#isTooSoon()) break;\n',
    replace: '',
    test: batches,
    only: 'after several at once the next batch waits for more, until it is full',
  },
  {
    name: 'creations: a batch that waits for more waits for ever',
    file: batcher,
    find: '      this.#spacing = undefined;\n      this.#dispatch();',
    replace: '      this.#spacing = undefined;',
    test: batches,
    only: 'a batch that waits for more goes out when it has waited for long enough',
  },
  {
    name: 'creations: a full batch waits for more',
    file: batcher,
    find: ' || this.#common.waiting.length >= maxItems) return false;',
    replace: ') return false;',
    test: batches,
    only: 'after several at once the next batch waits for more, until it is full',
  },
  {
    name: 'creations: what is alone waits for others',
    file: batcher,
    find: 'const several = 3;',
    replace: 'const several = 0;',
    test: batches,
    only: 'where hardly anything comes at once, nobody waits',
  },
  {
    name: 'creations: rows without any value in the first column are none',
    file: 'server/src/postgres/statement.ts',
    find: 'const isEmpty = index > 0 && column',
    replace: 'const isEmpty = column',
    test: statement,
  },
  {
    name: 'creations: a column is empty where one row has no value',
    file: 'server/src/postgres/statement.ts',
    find: 'column.every((value) => value === null)',
    replace: 'column.some((value) => value === null)',
    test: statement,
  },
  {
    name: 'creations: a text with letters beyond ASCII is cut off',
    file: 'server/src/postgres/arrays.ts',
    find: 'value.length <= shortLength && isAscii(value)',
    replace: 'value.length <= shortLength',
    test: statement,
  },
  {
    name: 'creations: the second half of a UUID is written like the first',
    file: 'server/src/ids.ts',
    find: '    if (uuid.charCodeAt(index) === dash) index += 1;\n',
    replace: '',
    test: statement,
  },
  {
    name: 'creations: requests that are repeated together get each other’s original',
    file: 'server/src/payments/find-earlier.ts',
    find: 'return own ?? candidates[index]!.map((each) => byKey.get(keyed(each))).find(Boolean);',
    replace: 'return own ?? found[0];',
    test: idempotency,
  },
  {
    name: 'creations: what an earlier try wrote counts as refused',
    file: 'server/src/payments/find-earlier.ts',
    find: 'return own ?? candidates',
    replace: 'return own && candidates',
    test: 'server/src/payments/create.test.ts',
  },
  {
    name: 'creations: the answer to a creation of an older release has the fields of today',
    file: 'server/src/payments/view.ts',
    find: '  if (payment.rendering === paymentRendering) return paymentJson(created);',
    replace: '  if (payment.rendering > 0) return paymentJson(created);',
    test: 'server/src/payments/view.test.ts',
  },
  {
    name: 'creations: a key that was revoked is believed for as long as it is in memory',
    file: 'server/src/merchants/authenticate.ts',
    find: '    if (entry && ageMs >= 0 && ageMs < ttlMs) return entry.holder;',
    replace: '    if (entry) return entry.holder;',
    test: 'server/src/merchants/authenticate.test.ts',
  },
];
