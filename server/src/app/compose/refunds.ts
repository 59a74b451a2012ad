import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { makeCreateRefund } from '../../money/refunds/create.ts';
import { createRefundProcessor, type RefundProcessor } from '../../money/refunds/process.ts';
import type { Refund } from '../../money/refunds/refund.ts';
import { makeApplyRefundTransition } from '../../money/refunds/transition.ts';
import { createRefundWorker } from '../../money/refunds/worker.ts';
import { createReturnsEntry } from '../../money/review/backfill-transactions.ts';
import { RenderingChange } from '../../platform/idempotency/rendering-change.ts';
import type { Base } from './base.ts';
import type { Work } from './payments.ts';

export type Refunds = ReturnType<typeof composeRefunds>;

/** Composes the creation and processing of refunds. */
export function composeRefunds(base: Base, dispatcher: DeliveryDispatcher, { operatorFor }: Work) {
  const { metrics, traced } = base;
  const onRefund = ({ status, operator }: Refund) => metrics.refunds.inc({ status, operator });
  const processor: RefundProcessor = traced.refundProcessor(
    createRefundProcessor({
      ...base,
      applyTransition: traced.applyRefundTransition(
        makeApplyRefundTransition({ ...base, dispatcher, onRefund }),
      ),
      operatorFor,
      wake: (atMs) => refundWorker.wake(atMs),
      onLateSuccess: ({ operator }) => metrics.lateRefunds.inc({ operator }),
    }),
  );
  const refundWorker = createRefundWorker({ ...base, processor });
  const { refundApprovalAbove } = base.config;
  const refundRendering = new RenderingChange(60);
  const own = { dispatcher, worker: refundWorker, onRefund, refundApprovalAbove, refundRendering };
  const createRefund = makeCreateRefund({ ...base, ...own });
  const returnsEntry = createReturnsEntry(base);
  return {
    refundWorker,
    createRefund,
    refundRendering,
    refundProcessor: processor,
    returnsEntry,
  };
}
