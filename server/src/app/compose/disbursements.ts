import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { makeCheckPayout } from '../../integrations/operators/check.ts';
import { createWalletNames } from '../../integrations/operators/wallet-names.ts';
import { makeCancelBatch } from '../../money/disbursements/batches/cancel.ts';
import { makeCreateBatch, makePreviewBatch } from '../../money/disbursements/batches/create.ts';
import { makeRetryBatch } from '../../money/disbursements/batches/retry.ts';
import { BatchWorker } from '../../money/disbursements/batches/worker.ts';
import { makeCancelDisbursement } from '../../money/disbursements/cancel.ts';
import { makeCreateDisbursement } from '../../money/disbursements/create.ts';
import type { Disbursement } from '../../money/disbursements/disbursement.ts';
import { makeLookUpName } from '../../money/disbursements/look-up-name.ts';
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
  const walletNames = createWalletNames({ ...base, operators: base.config.operators });
  return {
    walletNames,
    lookUpName: makeLookUpName({ ...base, walletNames }),
    createDisbursement: makeCreateDisbursement(creating),
    cancelDisbursement: makeCancelDisbursement(creating),
    ...composeBatches(creating),
    disbursementWorker,
    disbursementProcessor,
    applyDisbursementTransition,
  };
}

type Creating = ConstructorParameters<typeof BatchWorker>[0];

function composeBatches(creating: Creating) {
  const batchWorker = new BatchWorker(creating);
  const batching = { ...creating, batchWorker };
  const createBatch = makeCreateBatch(batching);
  return {
    batchWorker,
    createBatch,
    previewBatch: makePreviewBatch(batching),
    retryBatch: makeRetryBatch({ ...creating, createBatch }),
    cancelBatch: makeCancelBatch(batching),
  };
}
