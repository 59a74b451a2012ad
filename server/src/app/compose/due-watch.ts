import type { WebhookWorker } from '../../integrations/webhooks/worker.ts';
import { dueWatch } from '../../platform/jobs/due-watch.ts';
import type { Base } from './base.ts';
import type { Callbacks } from './callbacks.ts';
import type { Checkout } from './checkout.ts';
import type { Disbursements } from './disbursements.ts';
import type { Work } from './payments.ts';
import type { ComposedReconciliations } from './reconciliations.ts';
import type { Refunds } from './refunds.ts';
import type { Settlements } from './settlements.ts';

type Workers = Pick<Work, 'payments' | 'reversals' | 'simulator'> &
  Pick<Refunds, 'refundWorker'> &
  Pick<Disbursements, 'disbursementWorker' | 'batchWorker'> &
  Pick<Callbacks, 'callbackWorker'> &
  Pick<Checkout, 'checkoutWorker'> &
  Pick<ComposedReconciliations, 'reconciliationWorkers'> & { worker: Settlements['worker'] };

/** Wakes workers when their rows are due, regardless of the process that wrote them. */
export function composeWatch(base: Base, deliveries: WebhookWorker, workers: Workers) {
  const { comparisons, questions } = workers.reconciliationWorkers;
  return dueWatch(base, {
    payments: (atMs) => workers.payments.wake(atMs),
    refunds: (atMs) => workers.refundWorker.wake(atMs),
    disbursements: (atMs) => workers.disbursementWorker.wake(atMs),
    disbursement_batches: (atMs) => workers.batchWorker.wake(atMs),
    reversals: (atMs) => workers.reversals.wake(atMs),
    deliveries: (atMs) => deliveries.wake(atMs),
    operator_callbacks: (atMs) => workers.callbackWorker.wake(atMs),
    checkout_sessions: (atMs) => workers.checkoutWorker.wake(atMs),
    settlements: (atMs) => workers.worker.wake(atMs),
    simulator_transactions: (atMs) => workers.simulator.wake(atMs),
    reconciliations: (atMs) => comparisons.wakeAt(atMs),
    reconciliation_differences: (atMs) => questions.wakeAt(atMs),
  });
}
