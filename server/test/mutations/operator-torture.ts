import type { Mutation } from './list.ts';

const test = 'server/test/operator-torture/operator-torture.long.test.ts';
const check = 'server/test/operator-torture/check.ts';
const checks = 'server/test/operator-torture/check.test.ts';

export const operatorTortureMutations: Mutation[] = [
  {
    name: 'torture of operators: a debit that is not found is asked for again',
    file: 'server/src/payments/expire.ts',
    find: 'if (isUnheard && traits.deduplicates) return { send: true };',
    replace: 'if (isUnheard) return { send: true };',
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
    name: 'torture of operators: a debit of another amount is credited',
    file: 'server/src/payments/decide.ts',
    find: '      if (answer.amountMinor === payment.amountMinor) {\n        return { to:',
    replace: '      if (answer.amountMinor > 0n) {\n        return { to:',
    test,
  },
  {
    name: 'torture of operators: a payment whose process died is never taken up again',
    file: 'server/src/jobs/claim.ts',
    find: `WHERE due_at <= \${given.nowMs} AND \${where(given)}`,
    replace: `WHERE due_at <= \${given.nowMs} AND \${table === 'payments' ? \`status <> 'OPERATOR_PENDING'\` : true} AND \${where(given)}`,
    test,
  },
  {
    name: 'torture of operators: the operator has a cent more than the ledger says',
    file: 'operator-simulator/src/store.ts',
    find: "CAST(coalesce(sum(amount_minor) FILTER (WHERE kind = 'merchantpay'",
    replace: "CAST(1 + coalesce(sum(amount_minor) FILTER (WHERE kind = 'merchantpay'",
    test,
  },
  {
    name: 'torture of operators: the operator forgets its debits when it is killed',
    file: 'operator-simulator/src/store.ts',
    find: 'const database = new DatabaseSync(join(dataDir, fileName),',
    replace: "const database = new DatabaseSync(':memory:',",
    test,
  },
  {
    name: 'torture of operators: its check overlooks a debit that is booked nowhere',
    file: check,
    find: 'return listed.has(ours) ? [] :',
    replace: "return ours !== '' ? [] :",
    test: checks,
  },
  {
    name: 'torture of operators: its check overlooks what is credited and given back',
    file: check,
    find: 'credited.length > 0 && reversals.length > 0',
    replace: 'credited.length > 1 && reversals.length > 0',
    test: checks,
  },
  {
    name: 'torture of operators: its check overlooks what is given back twice',
    file: check,
    find: 'if (given.length > 1) problems.push',
    replace: 'if (given.length > 2) problems.push',
    test: checks,
  },
  {
    name: 'torture of operators: its check overlooks a payment that nobody is asked about',
    file: check,
    find: '!of.includes(row.status) && !listed.has(row.id)',
    replace: 'row.id === row.status',
    test: checks,
  },
  {
    name: 'torture of operators: its check excuses everything once something is for a person',
    file: check,
    find: 'return !isBooked && listed.has(reference);',
    replace: 'return !isBooked && listed.size > 0;',
    test: checks,
  },
];
