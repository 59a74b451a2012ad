import type { DeliveryHandover } from '../events/handover.ts';
import { createAdvanceRefund } from '../refunds/advance.ts';
import { type AttendRefund, createAttendRefund } from '../refunds/attend.ts';
import { createCreateRefund } from '../refunds/create.ts';
import type { Refund } from '../refunds/refund.ts';
import { createRefundWorker } from '../refunds/worker.ts';
import type { Base } from './base.ts';
import type { Work } from './work.ts';

export type Refunds = ReturnType<typeof composeRefunds>;

/** Refunds are created, and attended to until they are done. */
export function composeRefunds(base: Base, handover: DeliveryHandover, { operatorFor }: Work) {
  const { metrics, traced } = base;
  const onRefund = ({ status, operator }: Refund) => metrics.refunds.inc({ status, operator });
  const attend: AttendRefund = traced.attendRefund(
    createAttendRefund({
      ...base,
      advance: traced.advanceRefund(createAdvanceRefund({ ...base, handover, onRefund })),
      operatorFor,
      wake: (atMs) => refundWorker.wake(atMs),
      onLateSuccess: ({ operator }) => metrics.lateRefunds.inc({ operator }),
    }),
  );
  const refundWorker = createRefundWorker({ ...base, attend });
  const createRefund = createCreateRefund({ ...base, handover, worker: refundWorker, onRefund });
  return { refundWorker, createRefund, attendRefund: attend };
}
