import type { Mutation } from './list.ts';

const queues = 'server/test/operators/queues.test.ts';
const wallet = 'server/test/wallet/wallet.test.ts';
const walk = 'server/src/operators/gsma/transactions.test.ts';

const requestMutations: Mutation[] = [
  {
    name: 'all operators wait in one queue',
    file: 'server/src/operators/queue-worker.ts',
    find: '    queueOf,',
    replace: "    queueOf: () => 'UNITEL_TMAIS',",
    test: 'server/test/operators/down.test.ts',
  },
  {
    name: 'operators: an operator hears of a debit before that is committed',
    file: 'server/src/payments/send.ts',
    find: "  if (payment.status === 'CREATED') {\n    return dependencies.applyTransition(",
    replace:
      "  if (payment.status === 'CREATED') {\n    await dependencies.operatorFor(payment).requestDebit(debitRequest(payment));\n    return dependencies.applyTransition(",
    test: 'server/test/operators/killed.test.ts',
  },
  {
    name: 'operators: what may have been refunded is refunded again without a question',
    file: 'server/src/operators/query-then-send.ts',
    find: "const isNew = row.sentAtMs === null && origin === 'MEMORY';",
    replace: 'const isNew = origin !== undefined;',
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
    file: 'server/src/config/secret-files.ts',
    find: "buffer.toString('utf8', 0, bytes).trim()",
    replace: "buffer.toString('utf8', 0, bytes)",
    test: 'server/test/operators/credentials.test.ts',
  },
  {
    name: 'operators: one without an account of ours is configured',
    file: 'server/src/config/operator-settings.ts',
    find: "  require('ACCOUNT',",
    replace: "  if (prefix === '') require('ACCOUNT',",
    test: 'server/test/operators/commands.test.ts',
  },
  {
    name: 'operators: what may have been reversed is reversed again without a question',
    file: 'server/src/operators/query-then-send.ts',
    find: '    if (held) await this.#recordUnderLease(held, await queryUnderLease(this.#query, held));',
    replace: '    if (held) await this.#send(held);',
    test: 'server/test/operators/killed.test.ts',
  },
  {
    name: 'operators: a reversal that succeeds after a refusal is not booked',
    file: 'server/src/reversals/decide.ts',
    find: "  const outcome = { status: 'SUCCEEDED', operatorReversalId: answer.operatorTxId } as const;",
    replace:
      "  if (status === 'FAILED') return {};\n  const outcome = { status: 'SUCCEEDED', operatorReversalId: answer.operatorTxId } as const;",
    test: 'server/test/operators/money-back-callbacks.test.ts',
  },
  {
    name: 'operators: a refusal after a success is no contradiction',
    file: 'server/src/callbacks/handle.ts',
    find: "return known.outcome === 'FAILED' && known.booked.length === 0;",
    replace: 'return true;',
    test: 'server/test/operators/money-back-callbacks.test.ts',
  },
  {
    name: 'operators: the same outcome with another receipt is another callback',
    file: 'server/src/operators/gsma/callbacks.ts',
    find: '[transactionReference, transactionStatus, amount, currency]',
    replace: '[transactionReference, transactionStatus, amount, currency, JSON.stringify(body)]',
    test: 'server/test/operators/money-back-callbacks.test.ts',
  },
  {
    name: 'operators: a callback of what our records do not know is nothing to see',
    file: 'server/src/callbacks/handle.ts',
    find: '  await contradict(dependencies, callback, undefined);',
    replace: '  await finish(dependencies, callback);',
    test: 'server/test/operators/callbacks.test.ts',
  },
  {
    name: 'operators: callbacks under the previous secret key are refused',
    file: 'server/src/app/compose/base.ts',
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
  {
    name: 'operators: what is simulated waits in the queue of its operator',
    file: 'server/src/operators/queue.ts',
    find: "return mode === 'test' ? 'SIMULATOR' : operator;",
    replace: "return mode === 'test' ? operator : operator;",
    test: queues,
  },
  {
    name: 'operators: a claim leaves what is simulated where its operator is busy',
    file: 'server/src/operators/queue.ts',
    find: "WHEN 'test' THEN 'SIMULATOR'",
    replace: "WHEN 'none' THEN 'SIMULATOR'",
    test: 'server/test/claims.test.ts',
    only: 'are not of the queue of their operator',
  },
  {
    name: 'operators: payments of one merchant have no turns',
    file: 'server/src/jobs/worker.ts',
    find: '        ownerOf: (each) => each.row.tenantId,\n',
    replace: '',
    test: 'server/src/jobs/worker.test.ts',
  },
];

/** Operators are open to all: each has an adapter, and keeps to it. */
const adapterMutations: Mutation[] = [
  {
    name: 'adapters: an operator speaks that of the catalogue, whatever is set',
    file: 'server/src/operators/load-adapters.ts',
    find: 'configured[operator]?.adapter ?? operatorCatalogue',
    replace: 'operatorCatalogue',
    test: wallet,
    only: 'a payment that the customer refuses',
  },
  {
    name: 'adapters: any name is one',
    file: 'server/src/config/operator-settings.ts',
    find: 'parse: (given) => choice(...Object.keys(adapterModules)).parse(given),',
    replace: 'parse: (given) => given,',
    test: 'server/src/config/operator-settings.test.ts',
  },
  {
    name: 'adapters: a callback is taken by any method',
    file: 'server/src/callbacks/routes.ts',
    find: 'callbacks.method === request.method',
    replace: 'callbacks.method !== undefined',
    test: wallet,
    only: 'each operator calls back',
  },
  {
    name: 'adapters: a callback is read by that of another operator',
    file: 'server/src/callbacks/take.ts',
    find: 'parts.adapterOf[address.operator]',
    replace: 'parts.adapterOf.CVMOVEL',
    test: wallet,
    only: 'each operator calls back',
  },
  {
    name: 'adapters: a signature that the adapter refuses is a proof',
    file: 'server/src/callbacks/authenticate.ts',
    find: 'callbacks.isSigned(secret, request)',
    replace: 'callbacks.isSigned(secret, request) !== undefined',
    test: wallet,
    only: 'is not signed as the wallet signs',
  },
  {
    name: 'adapters: what was kept is read again as the GSMA would',
    file: 'server/src/callbacks/handle.ts',
    find: 'adapterOf[operator].callbacks.read(',
    replace: 'adapterOf.CVMOVEL.callbacks.read(',
    test: wallet,
    only: 'cannot be asked is believed',
  },
  {
    name: 'adapters: an operator is added that nobody announced',
    file: 'server/src/config/operator-catalogue.ts',
    find: "  UNITEL_TMAIS: listed('Unitel T+',",
    replace:
      "  AFRIMONEY: listed('AfriMoney', { AO: '95 96' }, 'AOA', 'gsma'),\n  UNITEL_TMAIS: listed('Unitel T+',",
    test: 'server/src/config/operator-catalogue.test.ts',
  },
  {
    name: 'adapters: a command asks every operator as the GSMA would',
    file: 'server/src/cli/operators.ts',
    find: 'loadAdapter(settings.adapter)',
    replace: "loadAdapter('gsma')",
    test: wallet,
    only: 'the commands speak through the adapter',
  },
];

export const operatorMutations: Mutation[] = [...requestMutations, ...adapterMutations];
