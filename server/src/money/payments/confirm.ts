import type { PinEntry } from '../../integrations/operators/simulator/steps.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { forbidden, invalidState, notFound } from '../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../platform/idempotency/run-once.ts';
import { untilUnchanged } from '../../platform/jobs/retry-on-conflict.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import type { Payment } from './payment.ts';
import type { PaymentProcessor } from './process.ts';
import { keptOf } from './response-snapshot.ts';
import { findPayment } from './store.ts';
import type { Alongside, ApplyTransition, Change } from './transition.ts';

/**
 * Enters the PIN of a test payment in place of the customer. Returns the payment as it is then.
 * @throws FORBIDDEN with a live key, for any id
 * @throws NOT_FOUND
 * @throws INVALID_STATE unless the payment waits for the customer until the very statement that ends it
 */
export type ConfirmPayment = (
  principal: { tenantId: string; mode: 'live' | 'test' },
  id: () => string,
  author?: Author,
  keep?: KeepAnswer,
) => Promise<Payment>;

export interface ConfirmDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  applyTransition: ApplyTransition;
  processor: Pick<PaymentProcessor, 'refresh'>;
  simulator: { enterPin(tenantId: string, reference: string): Promise<PinEntry | undefined> };
}

export function makeConfirmPayment(dependencies: ConfirmDependencies): ConfirmPayment {
  return async ({ tenantId, mode }, id, author, keep = keepNothing) => {
    if (mode === 'live') throw forbidden('Only a test payment can be confirmed through the API.');
    const paymentId = id();
    return untilUnchanged('a payment changed under every try to confirm it', async () => {
      const payment = await findPayment(dependencies.database, tenantId, paymentId);
      if (!payment) throw notFound('payment');
      if (payment.status !== 'USER_CONFIRMING') {
        throw invalidState(
          `A payment that is ${payment.status} cannot be confirmed; it must be USER_CONFIRMING.`,
        );
      }
      return confirm(dependencies, payment, author, keep);
    });
  };
}

/** Ends the payment and the simulated operator's debit together, or neither; undefined if either had moved on. */
async function confirm(
  dependencies: ConfirmDependencies,
  payment: Payment,
  author: Author | undefined,
  keep: KeepAnswer,
): Promise<Payment | undefined> {
  const entry = await dependencies.simulator.enterPin(payment.tenantId, payment.id);
  if (!entry) {
    // The operator has decided already, and its decision wins; or this test number lets the prompt run out.
    const now = await dependencies.processor.refresh(payment);
    if (now.status !== 'USER_CONFIRMING') return undefined;
    await keep(dependencies.database, keptOf(now));
    return now;
  }
  const alongside: Alongside = async (transaction, next) => {
    if (!(await entry.decide(transaction))) return false;
    if (author) await writeRecord(dependencies, transaction, payment, author);
    await keep(transaction, keptOf(next));
    return true;
  };
  return dependencies.applyTransition(payment, changeOf(entry.answer), undefined, alongside);
}

const changeOf = (answer: PinEntry['answer']): Change =>
  answer.kind === 'succeeded'
    ? { to: 'DEBITED', dueAtMs: null, operatorTxId: answer.operatorTxId, account: null }
    : { to: 'FAILED', dueAtMs: null, failureCode: answer.failureCode };

function writeRecord(
  dependencies: ConfirmDependencies,
  transaction: Queryable,
  { tenantId, id }: Payment,
  author: Author,
): Promise<void> {
  const record = { tenantId, action: 'payment.confirmed', subject: formatId('pi', id) } as const;
  return writeAuditRecord(transaction, { ...dependencies, ...author }, record);
}
