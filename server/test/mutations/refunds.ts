import type { Mutation } from './list.ts';

const returns = 'server/test/operators/recover-returns.test.ts';
const contradictions = 'server/test/operators/recover-contradictions.test.ts';
const create = 'server/src/refunds/create.ts';
const createTest = 'server/src/refunds/create.test.ts';
const write = 'server/src/refunds/write.ts';
const store = 'server/src/refunds/creation-store.ts';
const storeTest = 'server/src/refunds/creation-store.test.ts';
const days = 'server/src/merchants/refund-days.ts';
const together = 'server/src/refunds/together.test.ts';

/** Faults of refunds that are written together: each must come out as if it were alone. */
export const refundMutations: Mutation[] = [
  {
    name: 'refunds: what a restore forgot is refunded again where it fits',
    file: 'server/src/refunds/refund.ts',
    find: '  if (unexplainedMinor > 0n) throw refundUnexplained(unexplainedMinor);\n',
    replace: '',
    test: returns,
    only: 'not even what would fit',
  },
  {
    name: 'refunds: what a forgotten refund has returned is not reserved',
    file: 'server/src/review/store.ts',
    find: "${changeReserved('item', '+')},\n",
    replace: "${changeReserved('item', '-')},\n",
    test: returns,
  },
  {
    name: 'refunds: what a person has closed stays reserved',
    file: 'server/src/review/store.ts',
    find: "${changeReserved('closed', '-')}\nSELECT ${columns} FROM closed",
    replace: 'SELECT ${columns} FROM closed',
    test: returns,
  },
  {
    name: 'recover: what was returned of a debit that is about to be booked is not reserved',
    file: 'server/src/recovery/returns.ts',
    find: 'expected.get(canonicalName(debitTxId))',
    replace: 'undefined',
    test: returns,
    only: 'comes later in the list',
  },
  {
    name: 'review: recording an outcome gives free what the list shows to have been returned',
    file: 'server/src/resolutions/resolve.ts',
    find: 'if (item.detail.reserved !== undefined) waiting.push(item);',
    replace: "if (item.detail.reserved === '') waiting.push(item);",
    test: contradictions,
    only: 'closes no return that is reserved',
  },
  {
    name: 'recover: debits are booked before what went back of them is recorded',
    file: 'server/src/recovery/recover.ts',
    find: '    await this.#record(this.#returns.filter(isOpen));\n',
    replace:
      '    await this.#record(this.#wanting);\n    await this.#record(this.#returns.filter(isOpen));\n',
    test: contradictions,
    only: 'beside a gateway',
  },
  {
    name: 'recover: a debit that was reversed at the operator can be refunded',
    file: 'server/src/recovery/debits.ts',
    find: "if (refundedMinor >= amountMinor) return 'KNOWN';",
    replace: "if (refundedMinor >= 0n) return 'KNOWN';",
    test: contradictions,
    only: 'calls reversed or failed',
  },
  {
    name: 'reversals: a debit that went back already is returned a second time',
    file: 'server/src/reversals/process.ts',
    find: '  return item !== undefined;\n',
    replace: '  return item === null;\n',
    test: returns,
  },
  {
    name: 'refunds: two of one payment share a batch',
    file: create,
    find: 'keyOf: ({ input }) => input.tenantId + input.paymentId,',
    replace: 'keyOf: ({ id }) => id,',
    test: together,
  },
  {
    name: 'refunds: an answer goes to another who waits',
    file: write,
    find: 'outcomes: decided.map(',
    replace: 'outcomes: decided.toReversed().map(',
    test: together,
  },
  {
    name: 'refunds: what is read of a payment is that of any tenant',
    file: store,
    find: 'ON p.tenant_id = asked_tenant_id AND p.id = asked_payment_id',
    replace: 'ON p.id = asked_payment_id',
    test: together,
  },
  {
    name: 'refunds: an idempotency key is that of any tenant',
    file: store,
    find: 'ON tenant_id = asked_tenant_id AND idempotency_key = asked_key',
    replace: 'ON idempotency_key = asked_key',
    test: together,
  },
  {
    name: 'refunds: the payment that is checked is that of any tenant',
    file: store,
    find: 'ON given.tenant_id = p.tenant_id AND given.payment_id = p.id',
    replace: 'ON given.payment_id = p.id',
    test: storeTest,
    only: 'of another tenant',
  },
  {
    name: 'refunds: what was taken meanwhile is not looked at',
    file: store,
    find: '\n      AND p.refund_reserved_minor + p.late_refund_minor = given.seen_taken_minor',
    replace: '',
    test: storeTest,
    only: 'as it was seen',
  },
  {
    name: 'refunds: the status of the payment is not looked at again',
    file: store,
    find: 'p.status = given.seen_status AND ',
    replace: '',
    test: storeTest,
    only: 'as it was seen',
  },
  {
    name: 'refunds: a transaction that was corrected meanwhile is refunded',
    file: store,
    find: ' AND p.operator_tx_id = given.operator_tx_id',
    replace: '',
    test: storeTest,
    only: 'as it was seen',
  },
  {
    name: 'refunds: a batch looks at the largest of a key alone',
    file: days,
    find: 'sum(amount_minor) AS amount_minor, min(day_limit_minor)',
    replace: 'max(amount_minor) AS amount_minor, min(day_limit_minor)',
    test: storeTest,
    only: 'has room',
  },
  {
    name: 'refunds: a batch takes more of a day than there is room for',
    file: days,
    find: 'const askedMinor = (this.#asked.get(of) ?? 0n) + amountMinor;',
    replace: 'const askedMinor = amountMinor;',
    test: createTest,
    only: 'two statements',
  },
  {
    name: 'refunds: what was not written counts towards the limit of its key',
    file: days,
    find: '    FROM created GROUP BY 1, 2, 3, 4',
    replace: '    FROM locked GROUP BY 1, 2, 3, 4',
    test: storeTest,
    only: 'one is counted',
  },
  {
    name: 'refunds: a batch locks payments in the order of a plan',
    file: store,
    find: 'ORDER BY p.tenant_id, p.id FOR UPDATE OF p',
    replace: 'FOR UPDATE OF p',
    test: storeTest,
    only: 'lock payments in the order',
  },
  {
    name: 'refunds: an idempotency key is held while a payment is waited for',
    file: store,
    find: '  ORDER BY tenant_id, idempotency_key\n',
    replace: '',
    test: storeTest,
    only: 'no idempotency key is held',
  },
  {
    name: 'refunds: one that loses each time never waits behind the lock',
    file: create,
    find: '    return alone(creation);\n',
    replace: '    return together(creation);\n',
    test: createTest,
    only: 'always gets at first',
  },
  {
    name: 'refunds: each is written by itself',
    file: create,
    find: '    maxItems: 256,',
    replace: '    maxItems: 1,',
    test: createTest,
    only: 'two statements',
  },
];
