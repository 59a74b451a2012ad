import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { makeCancelBatch } from '../../money/disbursements/batches/cancel.ts';
import { makeCreateBatch, makePreviewBatch } from '../../money/disbursements/batches/create.ts';
import { makeRetryBatch } from '../../money/disbursements/batches/retry.ts';
import { BatchWorker } from '../../money/disbursements/batches/worker.ts';
import { makeCancelDisbursement } from '../../money/disbursements/cancel.ts';
import { makeCreateDisbursement } from '../../money/disbursements/create.ts';
import { createPhoneDigests } from '../../money/phones/digest.ts';
import type { Base } from './base.ts';

export type Disbursements = ReturnType<typeof composeDisbursements>;

/** Until a worker takes them in memory, disbursements are due for all at once. */
const noWorker = {
  leaseMs: ({ createdAtMs }: { createdAtMs: number }) => createdAtMs,
  accept() {},
};

/** Composes the creation of disbursements, singly and in batches. */
export function composeDisbursements(base: Base, dispatcher: DeliveryDispatcher) {
  const dependencies = {
    ...base,
    dispatcher,
    disbursementSettings: base.config.disbursements,
    phoneDigests: createPhoneDigests(base.digestKey),
    worker: noWorker,
    onDisbursement() {},
  };
  const batchWorker = new BatchWorker(dependencies);
  const createBatch = makeCreateBatch({ ...dependencies, batchWorker });
  return {
    createDisbursement: makeCreateDisbursement(dependencies),
    cancelDisbursement: makeCancelDisbursement(dependencies),
    batchWorker,
    createBatch,
    previewBatch: makePreviewBatch({ ...dependencies, batchWorker }),
    retryBatch: makeRetryBatch({ ...dependencies, createBatch }),
    cancelBatch: makeCancelBatch({ ...dependencies, batchWorker }),
  };
}
