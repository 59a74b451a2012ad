import type { Logger } from 'pino';
import {
  leaseOf,
  type Processor,
  type SendingPlan,
} from '../../integrations/operators/request-processor.ts';
import { makeReschedule, type Reschedule } from '../../integrations/operators/reschedule-rows.ts';
import {
  createOutgoingProcessor,
  type OutgoingDependencies,
  returnsOf,
} from '../outgoing/process.ts';
import { contradictionOfFailure, decideRefund, type Outcome } from './decide.ts';
import { isReserved, renewRefund, rescheduleRefunds, takeRefund } from './lease-store.ts';
import type { Refund } from './refund.ts';
import { findRefund } from './store.ts';
import type { ApplyRefundTransition } from './transition.ts';

export interface RefundProcessorDependencies extends OutgoingDependencies<Refund> {
  log: Logger;
  applyTransition: ApplyRefundTransition;
  /** The operator has returned a refund that we had called FAILED: a loss that a person must look into. */
  onLateSuccess(refund: Refund): void;
}

export type RefundProcessor = Processor<Refund>;

export function createRefundProcessor(dependencies: RefundProcessorDependencies): RefundProcessor {
  const { database } = dependencies;
  const reschedule = makeReschedule(database, rescheduleRefunds);
  return createOutgoingProcessor<Refund, Outcome>(dependencies, {
    ...returnsOf<Refund>(database, 'REFUND'),
    decide: decideRefund,
    find: (tenantId, id) => findRefund(database, tenantId, id),
    take: (taking) => takeRefund(database, taking),
    renew: (refund, leaseMs) => renewRefund(database, refund, leaseMs),
    begin: (refund, plan) => begin({ ...dependencies, reschedule }, refund, plan),
    reschedule: (refund, plan) => reschedule(refund, plan),
    finish: (...finishing) => finish(dependencies, ...finishing),
    contradiction: contradictionOfFailure,
    notReceived: { to: 'FAILED', failureCode: 'OPERATOR_UNAVAILABLE' },
    unclear: ({ status }) => ({ status }),
  });
}

/** How long a refund waits before it checks again whether a person has cleared up its debit. */
const reservedWaitMs = 900_000;

async function begin(
  {
    database,
    clock,
    applyTransition,
    reschedule,
  }: RefundProcessorDependencies & { reschedule: Reschedule },
  refund: Refund,
  plan: SendingPlan,
): Promise<Refund | undefined> {
  // A refund that was sent before is only queried again, or sent to an operator that deduplicates.
  if (refund.sentAtMs === null && (await isReserved.run(database, refund)).length > 0) {
    const dueAtMs = clock.nowMs() + reservedWaitMs;
    await reschedule(refund, { dueAtMs, sentAtMs: null });
    return undefined;
  }
  if (refund.status === 'PENDING') {
    return applyTransition(refund, { to: 'PROCESSING', ...plan }, leaseOf(refund));
  }
  return (await reschedule(refund, plan)) ? { ...refund, ...plan } : undefined;
}

/**
 * False if the refund had moved on, the lease had passed to another worker, or the transaction is booked for
 * something else.
 */
async function finish(
  { clock, log, applyTransition, ...dependencies }: RefundProcessorDependencies,
  seen: Refund,
  outcome: Outcome,
  account: string | null,
  leaseMs?: number,
): Promise<boolean> {
  let refund = seen;
  if (refund.status === 'PENDING') {
    // The operator knows a refund that was never sent according to our records: the database was restored.
    const nowMs = clock.nowMs();
    const change = { to: 'PROCESSING', dueAtMs: leaseMs ?? nowMs, sentAtMs: nowMs } as const;
    const processing = await applyTransition(refund, change, leaseMs);
    if (!processing) return false;
    refund = processing;
  }
  const moved = await applyTransition(refund, { ...outcome, account, dueAtMs: null }, leaseMs);
  if (moved && refund.status === 'FAILED') {
    const { id, tenantId, operatorRefundId } = moved;
    log.error(
      { refund: id, tenantId, operatorRefundId },
      'a refund that had FAILED succeeded at the operator: its amount is missing in suspense',
    );
    dependencies.onLateSuccess(moved);
  }
  return moved !== undefined;
}
