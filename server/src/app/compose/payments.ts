import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { liveOperators } from '../../integrations/operators/live-operators.ts';
import { measuredOperator, type OperatorCall } from '../../integrations/operators/measure-calls.ts';
import type { Operator, OperatorNotification } from '../../integrations/operators/operator.ts';
import { SelectedOperator } from '../../integrations/operators/operator-router.ts';
import { Simulator } from '../../integrations/operators/simulator/simulator.ts';
import { createPaymentProcessor, type PaymentProcessor } from '../../money/payments/process.ts';
import { makeReadPayment } from '../../money/payments/read.ts';
import { makeReschedule } from '../../money/payments/reschedule.ts';
import { makeApplyTransition } from '../../money/payments/transition.ts';
import { createPaymentWorker } from '../../money/payments/worker.ts';
import { createPhoneDigests } from '../../money/phones/digest.ts';
import { makeTakePrompt } from '../../money/phones/prompt-limits.ts';
import { makeCreateReversal } from '../../money/reversals/create.ts';
import { createReversalProcessor } from '../../money/reversals/process.ts';
import { createReversalWorker } from '../../money/reversals/worker.ts';
import type { LiveOperatorName } from '../../platform/config/operator-catalogue.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { makePrepareEnded } from '../../storefront/checkout/event.ts';
import type { Base } from './base.ts';

export type Work = ReturnType<typeof composeWork>;

/** The operators of live keys, and the simulator that test keys share, each with counted calls. */
function composeOperators(base: Base, simulator: Simulator) {
  const { config, timing, metrics, measurements } = base;
  const { publicUrl } = config;
  const settings = config.operators;
  const live = liveOperators({ ...base, ...timing, publicUrl, settings });
  const measured = (adapter: string, each: Operator, note: (call: OperatorCall) => void) =>
    measuredOperator(each, monotonicClock, (call) => {
      const { durationMs, ...labels } = call;
      metrics.operatorCalls.observe({ adapter, ...labels }, durationMs / 1_000);
      note(call);
    });
  const noteLive = (call: OperatorCall) => {
    // An operator that cannot be queried gets no query.
    const isCalled = settings[call.operator as LiveOperatorName]?.query !== 'none';
    if (isCalled || !call.call.startsWith('query')) measurements.note(call.operator, call);
  };
  const selected = new SelectedOperator({
    ...base,
    simulator: measured('simulator', simulator, (call) => measurements.note('SIMULATOR', call)),
    live: Object.fromEntries(
      Object.entries(live.operators).map(([name, each]) => [
        name,
        measured(settings[name as LiveOperatorName]!.adapter, each, noteLive),
      ]),
    ),
  });
  return { live, selected };
}

/**
 * Composes the processing of payments and reversals.
 * @param notifyDisbursement receives what the simulator says of disbursements
 */
export function composeWork(
  base: Base,
  dispatcher: DeliveryDispatcher,
  notifyDisbursement: (notification: OperatorNotification) => Promise<void>,
) {
  const { config, database, metrics, traced } = base;
  const simulator = new Simulator({
    ...base,
    delayMs: config.simulatorDelayMs,
    notify: (notification: OperatorNotification, kind) =>
      kind === 'DISBURSEMENT' ? notifyDisbursement(notification) : processor.notify(notification),
  });
  const { live, selected } = composeOperators(base, simulator);
  const operator = traced.operator(selected);
  const operatorFor = (): Operator => operator;
  const prepareEnded = makePrepareEnded({ ...base, publicUrl: config.publicUrl });
  const applyTransition = traced.applyTransition(
    makeApplyTransition({ ...base, dispatcher, prepareEnded }),
  );
  const reversalProcessor = createReversalProcessor({
    ...base,
    operatorFor,
    wake: (atMs) => reversals.wake(atMs),
  });
  const reversals = createReversalWorker({ ...base, processor: reversalProcessor });
  const reverse = makeCreateReversal({
    ...base,
    wake: (atMs) => reversals.wake(atMs),
    onReversal: ({ reason, operator }) => metrics.reversals.inc({ reason, operator }),
  });
  const reschedule = makeReschedule(database);
  const takePrompt = makeTakePrompt({
    ...base,
    phoneDigests: createPhoneDigests(base.digestKey),
    promptLimits: config.promptLimits,
    onRefused: (reason, { operator: name }) =>
      metrics.refusedPrompts.inc({ reason, operator: name }),
  });
  const processor: PaymentProcessor = traced.paymentProcessor(
    createPaymentProcessor({
      ...base,
      applyTransition,
      operatorFor,
      reschedule,
      reverse,
      takePrompt,
    }),
  );
  const payments = createPaymentWorker({ ...base, processor });
  const readPayment = traced.readPayment(makeReadPayment(base));
  return {
    simulator,
    live,
    operatorFor,
    applyTransition,
    processor,
    reverse,
    reversalProcessor,
    reversals,
    payments,
    readPayment,
  };
}
