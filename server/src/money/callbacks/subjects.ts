import type { CallbackContent } from '../../integrations/operators/adapter.ts';
import type { CallbackKind } from '../../integrations/operators/callback-token.ts';
import type {
  DebitRequest,
  Operator,
  OperatorAnswer,
  OperatorNotification,
} from '../../integrations/operators/operator.ts';
import { untilUnchanged } from '../../platform/jobs/retry-on-conflict.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type Currency, currencies } from '../../platform/values/money.ts';
import { findByReference } from '../disbursements/store.ts';
import { markMismatched } from '../payments/lease-store.ts';
import { isOpen } from '../payments/payment.ts';
import { findPayment } from '../payments/store.ts';
import { findRefund } from '../refunds/store.ts';
import type { CreateReversal } from '../reversals/create.ts';
import { findReversal } from '../reversals/store.ts';
import type { RequestReview } from '../review/request-review.ts';
import type { CallbackSubject, KnownSubject } from './handle.ts';
import type { OperatorCallback } from './store.ts';
import { findUnknownReturn } from './unknown-returns.ts';

/** Lists a payment once for each of its wrong debits, or once if it has none. */
interface KnownDebit {
  operatorTxId: string | null;
  amountMinor: bigint;
  currency: string;
  dueAtMs: number | null;
  wrongTxId: string | null;
  wrongMinor: bigint;
}

const knownDebitStatement = {
  name: 'operator_callbacks.known_debit',
  text: `
SELECT p.operator_tx_id AS "operatorTxId", p.amount_minor AS "amountMinor", p.currency,
  p.due_at AS "dueAtMs", r.operator_tx_id AS "wrongTxId", r.amount_minor AS "wrongMinor"
FROM payments p
LEFT JOIN reversals r ON r.tenant_id = p.tenant_id AND r.payment_id = p.id
WHERE p.tenant_id = $1 AND p.id = $2`,
};

interface NotificationHandler {
  hint(tenantId: string, reference: string): Promise<OperatorAnswer | undefined>;
  notify(notification: OperatorNotification): Promise<void>;
}

export interface SubjectDependencies {
  database: Database;
  payments: NotificationHandler;
  refunds: NotificationHandler;
  reversals: NotificationHandler;
  disbursements: NotificationHandler;
  operatorFor(callback: OperatorCallback): Operator;
  reverse: CreateReversal;
  requestReview: RequestReview;
}

/** What callbacks can be about, and which use case queries the operator about each. */
export function callbackSubjects(
  dependencies: SubjectDependencies,
): Record<CallbackKind, CallbackSubject> {
  return {
    DEBIT: debits(dependencies),
    REFUND: refunds(dependencies),
    REVERSAL: reversals(dependencies),
    DISBURSEMENT: disbursements(dependencies),
  };
}

async function hold(database: Database, tenantId: string, reference: string): Promise<void> {
  await untilUnchanged('a payment changed under every try to keep it open', async () => {
    const payment = await findPayment(database, tenantId, reference);
    const isHeld = !payment || !isOpen(payment.status) || payment.mismatched;
    return isHeld || (await markMismatched(database, payment)) || undefined;
  });
}

function debits(dependencies: SubjectDependencies): CallbackSubject {
  const { database, payments } = dependencies;
  return {
    kind: 'PAYMENT',
    async find(tenantId, reference) {
      const rows = await database.query<KnownDebit>(knownDebitStatement, [tenantId, reference]);
      const [payment] = rows;
      if (!payment) return undefined;
      const { operatorTxId, amountMinor, currency, dueAtMs } = payment;
      const good = operatorTxId === null ? [] : [{ operatorTxId, amountMinor }];
      const wrong = rows.flatMap(({ wrongTxId, wrongMinor }) =>
        wrongTxId === null ? [] : [{ operatorTxId: wrongTxId, amountMinor: wrongMinor }],
      );
      // A cancelled or expired payment may still be debited while we query the operator about it.
      const ended = dueAtMs === null ? 'FAILED' : 'OPEN';
      const outcome = operatorTxId === null ? ended : 'SUCCEEDED';
      const isScheduled = dueAtMs !== null;
      return { outcome, isScheduled, booked: [...good, ...wrong], amountMinor, currency };
    },
    phoneOf: async (tenantId, reference) =>
      (await findPayment(database, tenantId, reference))?.operatorPhone,
    hint: (tenantId, reference) => payments.hint(tenantId, reference),
    notify: (notification) => payments.notify(notification),
    hold: (tenantId, reference) => hold(database, tenantId, reference),
    findUnknown: (callback, about) => findUnknownDebit(dependencies, callback, about),
  };
}

function refunds(dependencies: SubjectDependencies): CallbackSubject {
  const { database, refunds: processor } = dependencies;
  return {
    kind: 'REFUND',
    async find(tenantId, reference) {
      const refund = await findRefund(database, tenantId, reference);
      if (!refund) return undefined;
      const { operatorRefundId, amountMinor, currency, operatorTxId: debitTxId } = refund;
      const booked =
        operatorRefundId === null ? [] : [{ operatorTxId: operatorRefundId, amountMinor }];
      return { ...stateOf(refund), booked, amountMinor, currency, debitTxId };
    },
    phoneOf: async (tenantId, reference) =>
      phoneOfPayment(database, await findRefund(database, tenantId, reference)),
    hint: (tenantId, reference) => processor.hint(tenantId, reference),
    notify: (notification) => processor.notify(notification),
    findUnknown: (callback, about) =>
      findUnknownReturn(dependencies, { ...callback, kind: 'REFUND' }, about),
  };
}

function reversals(dependencies: SubjectDependencies): CallbackSubject {
  const { database, reversals: processor } = dependencies;
  return {
    kind: 'REVERSAL',
    async find(tenantId, reference) {
      const reversal = await findReversal(database, tenantId, reference);
      if (!reversal) return undefined;
      const { operatorReversalId, amountMinor, currency, status } = reversal;
      const { operatorTxId: debitTxId } = reversal;
      // For a reversal that succeeded before its transaction id was stored, any id is right.
      const booked =
        status === 'SUCCEEDED' ? [{ operatorTxId: operatorReversalId, amountMinor }] : [];
      return { ...stateOf(reversal), booked, amountMinor, currency, debitTxId };
    },
    phoneOf: async (tenantId, reference) =>
      phoneOfPayment(database, await findReversal(database, tenantId, reference)),
    hint: (tenantId, reference) => processor.hint(tenantId, reference),
    notify: (notification) => processor.notify(notification),
    findUnknown: (callback, about) =>
      findUnknownReturn(dependencies, { ...callback, kind: 'REVERSAL' }, about),
  };
}

/** A disbursement that a restore has lost is made again by the same request, under the same name. */
function disbursements({
  database,
  disbursements: processor,
}: SubjectDependencies): CallbackSubject {
  return {
    kind: 'DISBURSEMENT',
    async find(tenantId, reference) {
      const disbursement = await findByReference(database, tenantId, reference);
      if (!disbursement) return undefined;
      const { id, operatorTxId, amountMinor, currency } = disbursement;
      const booked = operatorTxId === null ? [] : [{ operatorTxId, amountMinor }];
      return { id, ...stateOf(disbursement), booked, amountMinor, currency };
    },
    phoneOf: async (tenantId, reference) =>
      (await findByReference(database, tenantId, reference))?.operatorPhone ?? undefined,
    hint: (tenantId, reference) => processor.hint(tenantId, reference),
    notify: (notification) => processor.notify(notification),
  };
}

async function phoneOfPayment(
  database: Database,
  givenBack: { tenantId: string; paymentId: string } | undefined,
): Promise<string | undefined> {
  if (!givenBack) return undefined;
  return (await findPayment(database, givenBack.tenantId, givenBack.paymentId))?.operatorPhone;
}

function stateOf({
  status,
  dueAtMs,
}: {
  status: string;
  dueAtMs: number | null;
}): Pick<KnownSubject, 'outcome' | 'isScheduled'> {
  const isScheduled = dueAtMs !== null;
  if (status === 'CANCELLED') return { outcome: 'FAILED', isScheduled };
  const outcome = status === 'SUCCEEDED' || status === 'FAILED' ? status : 'OPEN';
  return { outcome, isScheduled };
}

/**
 * A debit that our records lack: they were restored from before it was requested. We hold in suspense what the
 * operator answers, not what the callback says, until a person decides.
 * @param about null for a callback that was not kept; if it names no currency, the operator is queried for each
 * @returns whether the operator has given a definite answer
 */
async function findUnknownDebit(
  dependencies: SubjectDependencies,
  callback: OperatorCallback,
  about: CallbackContent['about'],
): Promise<boolean> {
  const stated = about?.currency;
  const named = typeof stated === 'string' ? stated.toUpperCase() : undefined;
  const possible = currencies.filter((currency) => named === undefined || named === currency);
  // Together, since one after the other they could outlast the lease of the callback.
  const answers = await Promise.all(
    possible.map(async (currency) => ({
      currency,
      ...(await queryUnknownDebit(dependencies, callback, currency)),
    })),
  );
  const found = answers.find((answer) => answer.kind === 'succeeded');
  if (found) await holdUnknownDebit(dependencies, callback, found);
  return found !== undefined || answers.some(({ kind }) => kind === 'failed');
}

function queryUnknownDebit(
  dependencies: SubjectDependencies,
  callback: OperatorCallback,
  currency: Currency,
): Promise<OperatorAnswer> {
  const { tenantId, reference, operator } = callback;
  const request: DebitRequest = {
    tenantId,
    reference,
    operator,
    currency,
    amountMinor: 0n,
    phone: '',
    expiresAtMs: 0,
    abandoned: true,
    repeated: false,
  };
  return dependencies.operatorFor(callback).queryDebit(request);
}

interface FoundDebit {
  operatorTxId: string;
  amountMinor: bigint;
  currency: Currency;
}

async function holdUnknownDebit(
  dependencies: SubjectDependencies,
  callback: OperatorCallback,
  { operatorTxId, amountMinor, currency }: FoundDebit,
): Promise<void> {
  const { tenantId, reference, operator } = callback;
  const { account } = await dependencies.operatorFor(callback).traits(callback);
  const debit = { reason: 'UNKNOWN_REFERENCE', operatorTxId, amountMinor } as const;
  const subject = { tenantId, id: reference, operator };
  const isHeld = await dependencies.reverse({ ...subject, currency }, debit, account);
  // If the transaction is booked for something else, a person has been told already.
  if (!isHeld) return;
  const told = { operatorTxId, amountMinor: amountMinor.toString(), currency };
  const detail = { booked: 'nothing', told };
  await dependencies.requestReview('PAYMENT', subject, {
    kind: 'UNKNOWN_REFERENCE',
    about: operatorTxId,
    detail,
  });
}
