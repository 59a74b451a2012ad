import { createPrepareEnded } from '../checkout/event.ts';
import type { LiveOperatorName } from '../config/catalogue.ts';
import type { DeliveryHandover } from '../events/handover.ts';
import { liveOperators } from '../operators/live.ts';
import { measuredOperator, type OperatorCall } from '../operators/measured.ts';
import type { Operator, OperatorNotice } from '../operators/operator.ts';
import { SelectedOperator } from '../operators/select.ts';
import { Simulator } from '../operators/simulator/simulator.ts';
import { createAdvance } from '../payments/advance.ts';
import { type Attend, createAttend } from '../payments/attend.ts';
import { createReschedule } from '../payments/reschedule.ts';
import { createPaymentWorker } from '../payments/worker.ts';
import { createPhoneDigests } from '../phones/digest.ts';
import { createTakePrompt } from '../phones/prompts.ts';
import { monotonicClock } from '../platform/clock.ts';
import { createAttendReversal } from '../reversals/attend.ts';
import { createStartReversal } from '../reversals/start.ts';
import { createReversalWorker } from '../reversals/worker.ts';
import type { Base } from './base.ts';

export type Work = ReturnType<typeof composeWork>;

/** Payments and reversals are attended to until they are done. */
export function composeWork(base: Base, handover: DeliveryHandover) {
  const { config, database, timing, metrics, traced } = base;
  const simulator = new Simulator({
    ...base,
    delayMs: config.simulatorDelayMs,
    notify: (notice: OperatorNotice) => attend.notice(notice),
  });
  const { publicUrl } = config;
  const settings = config.operators;
  const live = liveOperators({ ...base, ...timing, publicUrl, settings });
  const measured = (adapter: string, each: Operator) =>
    measuredOperator(each, monotonicClock, ({ durationMs, ...labels }: OperatorCall) =>
      metrics.operatorCalls.observe({ adapter, ...labels }, durationMs / 1_000),
    );
  const selected = new SelectedOperator({
    ...base,
    simulator: measured('simulator', simulator),
    live: Object.fromEntries(
      Object.entries(live.operators).map(([name, each]) => [
        name,
        measured(settings[name as LiveOperatorName]!.adapter, each),
      ]),
    ),
  });
  const operator = traced.operator(selected);
  const operatorFor = (): Operator => operator;
  const prepareEnded = createPrepareEnded({ ...base, publicUrl });
  const advance = traced.advance(createAdvance({ ...base, handover, prepareEnded }));
  const attendReversal = createAttendReversal({
    ...base,
    operatorFor,
    wake: (atMs) => reversals.wake(atMs),
  });
  const reversals = createReversalWorker({ ...base, attend: attendReversal });
  const reverse = createStartReversal({
    ...base,
    wake: (atMs) => reversals.wake(atMs),
    onReversal: ({ reason, operator }) => metrics.reversals.inc({ reason, operator }),
  });
  const reschedule = createReschedule(database);
  const takePrompt = createTakePrompt({
    ...base,
    phoneDigests: createPhoneDigests(base.digestKey),
    promptLimits: config.promptLimits,
    onRefused: (reason, { operator: name }) =>
      metrics.refusedPrompts.inc({ reason, operator: name }),
  });
  const attend: Attend = traced.attend(
    createAttend({ ...base, advance, operatorFor, reschedule, reverse, takePrompt }),
  );
  const payments = createPaymentWorker({ ...base, attend });
  return {
    simulator,
    live,
    operatorFor,
    advance,
    attend,
    reverse,
    attendReversal,
    reversals,
    payments,
  };
}
