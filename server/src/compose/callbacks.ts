import { createProvesSender } from '../operators/callbacks/authenticate.ts';
import { createHandleCallback } from '../operators/callbacks/handle.ts';
import { callbackSubjects } from '../operators/callbacks/subjects.ts';
import { createTakeCallback } from '../operators/callbacks/take.ts';
import { createCallbackWorker } from '../operators/callbacks/worker.ts';
import type { Base } from './base.ts';
import type { Refunds } from './refunds.ts';
import type { Work } from './work.ts';

export type Callbacks = ReturnType<typeof composeCallbacks>;

/** Callbacks of operators are taken, and make us ask. */
export function composeCallbacks(base: Base, work: Work, refunds: Refunds) {
  const { attend: payments, attendReversal: reversals, operatorFor, reverse } = work;
  const { attendRefund } = refunds;
  const noticing = { payments, refunds: attendRefund, reversals };
  const subjects = callbackSubjects({ ...base, ...noticing, operatorFor, reverse });
  const wake = (atMs: number) => callbackWorker.wake(atMs);
  const { hintGapsMs } = base.timing;
  const asking = { subjects, operatorFor, wake, hintGapsMs };
  const provesSender = createProvesSender(base.config.operators);
  const handle = createHandleCallback({ ...base, ...asking, provesSender });
  const callbackWorker = createCallbackWorker({ ...base, handle });
  const takeCallback = createTakeCallback({ ...base, worker: callbackWorker });
  return { callbackWorker, takeCallback };
}
