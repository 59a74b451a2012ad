import type { Mutation } from './list.ts';
import { outcomeMutations } from './outcomes.ts';
import { transactionMutations } from './transactions.ts';

const repetition = 'server/test/operators/repetition.test.ts';
const leases = 'server/test/operators/leases.test.ts';
const hints = 'server/test/operators/hints.test.ts';
const returns = 'server/test/operators/returns.test.ts';
const setBack = 'server/test/operators/set-back.test.ts';
const repeated = 'server/src/operators/gsma/repeated.test.ts';

/** Requests leave once, under their lease, and never too late. */
const requests: Mutation[] = [
  {
    name: 'money: a debit is asked for again, whether the operator deduplicates or not',
    file: 'server/src/payments/expire.ts',
    find: 'if (isUnheard && traits.deduplicates) return { send: true };',
    replace: 'if (isUnheard) return { send: true };',
    test: repetition,
    only: 'leaves once',
  },
  {
    name: 'money: what goes back is asked for again, whether the operator deduplicates or not',
    file: 'server/src/operators/query-schedule.ts',
    find: 'const mayRepeat = traits.deduplicates && isEarly',
    replace: 'const mayRepeat = isEarly',
    test: repetition,
    only: 'leaves once',
  },
  {
    name: 'money: a request is repeated while the first may be on its way',
    file: 'server/src/operators/query-schedule.ts',
    find: 'return sentAtMs !== null && nowMs > sentAtMs + requestLengthMs(timing);',
    replace: 'return sentAtMs !== null && nowMs > sentAtMs;',
    test: repetition,
    only: 'cannot be on its way',
  },
  {
    name: 'money: a debit whose connection was never made counts as sent',
    file: 'server/src/payments/send.ts',
    find: "if (sent.kind === 'LATE' || isNotSent(sent.result)) {",
    replace: "if (sent.kind === 'LATE') {",
    test: repetition,
    only: 'connection was never made',
  },
  {
    name: 'money: what is given back counts as sent though the connection was never made',
    file: 'server/src/operators/query-then-send.ts',
    find: 'return this.#letGo(sent.row, dueAtMs, row.sentAtMs);',
    replace: 'return this.#letGo(sent.row, dueAtMs);',
    test: repetition,
    only: 'connection was never made',
  },
  {
    name: 'money: a refund that was called back about ends as failed when it is not found',
    file: 'server/src/operators/query-then-send.ts',
    find: 'if (await isCalledBack(database, row))',
    replace: 'if (false)',
    test: 'server/test/operators/watch.test.ts',
    only: 'called back about',
  },
  {
    name: 'money: a process that was frozen begins its request all the same',
    file: 'server/src/jobs/send-under-lease.ts',
    find: 'const isLate = clock.nowMs() > sentAtMs + latestStartMs || !isReliable(clock);',
    replace: 'const isLate = !isReliable(clock);',
    test: repetition,
    only: 'frozen before it could begin',
  },
  {
    name: 'money: a request begins although its row has passed to another',
    file: 'server/src/jobs/send-under-lease.ts',
    find: "  if (row === undefined) return { kind: 'LOST' };\n",
    replace: '',
    test: 'server/src/jobs/send-under-lease.test.ts',
  },
  {
    name: 'money: the lease is not renewed before a request',
    file: 'server/src/jobs/send-under-lease.ts',
    find: 'sending.renew(sentAtMs, sentAtMs + latestStartMs + lengthMs)',
    replace: 'sending.renew(sentAtMs, sentAtMs)',
    test: leases,
    only: 'nobody else takes it',
  },
  {
    name: 'money: who is asked for a refund is looked up when it should begin',
    file: 'server/src/operators/query-then-send.ts',
    find: '    await operator.traits(row);\n',
    replace: '',
    test: leases,
    only: 'has not met',
  },
  {
    name: 'money: a question begins under what is left of a lease',
    file: 'server/src/operators/query-schedule.ts',
    find: 'return leaseMs >= endMs ? leaseMs : endMs + leaseMarginMs;',
    replace: 'return leaseMs;',
    test: leases,
    only: 'waited in their queue',
  },
  {
    name: 'money: the success of a debit is dropped under a lost lease',
    file: 'server/src/payments/record-answer.ts',
    find: "  if (answer.kind === 'succeeded') {\n    const { tenantId, id: reference } = payment;",
    replace:
      "  if (answer.kind !== 'succeeded') {\n    const { tenantId, id: reference } = payment;",
    test: leases,
    only: 'a success of a',
  },
  {
    name: 'money: the success of a refund or reversal is dropped under a lost lease',
    file: 'server/src/operators/query-then-send.ts',
    find: "if (isDone || answer.kind !== 'succeeded') return;",
    replace: "if (isDone || answer.kind === 'succeeded') return;",
    test: leases,
    only: 'a success of a',
  },
  {
    name: 'money: what is said of a repeated request is said of the first',
    file: 'server/src/operators/gsma/adapter.ts',
    find: "answer.kind === 'failed' && matter.repeated",
    replace: "answer.kind !== 'failed' && matter.repeated",
    test: repeated,
  },
  {
    name: 'money: a request that was refused for its token is repeated to any operator',
    file: 'server/src/operators/gsma/client.ts',
    find: "const mayRepeat = call.method === 'GET' || dependencies.settings.deduplicates;",
    replace: 'const mayRepeat = true;',
    test: repeated,
  },
  {
    name: 'money: a request that broke off counts as not sent',
    file: 'server/src/operators/gsma/exchange.ts',
    find: "reply.kind === 'unreachable' && !reply.begun",
    replace: "reply.kind === 'unreachable'",
    test: repeated,
  },
];

/** Callbacks are hints. */
const told: Mutation[] = [
  {
    name: 'money: a callback is taken at its word',
    file: 'server/src/callbacks/handle.ts',
    find: '    const isAsked = callback.lookCount < questions &&',
    replace: `    const answer = known && answerOf(dependencies, callback, known);
    if (answer) await subject.notify({ tenantId, reference, answer });
    const isAsked = callback.lookCount < questions &&`,
    test: hints,
    only: 'forged',
  },
  {
    name: 'money: a callback makes us ask for as long as it is not answered',
    file: 'server/src/callbacks/handle.ts',
    find: 'callback.lookCount < questions && (await subject.hint(tenantId, reference))',
    replace: '(await subject.hint(tenantId, reference))',
    test: hints,
    only: 'is asked four times',
  },
  {
    name: 'money: an acknowledgement of what had ended is nothing new',
    file: 'server/src/callbacks/handle.ts',
    find: "      return known.outcome === 'SUCCEEDED';",
    replace: "      return known.outcome !== 'OPEN';",
    test: hints,
    only: 'nobody watched any more',
  },
  {
    name: 'money: two questions about a debit are under way',
    file: 'server/src/operators/due-rows.ts',
    find: `  AND (r.asking_until IS NULL OR r.asking_until <= \${given.nowMs})`,
    replace: `  AND ('\${table}' = 'payments' OR r.asking_until IS NULL OR r.asking_until <= \${given.nowMs})`,
    test: hints,
    only: 'one question at a time',
  },
  {
    name: 'money: who cancels a payment has it asked about twice at once',
    file: 'server/src/payments/transition-store.ts',
    find: 'CASE WHEN t.lease IS NULL AND t.due_at < p.asking_until THEN p.asking_until ELSE t.due_at END',
    replace: 't.due_at',
    test: hints,
    only: 'cancelled while it is asked about',
  },
  {
    name: 'money: each hint puts off the questions about a debit',
    file: 'server/src/operators/due-rows.ts',
    find: 'GREATEST(r.ask_count - 1, 0)',
    replace: `r.ask_count - CASE WHEN '\${table}' <> 'payments' AND r.ask_count > 0 THEN 1 ELSE 0 END`,
    test: hints,
    only: 'put off the questions',
  },
  {
    name: 'money: each hint puts off the questions about a refund',
    file: 'server/src/operators/due-rows.ts',
    find: 'GREATEST(r.ask_count - 1, 0)',
    replace: `r.ask_count - CASE WHEN '\${table}' <> 'refunds' AND r.ask_count > 0 THEN 1 ELSE 0 END`,
    test: hints,
    only: 'put off the questions',
  },
  {
    name: 'money: each hint puts off the questions about a reversal',
    file: 'server/src/operators/due-rows.ts',
    find: 'GREATEST(r.ask_count - 1, 0)',
    replace: `r.ask_count - CASE WHEN '\${table}' <> 'reversals' AND r.ask_count > 0 THEN 1 ELSE 0 END`,
    test: hints,
    only: 'put off the questions',
  },
  {
    name: 'money: two questions about a refund are under way',
    file: 'server/src/operators/due-rows.ts',
    find: `  AND (r.asking_until IS NULL OR r.asking_until <= \${given.nowMs})`,
    replace: `  AND ('\${table}' = 'refunds' OR r.asking_until IS NULL OR r.asking_until <= \${given.nowMs})`,
    test: hints,
    only: 'one question at a time',
  },
  {
    name: 'money: two questions about a reversal are under way',
    file: 'server/src/operators/due-rows.ts',
    find: `  AND (r.asking_until IS NULL OR r.asking_until <= \${given.nowMs})`,
    replace: `  AND ('\${table}' = 'reversals' OR r.asking_until IS NULL OR r.asking_until <= \${given.nowMs})`,
    test: hints,
    only: 'one question at a time',
  },
  {
    name: 'money: what the operator debited of an unknown reference is given back at once',
    file: 'server/src/reversals/create.ts',
    find: "const isHeld = debit.reason === 'UNKNOWN_REFERENCE';",
    replace: 'const isHeld = debit.amountMinor < 0n;',
    test: setBack,
    only: 'held in suspense',
  },
];

export const moneyMutations: Mutation[] = [
  ...requests,
  ...told,
  ...transactionMutations,
  ...outcomeMutations,
  {
    name: 'money: a refund whose status is "reversed" counts as refused',
    file: 'server/src/operators/gsma/states.ts',
    find: "reversed: { debit: 'OPERATOR_REJECTED', goingOut: 'OPEN' }",
    replace: "reversed: { debit: 'OPERATOR_REJECTED', goingOut: 'OPERATOR_REJECTED' }",
    test: 'server/src/operators/gsma/states.test.ts',
    only: 'what the page says, however it is told',
  },
  {
    name: 'money: the return of another debit counts as this refund',
    file: 'server/src/operators/gsma/echoes.ts',
    find: "    ['originaltransactionreference', theirs.operatorTxId],\n",
    replace: '',
    test: 'server/src/operators/gsma/echoes.test.ts',
    only: 'what gives back another debit',
  },
  {
    name: 'money: two refunds succeed by one transaction of the operator',
    file: 'server/src/refunds/store.ts',
    find: `\${hasBookings ? isBookedWhereItMustBe : ''}`,
    replace: '',
    test: returns,
    only: 'one transaction for two refunds',
  },
  {
    name: 'money: two reversals succeed by one transaction of the operator',
    file: 'server/src/reversals/store.ts',
    find: "' AND EXISTS (SELECT FROM booked)'",
    replace: "' AND true'",
    test: returns,
    only: 'two reversals',
  },
  {
    name: 'money: a refund succeeds by the debit itself',
    file: 'server/src/operators/query-then-send.ts',
    find: "answer.kind === 'succeeded' && isSameName(answer.operatorTxId, row.operatorTxId);",
    replace: "answer.kind === 'failed' && row.operatorTxId === '';",
    test: returns,
    only: 'the debit itself did not give back',
  },
  {
    name: 'money: nobody is told that a refund was answered with the transaction of another',
    file: 'server/src/operators/query-then-send.ts',
    find: 'if (clash !== undefined) await this.#dependencies.requestReview(row, clash);',
    replace: '',
    test: returns,
    only: 'one transaction for two refunds',
  },
];
