import type { Fault } from './list.ts';

const test = 'server/test/operator-torture/operator-torture.test.ts';

export const operatorTortureFaults: Fault[] = [
  {
    name: 'torture of operators: a debit is asked for again under another reference',
    file: 'server/src/payments/send.ts',
    find: 'reference: payment.id,\n    operator:',
    replace:
      'reference: payment.askCount > 0 ? payment.id.slice(0, -1).concat("0") : payment.id,\n    operator:',
    test,
  },
  {
    name: 'torture of operators: no answer is taken for a failure',
    file: 'server/src/operators/gsma/adapter.ts',
    find: "if (reply === 'UNKNOWN') return unreachable;",
    replace: "if (reply === 'UNKNOWN') return this.#failed(matter, 'OPERATOR_UNAVAILABLE');",
    test,
  },
  {
    name: 'torture of operators: a late debit is never given back',
    file: 'server/src/payments/decide.ts',
    find: "return { dueAtMs: null, reverse: { ...debitOf(answer), reason: 'LATE_DEBIT' } };",
    replace: 'return { dueAtMs: null };',
    test,
  },
  {
    name: 'torture of operators: a payment whose process died is never taken up again',
    file: 'server/src/payments/due-store.ts',
    find: 'WHERE due_at <= $1 AND operator <> ALL',
    replace: "WHERE due_at <= $1 AND status <> 'OPERATOR_PENDING' AND operator <> ALL",
    test,
  },
  {
    name: 'torture of operators: the operator has a cent more than the books say',
    file: 'server/src/operator-simulator/store.ts',
    find: "CAST(coalesce(sum(amount_minor) FILTER (WHERE kind = 'merchantpay'",
    replace: "CAST(1 + coalesce(sum(amount_minor) FILTER (WHERE kind = 'merchantpay'",
    test,
  },
  {
    name: 'torture of operators: the operator forgets its debits when it is killed',
    file: 'server/src/operator-simulator/store.ts',
    find: 'const database = new DatabaseSync(join(dataDir, fileName),',
    replace: "const database = new DatabaseSync(':memory:',",
    test,
  },
];
