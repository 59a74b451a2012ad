import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { makeCheckPayout } from '../../integrations/operators/check.ts';
import { makeCancelDisbursement } from '../../money/disbursements/cancel.ts';
import { makeCreateDisbursement } from '../../money/disbursements/create.ts';
import type { Disbursement } from '../../money/disbursements/disbursement.ts';
import {
  createDisbursementProcessor,
  type DisbursementProcessor,
} from '../../money/disbursements/process.ts';
import { makeApplyDisbursementTransition } from '../../money/disbursements/transition.ts';
import { createDisbursementWorker } from '../../money/disbursements/worker.ts';
import { createPhoneDigests } from '../../money/phones/digest.ts';
import type { Base } from './base.ts';
import type { Work } from './payments.ts';

export type Disbursements = ReturnType<typeof composeDisbursements>;

/** Composes disbursements. They are processed even where new ones are switched off: earlier ones may be under way. */
export function composeDisbursements(
  base: Base,
  dispatcher: DeliveryDispatcher,
  { operatorFor }: Pick<Work, 'operatorFor'>,
) {
  const onDisbursement = ({ status, operator }: Disbursement) =>
    base.metrics.disbursements.inc({ status, operator });
  const applyDisbursementTransition = makeApplyDisbursementTransition({
    ...base,
    dispatcher,
    onDisbursement,
  });
  const disbursementProcessor: DisbursementProcessor = createDisbursementProcessor({
    ...base,
    applyTransition: applyDisbursementTransition,
    operatorFor,
    wake: (atMs) => disbursementWorker.wake(atMs),
    onLateSuccess: ({ operator }) => base.metrics.lateDisbursements.inc({ operator }),
  });
  const disbursementWorker = createDisbursementWorker({
    ...base,
    processor: disbursementProcessor,
  });
  const creating = {
    ...base,
    dispatcher,
    disbursementSettings: base.config.disbursements,
    phoneDigests: createPhoneDigests(base.digestKey),
    checkOperator: makeCheckPayout(base.config.operators),
    worker: disbursementWorker,
    onDisbursement,
  };
  return {
    createDisbursement: makeCreateDisbursement(creating),
    cancelDisbursement: makeCancelDisbursement(creating),
    disbursementWorker,
    disbursementProcessor,
    applyDisbursementTransition,
  };
}
