import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import type { Disbursement } from '../../money/disbursements/disbursement.ts';
import {
  createDisbursementProcessor,
  type DisbursementProcessor,
} from '../../money/disbursements/process.ts';
import { makeApplyDisbursementTransition } from '../../money/disbursements/transition.ts';
import { createDisbursementWorker } from '../../money/disbursements/worker.ts';
import type { Base } from './base.ts';
import type { Work } from './payments.ts';

export type Disbursements = ReturnType<typeof composeDisbursements>;

/** Composes the processing of disbursements, even where new ones are switched off: earlier ones may be under way. */
export function composeDisbursements(
  base: Base,
  dispatcher: DeliveryDispatcher,
  { operatorFor }: Pick<Work, 'operatorFor'>,
) {
  const { metrics } = base;
  const applyDisbursementTransition = makeApplyDisbursementTransition({
    ...base,
    dispatcher,
    onDisbursement: ({ status, operator }: Disbursement) =>
      metrics.disbursements.inc({ status, operator }),
  });
  const disbursementProcessor: DisbursementProcessor = createDisbursementProcessor({
    ...base,
    applyTransition: applyDisbursementTransition,
    operatorFor,
    wake: (atMs) => disbursementWorker.wake(atMs),
    onLateSuccess: ({ operator }) => metrics.lateDisbursements.inc({ operator }),
  });
  const disbursementWorker = createDisbursementWorker({
    ...base,
    processor: disbursementProcessor,
  });
  return { disbursementWorker, disbursementProcessor, applyDisbursementTransition };
}
