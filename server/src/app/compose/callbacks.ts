import { makeProvesSender } from '../../money/callbacks/authenticate-sender.ts';
import { makeHandleCallback } from '../../money/callbacks/handle.ts';
import { makeTakeCallback } from '../../money/callbacks/receive.ts';
import { callbackSubjects } from '../../money/callbacks/subjects.ts';
import { createCallbackWorker } from '../../money/callbacks/worker.ts';
import type { Base } from './base.ts';
import type { Disbursements } from './disbursements.ts';
import type { Work } from './payments.ts';
import type { Refunds } from './refunds.ts';

export type Callbacks = ReturnType<typeof composeCallbacks>;

/** Composes the callbacks of operators, which trigger queries. */
export function composeCallbacks(base: Base, work: Work, outgoing: Refunds & Disbursements) {
  const { processor: payments, reversalProcessor: reversals, operatorFor, reverse } = work;
  const { refundProcessor: refunds, disbursementProcessor: disbursements } = outgoing;
  const processors = { payments, refunds, reversals, disbursements };
  const subjects = callbackSubjects({ ...base, ...processors, operatorFor, reverse });
  const wake = (atMs: number) => callbackWorker.wake(atMs);
  const { hintBackoffMs } = base.timing;
  const asking = { subjects, operatorFor, wake, hintBackoffMs };
  const provesSender = makeProvesSender(base.config.operators);
  const handle = makeHandleCallback({ ...base, ...asking, provesSender });
  const callbackWorker = createCallbackWorker({ ...base, handle });
  const takeCallback = makeTakeCallback({ ...base, worker: callbackWorker });
  return { callbackWorker, takeCallback };
}
