import type { Mutation } from './list.ts';

const resolve = 'server/test/operators/review-resolve.test.ts';
const recover = 'server/test/operators/recover.test.ts';
const unclear = 'server/test/operators/unclear.test.ts';
const list = 'server/test/operators/review.test.ts';
const restore = 'server/test/operators/restore.long.test.ts';

export const reviewMutations: Mutation[] = [
  {
    name: 'review: a payment stays unclear though the operator has told its outcome',
    file: 'server/src/payments/record-answer.ts',
    find: 'if (isAnswered && mayBeUnclear(payment))',
    replace: 'if (!isAnswered && mayBeUnclear(payment))',
    test: unclear,
  },
  {
    name: 'review: a refund or reversal stays unclear though the operator has told its outcome',
    file: 'server/src/operators/query-then-send.ts',
    find: 'if (isDone && mayBeListed) await',
    replace: 'if (isDone && !mayBeListed) await',
    test: unclear,
  },
  {
    name: 'review: what a person says of a payment is not marked as told by hand',
    file: 'server/src/resolutions/resolve-payment.ts',
    find: '  if (payment.operatorTxId === null) await markByHand(database, payment);\n',
    replace: '',
    test: resolve,
  },
  {
    name: 'review: a resolution that dies half-way loses what the operator told',
    file: 'server/src/resolutions/resolve.ts',
    find: 'resolveInside({ ...resolver, database: inside(transaction) }, ...said),',
    replace: 'inside(transaction) && resolveInside(resolver, ...said),',
    test: 'server/test/operators/resolved-whole.test.ts',
    only: 'dies half-way changes nothing',
  },
  {
    name: 'review: a person may give a transaction that is booked for another payment',
    file: 'server/src/resolutions/resolving.ts',
    find: 'if (!use || (use.isDebit === expected.isDebit && use.id === expected.id)) return;',
    replace: 'if (use === undefined || use.id !== undefined) return;',
    test: resolve,
  },
  {
    name: 'review: an amount that is not the payment’s is taken without a word',
    file: 'server/src/resolutions/resolve-payment.ts',
    find: 'if (amountMinor === payment.amountMinor || isOtherAmount) return;',
    replace: 'if (amountMinor > 0n || isOtherAmount) return;',
    test: resolve,
  },
  {
    name: 'review: what nobody knows the outcome of can be closed and forgotten',
    file: 'server/src/resolutions/close.ts',
    find: '  if (!isUnknown) return;\n',
    replace: '  if (isUnknown || !isUnknown) return;\n',
    test: resolve,
  },
  {
    name: 'review: a debit that was given back by hand stays in suspense',
    file: 'server/src/resolutions/resolve-reversal.ts',
    find: 'isDone ? [givingBackPosting(taken.row,',
    replace: '!isDone ? [givingBackPosting(taken.row,',
    test: resolve,
  },
  {
    name: 'review: a corrected debit keeps its wrong number among the bookings',
    file: 'server/src/payments/correct-transaction.ts',
    find: '  await transaction.query({ text: remove }, [operator, account, wrongs, tenantId, id]);\n',
    replace: '  if (!remove || !wrongs) return;\n',
    test: resolve,
  },
  {
    name: 'review: a person resolves what a gateway is asking about',
    file: 'server/src/operators/due-rows.ts',
    find: `r.asking_until <= \${given.nowMs})`,
    replace: `r.asking_until <= \${given.nowMs} OR true)`,
    test: resolve,
  },
  {
    name: 'review: a debit that is held is listed twice',
    file: 'server/src/review/waiting.ts',
    find: '.filter(({ subjectId }) => !listed.has(subjectId));',
    replace: '.filter(({ subjectId }) => subjectId !== listed.toString());',
    test: list,
  },
  {
    name: 'recover: a debit whose reference our records lack is only listed',
    file: 'server/src/recovery/debits.ts',
    find: '    await dependencies.reverse({ tenantId, id, currency, operator }, debit, traits.account);\n',
    replace: "    if (!debit) return list(dependencies, moved, 'UNKNOWN_REFERENCE');\n",
    test: restore,
  },
  {
    name: 'recover: a debit in another currency than the payment’s is booked',
    file: 'server/src/recovery/debits.ts',
    find: '  if (subject && subject.currency !== currency) return undefined;\n',
    replace: '',
    test: recover,
  },
  {
    name: 'recover: a dry run changes the ledger',
    file: 'server/src/recovery/debits.ts',
    find: 'if (dependencies.isDryRun) return decided(dependencies, tenantId, paymentId, answer);',
    replace: 'if (dependencies.isDryRun) await decided(dependencies, tenantId, paymentId, answer);',
    test: recover,
  },
  {
    name: 'recover: what was refunded already can be reversed as well',
    file: 'server/src/resolutions/resolve-reversal.ts',
    find: '  if (!item) return;\n',
    replace: '  if (!item || item) return;\n',
    test: recover,
  },
  {
    name: 'recover: a question forgets what stands behind the question mark',
    file: 'server/src/operators/gsma/client.ts',
    find: '    path: url.pathname + url.search,\n    method,',
    replace: '    path: url.pathname,\n    method,',
    test: recover,
  },
  {
    name: 'recover: a payment that a restore has set back is sent without a question',
    file: 'server/src/payments/process.ts',
    find: "if (isUnsent && origin === 'MEMORY') return sendOrExpire(dependencies, payment);",
    replace: 'if (isUnsent && origin) return sendOrExpire(dependencies, payment);',
    test: restore,
  },
  {
    name: 'tenants make good for each other what suspense lacks',
    file: 'server/src/app/database-gauges.ts',
    find: "b.account = 'suspense' AND b.balance_minor < 0",
    replace: "b.account = 'suspense' AND b.balance_minor <> 0",
    test: 'server/test/deploy.test.ts',
  },
];
