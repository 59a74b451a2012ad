import { auditMutations } from './audit.ts';
import { byteMutations } from './bytes.ts';
import { callbackMutations } from './callbacks.ts';
import { clockMutations } from './clock.ts';
import { consoleMutations } from './console.ts';
import { edgeMutations } from './edges.ts';
import { gatewayStaffMutations } from './gateway-staff.ts';
import { integrationMutations } from './integration.ts';
import { keyMutations } from './keys.ts';
import { moneyMutations } from './money.ts';
import { operationMutations } from './operations.ts';
import { operatorSimulatorMutations } from './operator-simulator.ts';
import { operatorTortureMutations } from './operator-torture.ts';
import { operatorMutations } from './operators.ts';
import { privacyMutations } from './privacy.ts';
import { reviewMutations } from './review.ts';
import { sdkMutations } from './sdk.ts';
import { shopMutations } from './shop.ts';
import { strangerMutations } from './strangers.ts';
import { testRunMutations } from './test-runs.ts';
import { togetherMutations } from './together.ts';
import { upgradeMutations } from './upgrades.ts';
import { webhookMutations } from './webhooks.ts';

export interface Mutation {
  name: string;
  file: string;
  find: string;
  replace: string;
  /** The test that must go red. */
  test: string;
  /** The one of its tests that is run, where the others would wait long for what the fault prevents. */
  only?: string;
}

const money = 'server/test/simulation/money.long.test.ts';
const payments = 'server/test/flows/payments.test.ts';
const settlements = 'server/test/flows/settlements.test.ts';
const torture = 'server/test/torture/torture.long.test.ts';

export const mutations: Mutation[] = [
  {
    name: 'the fee is posted twice',
    file: 'server/src/ledger/postings.ts',
    find: "to: 'payable', amountMinor: netMinor }",
    replace: "to: 'payable', amountMinor: payment.amountMinor }",
    test: money,
  },
  {
    name: 'a cut does not reset what is unsettled',
    file: 'server/src/settlements/unsettled-store.ts',
    find: 'gross_minor = 0, fee_minor = 0, refund_minor = 0,',
    replace: '',
    test: money,
  },
  {
    name: 'a cut does not open the next period',
    file: 'server/src/settlements/unsettled-store.ts',
    find: 'UPDATE unsettled SET period = period + 1,',
    replace: 'UPDATE unsettled SET period = period,',
    test: settlements,
  },
  {
    name: 'a failed settlement keeps what it took',
    file: 'server/src/settlements/finish.ts',
    find: '  await releasePeriods(transaction, seen);\n',
    replace: '',
    test: settlements,
  },
  {
    name: 'a failed settlement keeps its periods',
    file: 'server/src/settlements/unsettled-store.ts',
    find: 'UPDATE settlement_periods SET settlement_id = NULL\n',
    replace: 'UPDATE settlement_periods SET settlement_id = settlement_id\n',
    test: settlements,
  },
  {
    name: 'two settlements of a currency may be open',
    file: 'server/migrations/0002-money-after-the-debit.sql',
    find: 'CREATE UNIQUE INDEX settlements_open',
    replace: 'CREATE INDEX settlements_open',
    test: settlements,
  },
  {
    name: 'a transition is no compare-and-set',
    file: 'server/src/payments/transition-store.ts',
    find: 'AND p.version = t.seen_version',
    replace: '',
    test: 'server/src/payments/store.test.ts',
  },
  {
    name: 'a late debit is dropped',
    file: 'server/src/payments/decide.ts',
    find: "return { dueAtMs: null, reverse: { ...debitOf(answer), reason: 'LATE_DEBIT' } };",
    replace: 'return { dueAtMs: null };',
    test: payments,
    only: 'a debit that comes to light after',
  },
  {
    name: 'what a refund takes out is not counted as refunded in the settlement',
    file: 'server/src/ledger/append.ts',
    find: "CASE kind WHEN 'refund_out' THEN amount_minor",
    replace: "CASE kind WHEN 'refund_out' THEN 0",
    test: money,
  },
  {
    name: 'payments of a completed settlement are told of from the beginning again',
    file: 'server/src/settlements/mark-settled.ts',
    find: 'after ?? beginning',
    replace: 'beginning ?? after',
    test: settlements,
  },
  {
    name: 'a refund reserves nothing',
    file: 'server/src/refunds/creation-store.ts',
    find: 'refund_reserved_minor = p.refund_reserved_minor + created.amount_minor',
    replace: 'refund_reserved_minor = p.refund_reserved_minor',
    test: 'server/test/flows/refunds.test.ts',
    only: '200 refunds at once',
  },
  {
    name: 'a refund that succeeded releases its reservation',
    file: 'server/src/refunds/store.ts',
    find: 'refund_reserved_minor = p.refund_reserved_minor - moved.released_minor,',
    replace:
      'refund_reserved_minor = p.refund_reserved_minor - moved.released_minor - moved.refunded_minor,',
    test: money,
  },
  {
    name: 'a refund without a key does not look for an earlier try of its own',
    file: 'server/src/refunds/creation-store.ts',
    find: 'AND id = new_id',
    replace: 'AND id = new_id AND asked_key IS NOT NULL',
    test: 'server/src/refunds/create.test.ts',
  },
  {
    name: 'a refund that succeeded after FAILED is not listed in suspense',
    file: 'server/src/ledger/check-statements.ts',
    find: `operator_refund_id IS NOT NULL\``,
    replace: 'operator_refund_id IS NULL`',
    test: 'server/src/refunds/process.test.ts',
  },
  {
    name: 'a statement is compared with a ledger that changes meanwhile',
    file: 'server/src/ledger/reconcile.ts',
    find: 'ISOLATION LEVEL REPEATABLE READ',
    replace: 'ISOLATION LEVEL READ COMMITTED',
    test: 'server/src/ledger/reconcile.test.ts',
  },
  {
    name: 'a period that ends before it begins hides what is missing',
    file: 'server/src/ledger/reconcile.ts',
    find: 'if (fromMs >= untilMs) throw new EmptyPeriodError();',
    replace: '',
    test: 'server/src/ledger/reconcile.test.ts',
  },
  {
    name: 'a batch of refunds locks payments in the order of a plan',
    file: 'server/src/refunds/store.ts',
    find: 'ORDER BY p.tenant_id, p.id FOR UPDATE OF p',
    replace: '',
    test: 'server/src/refunds/store.test.ts',
  },
  {
    name: 'a settlement that ran into a deadlock waits for the end of its lease',
    file: 'server/src/settlements/worker.ts',
    find: 'if (!isDeadlock(error)) throw error;',
    replace: 'if (isDeadlock(error)) throw error;',
    test: 'server/src/settlements/mark-settled.test.ts',
  },
  {
    name: 'the check does not see that what is unsettled is gone',
    file: 'server/src/ledger/check-settlements.ts',
    find: 'FULL JOIN (SELECT * FROM balances',
    replace: 'LEFT JOIN (SELECT * FROM balances',
    test: 'server/src/ledger/check.test.ts',
  },
  {
    name: 'the attempt slot of a session is not taken',
    file: 'server/src/payments/session-slot.ts',
    find: 'AND NOT s.attempt_in_flight AND',
    replace: 'AND',
    test: 'server/test/flows/payment-page.test.ts',
    only: 'while an attempt is in flight',
  },
  {
    name: 'the attempt slot of a session is never released',
    file: 'server/src/payments/session-slot.ts',
    find: 'attempt_in_flight = false,',
    replace: 'attempt_in_flight = true,',
    test: 'server/test/flows/payment-page.test.ts',
    only: 'a failed attempt says why and leaves room',
  },
  {
    name: 'the signature lacks the dot after the timestamp',
    file: 'server/src/webhooks/signature.ts',
    find: '}.`, body, ',
    replace: '}`, body, ',
    test: 'server/src/webhooks/signature.test.ts',
  },
  {
    name: 'a fee is rounded down',
    file: 'server/src/fee.ts',
    find: ' + 5_000n) / 10_000n',
    replace: ') / 10_000n',
    test: 'server/src/payments/payment.test.ts',
  },
  {
    name: 'a last page that is just full says that there are more',
    file: 'server/src/http/lists.ts',
    find: 'found > count}',
    replace: 'found > count || count === limit}',
    test: 'server/test/flows/lists.test.ts',
  },
  {
    name: 'a key for refunds answers another body',
    file: 'server/src/refunds/create.ts',
    find: '      requireSame(dependencies.requestHashes, refund, input.idempotency);\n',
    replace: '',
    test: 'server/test/flows/refunds.test.ts',
  },
  {
    name: 'a payment that is refunded in part is not told of its settlement',
    file: 'server/src/payments/settle.ts',
    find: "PARTIALLY_REFUNDED: 'PARTIALLY_REFUNDED',",
    replace: '',
    test: 'server/test/simulation/settlements.test.ts',
  },
  {
    name: 'two attempts of a session are under way',
    file: 'server/src/payments/session-slot.ts',
    find: 'AND NOT s.attempt_in_flight AND',
    replace: 'AND',
    test: money,
  },
  {
    name: 'a session that has ended takes another attempt',
    file: 'server/src/payments/session-slot.ts',
    find: "AND s.status = 'OPEN' AND NOT s.attempt_in_flight AND",
    replace: 'AND NOT s.attempt_in_flight AND',
    test: money,
  },
  {
    name: 'a cancelled attempt keeps the slot of its session',
    file: 'server/src/payments/session-slot.ts',
    find: "'EXPIRED', 'CANCELLED')",
    replace: "'EXPIRED')",
    test: money,
  },
  {
    name: 'a session expires under an attempt in flight',
    file: 'server/src/checkout/store.ts',
    find: `AND s.version = given.seen_version\n    AND s.status IN \${statusesBefore(sessionTransitions, 'EXPIRED')} AND NOT s.attempt_in_flight`,
    replace: "AND s.status = 'OPEN'",
    test: 'server/test/flows/payment-page.test.ts',
    only: 'an expiry decided before an attempt began',
  },
  {
    name: 'torture: a payment is acknowledged before it is committed',
    file: 'server/src/payments/create.ts',
    find: ': inserts.submit(row);',
    replace: ': (void inserts.submit(row).catch(() => {}), Promise.resolve(true));',
    test: torture,
  },
  {
    name: 'torture: a commit does not wait until it is written',
    file: 'server/src/postgres/database.ts',
    find: '`-c timezone=UTC',
    replace: '`-c synchronous_commit=off -c timezone=UTC',
    test: torture,
  },
  {
    name: 'torture: a debit is asked for again under another reference',
    file: 'server/src/payments/send.ts',
    find: 'reference: payment.id,\n    operator:',
    replace:
      'reference: payment.queryCount > 0 ? payment.id.slice(0, -1).concat("0") : payment.id,\n    operator:',
    test: torture,
  },
  {
    name: 'torture: a delivery is recorded before it is sent',
    file: 'server/src/webhooks/worker.ts',
    find: 'const { url, mode } = target;',
    replace: `const { url, mode } = target;
    const taken = { statusCode: 200, error: null, atMs: clock.nowMs() };
    this.#recorder.record({ ...taken, delivery, attemptCount: 1, status: 'SUCCEEDED', dueAtMs: null });`,
    test: torture,
  },
  {
    name: 'torture: a delivery is in memory only',
    file: 'server/src/events/append.ts',
    find: 'FROM subscription\n  )`;',
    replace: 'FROM subscription WHERE false\n  )`;',
    test: torture,
  },
  {
    name: 'torture: postings are written after the transaction of their debit',
    file: 'server/src/payments/transition-store.ts',
    find: 'const postings = transitions.flatMap((transition) => transition.postings);',
    replace: `const late = transitions.flatMap((transition) => transition.postings.splice(0));
  const text = \`WITH new_posting AS (SELECT * FROM \${postingRows.sql(1)}), \${appendPostings} SELECT 1\`;
  if (late.length > 0) setTimeout(() => void database.query({ text }, postingRows.values(late)).catch(() => {}), 50);
  const postings: Posting[] = [];`,
    test: torture,
  },
  {
    name: 'torture: a transition heeds neither version nor lease',
    file: 'server/src/payments/transition-store.ts',
    find: 'AND p.version = t.seen_version\n    AND (t.lease IS NULL OR p.due_at = t.lease)',
    replace: '',
    test: torture,
  },
  {
    name: 'torture: a payment that was cancelled is not watched',
    file: 'server/src/payments/cancel.ts',
    find: 'const dueAtMs = dependencies.clock.nowMs();',
    replace: 'const dueAtMs = null as unknown as number;',
    test: torture,
  },
  {
    name: 'torture: a payment whose process died is never taken up again',
    file: 'server/src/jobs/claim.ts',
    find: `WHERE due_at <= \${given.nowMs} AND \${where(given)}`,
    replace: `WHERE due_at <= \${given.nowMs} AND \${table === 'payments' ? \`status <> 'CREATED'\` : true} AND \${where(given)}`,
    test: torture,
  },
  ...operationMutations,
  ...operatorSimulatorMutations,
  ...operatorTortureMutations,
  ...sdkMutations,
  ...shopMutations,
  {
    name: 'a phone is prompted without end',
    file: 'server/src/checkout/prompts.ts',
    find: 'return row!.count < count;',
    replace: 'return true;',
    test: 'server/test/flows/payment-page-safety.test.ts',
  },
  {
    name: 'attempts on one phone do not wait for each other',
    file: 'server/src/checkout/prompts.ts',
    find: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    replace: 'SELECT $1::text',
    test: 'server/test/flows/payment-page-safety.test.ts',
  },
  {
    name: 'a form that is sent again makes another attempt',
    file: 'server/src/checkout/page/pay.ts',
    find: "form.get('attempt') === String(session.attemptCount)",
    replace: "form.has('attempt')",
    test: 'server/test/flows/payment-page-safety.test.ts',
  },
  {
    name: 'a logo may load from outside',
    file: 'server/src/merchants/logo.ts',
    find: '|url\\(\\s*',
    replace: '|x\\(\\s*',
    test: 'server/src/merchants/logo.test.ts',
  },
  {
    name: 'a request that an operator has accepted counts as unknown there',
    file: 'server/src/operators/gsma/questions.ts',
    find: 'known ? pending : notFound',
    replace: 'known ? notFound : notFound',
    test: 'server/src/operators/gsma/errors.test.ts',
  },
  {
    name: 'a debit is taken for the refund that was asked for',
    file: 'server/src/operators/gsma/answers.ts',
    find: 'if (isNamed(type) && !types.includes(String(type).toLowerCase())) return true;',
    replace: '',
    test: 'server/src/operators/gsma/errors.test.ts',
  },
  {
    name: 'the MAC of a callback is not looked at',
    file: 'server/src/operators/callback-token.ts',
    find: '!isShaped || !isOurs ||',
    replace: '!isShaped || (!isOurs && isOurs) ||',
    test: 'server/test/operators/callbacks.test.ts',
  },
  ...operatorMutations,
  ...callbackMutations,
  ...webhookMutations,
  ...edgeMutations,
  ...moneyMutations,
  ...clockMutations,
  ...testRunMutations,
  ...upgradeMutations,
  ...privacyMutations,
  ...reviewMutations,
  ...byteMutations,
  ...keyMutations,
  ...auditMutations,
  ...strangerMutations,
  ...integrationMutations,
  ...consoleMutations,
  ...gatewayStaffMutations,
  ...togetherMutations,
];
