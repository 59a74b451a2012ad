import type { Fault } from './list.ts';

const walk = 'server/src/operators/gsma/transactions.test.ts';

export const operatorFaults: Fault[] = [
  {
    name: 'operators: an operator hears of a debit before that is committed',
    file: 'server/src/payments/attend.ts',
    find: `  const sent = await parts.advance(payment, change, leaseMs);
  if (sent) await request(parts, sent);`,
    replace: `  await request(parts, { ...payment, dueAtMs, sentAtMs: nowMs });
  await parts.advance(payment, change, leaseMs);`,
    test: 'server/test/operators/killed.test.ts',
  },
  {
    name: 'operators: what may have been refunded is refunded again without a question',
    file: 'server/src/refunds/attend.ts',
    find: '  if (!isFirst) {',
    replace: '  if (!isFirst && isFirst) {',
    test: 'server/test/operators/killed.test.ts',
  },
  {
    name: 'operators: basic authentication leaves the user out',
    file: 'server/src/operators/gsma/auth.ts',
    find: "basic(clientId ?? '', secret)",
    replace: "basic('', secret)",
    test: 'server/test/operators/credentials.test.ts',
  },
  {
    name: 'operators: a secret from a file keeps its line break',
    file: 'server/src/platform/config-callbacks.ts',
    find: "readFileSync(file, 'utf8').trim()",
    replace: "readFileSync(file, 'utf8')",
    test: 'server/test/operators/credentials.test.ts',
  },
  {
    name: 'operators: one without an account of ours is configured',
    file: 'server/src/platform/config-operators.ts',
    find: "  require('ACCOUNT',",
    replace: "  if (prefix === '') require('ACCOUNT',",
    test: 'server/test/operators/commands.test.ts',
  },
  {
    name: 'operators: what may have been reversed is reversed again without a question',
    file: 'server/src/reversals/attend.ts',
    find: "if (reversal.status === 'PROCESSING') {",
    replace: "if (reversal.status === 'FAILED') {",
    test: 'server/test/operators/killed.test.ts',
  },
  {
    name: 'operators: all reversals wait in one lane',
    file: 'server/src/reversals/worker.ts',
    find: 'laneOf: ({ operator }) => operator,',
    replace: "laneOf: () => 'UNITEL_TMAIS',",
    test: 'server/test/operators/down.test.ts',
  },
  {
    name: 'operators: a reversal that succeeds after a refusal is not booked',
    file: 'server/src/reversals/attend.ts',
    find: "(status === 'FAILED' && answer.kind === 'failed')",
    replace: "status === 'FAILED'",
    test: 'server/test/operators/money-back-callbacks.test.ts',
  },
  {
    name: 'operators: a refusal after a success is no contradiction',
    file: 'server/src/operators/callbacks/handle.ts',
    find: "return known.outcome === 'FAILED' && known.booked.length === 0;",
    replace: 'return true;',
    test: 'server/test/operators/money-back-callbacks.test.ts',
  },
  {
    name: 'operators: the same outcome with another receipt is another callback',
    file: 'server/src/operators/callbacks/take.ts',
    find: '[transactionReference, transactionStatus, amount, currency]',
    replace: '[transactionReference, transactionStatus, amount, currency, JSON.stringify(body)]',
    test: 'server/test/operators/money-back-callbacks.test.ts',
  },
  {
    name: 'operators: a callback of what our books do not know is nothing to see',
    file: 'server/src/operators/callbacks/handle.ts',
    find: 'const contradicts = !known || !answer ||',
    replace: 'const contradicts = !!known && !!answer &&',
    test: 'server/test/operators/callbacks.test.ts',
  },
  {
    name: 'operators: callbacks under the previous secret key are refused',
    file: 'server/src/compose.ts',
    find: 'createCallbackTokens(secretKey, rest.previousSecretKey)',
    replace: 'createCallbackTokens(secretKey)',
    test: 'server/test/operators/callbacks.test.ts',
  },
  {
    name: 'operators: retention removes what a person still has to look at',
    file: 'server/src/operators/retention-store.ts',
    find: 'EXCEPT SELECT subject_id FROM for_review',
    replace: 'EXCEPT SELECT subject_id FROM for_review WHERE false',
    test: 'server/src/operators/retention.test.ts',
  },
  {
    name: 'operators: retention removes what was said of payments that are for review',
    file: 'server/src/operators/retention-store.ts',
    find: 'p.due_at IS NULL AND ',
    replace: '',
    test: 'server/src/operators/retention.test.ts',
  },
  {
    name: 'operators: retention removes what was said of a debit that was not given back',
    file: 'server/src/operators/retention-store.ts',
    find: "r.status <> 'SUCCEEDED' OR ",
    replace: '',
    test: 'server/src/operators/retention.test.ts',
  },
  {
    name: 'operators: a walk through the list of transactions ends after its first page',
    file: 'server/src/operators/gsma/transactions.ts',
    find: 'if (available !== undefined && offset >= available) return;',
    replace: 'return;',
    test: walk,
  },
  {
    name: 'operators: a walk through the list of transactions tells twice what has moved',
    file: 'server/src/operators/gsma/transactions.ts',
    find: 'if (seen.has(name)) return false;',
    replace: '',
    test: walk,
  },
  {
    name: 'operators: a walk through the list of transactions asks on beyond its end',
    file: 'server/src/operators/gsma/transactions.ts',
    find: 'available !== undefined && offset >= available',
    replace: 'available !== undefined && offset > available',
    test: walk,
  },
  {
    name: 'operators: a walk through the list of transactions takes a page that fails for the end',
    file: 'server/src/operators/gsma/transactions.ts',
    find: '    if (!isPassing || attempt === triesOfPage) {\n',
    replace:
      '    if (!isPassing || attempt === triesOfPage) {\n      return { rows: [], available: 0 };\n',
    test: walk,
  },
  {
    name: 'operators: a walk through the list of transactions takes two under one id for one',
    file: 'server/src/operators/gsma/transactions.ts',
    find: 'const named = [transactionReference, requestingOrganisationTransactionReference, type];',
    replace: 'const named = [transactionReference];',
    test: walk,
  },
];
