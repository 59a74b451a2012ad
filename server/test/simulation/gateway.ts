import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import type { CallbackTokens } from '../../src/integrations/operators/callback-token.ts';
import { Exchange } from '../../src/integrations/operators/gsma/exchange.ts';
import { GsmaOperator } from '../../src/integrations/operators/gsma/operator.ts';
import { loadAdapters } from '../../src/integrations/operators/load-adapters.ts';
import type {
  Operator,
  OperatorName,
  OperatorNotification,
} from '../../src/integrations/operators/operator.ts';
import { SelectedOperator } from '../../src/integrations/operators/operator-router.ts';
import { Simulator } from '../../src/integrations/operators/simulator/simulator.ts';
import { makeHandleCallback } from '../../src/money/callbacks/handle.ts';
import { makeTakeCallback } from '../../src/money/callbacks/receive.ts';
import { callbackSubjects, type SubjectDependencies } from '../../src/money/callbacks/subjects.ts';
import { createCallbackWorker } from '../../src/money/callbacks/worker.ts';
import { makeCancelBatch } from '../../src/money/disbursements/batches/cancel.ts';
import { makeCreateBatch } from '../../src/money/disbursements/batches/create.ts';
import { BatchWorker } from '../../src/money/disbursements/batches/worker.ts';
import { makeCancelDisbursement } from '../../src/money/disbursements/cancel.ts';
import { makeCreateDisbursement } from '../../src/money/disbursements/create.ts';
import {
  createDisbursementProcessor,
  type DisbursementProcessor,
} from '../../src/money/disbursements/process.ts';
import { makeApplyDisbursementTransition } from '../../src/money/disbursements/transition.ts';
import { createDisbursementWorker } from '../../src/money/disbursements/worker.ts';
import { makeCancelPayment } from '../../src/money/payments/cancel.ts';
import { makeCreatePayment } from '../../src/money/payments/create.ts';
import { createPaymentProcessor, type PaymentProcessor } from '../../src/money/payments/process.ts';
import { makeReschedule } from '../../src/money/payments/reschedule.ts';
import { makeApplyTransition } from '../../src/money/payments/transition.ts';
import { createPaymentWorker } from '../../src/money/payments/worker.ts';
import { makeCreateRefund } from '../../src/money/refunds/create.ts';
import { createRefundProcessor } from '../../src/money/refunds/process.ts';
import { makeApplyRefundTransition } from '../../src/money/refunds/transition.ts';
import { createRefundWorker } from '../../src/money/refunds/worker.ts';
import { makeCreateReversal } from '../../src/money/reversals/create.ts';
import { createReversalProcessor } from '../../src/money/reversals/process.ts';
import { createReversalWorker } from '../../src/money/reversals/worker.ts';
import { makeRequestReview } from '../../src/money/review/request-review.ts';
import { makeProcessSettlement } from '../../src/money/settlements/create.ts';
import type { Payout } from '../../src/money/settlements/payout-file.ts';
import { SettlementWorker } from '../../src/money/settlements/worker.ts';
import { ByteBudget } from '../../src/platform/memory/byte-budget.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { pageBytes } from '../../src/platform/postgres/page-bytes.ts';
import type { Ids } from '../../src/platform/values/ids.ts';
import { makePrepareEnded } from '../../src/storefront/checkout/event.ts';
import { testHashes } from '../support/request-hashes.ts';
import type { LiveName, World } from './dependencies.ts';
import type { GatewayDials } from './dials.ts';
import { simulatedClient } from './network.ts';
import type { Actor } from './scheduler.ts';
import type { MeasuredClock } from './settings.ts';
import {
  clockOf,
  disbursementSettings,
  logOf,
  operatorSettings,
  publicUrl,
  refundSettings,
  settings,
  settlementRendering,
} from './settings.ts';

const adapterOf = await loadAdapters({});

export interface GatewayDependencies {
  world: World;
  dials: GatewayDials;
  actor: Actor;
}

type Base = ReturnType<typeof baseOf>;
export type Gateway = ReturnType<typeof openGateway>;

/**
 * One gateway process: the real use cases and workers on the simulated store, clock and network.
 */
export function openGateway(dependencies: GatewayDependencies) {
  const base = baseOf(dependencies);
  const operator = operatorOf(dependencies, base, (notification, kind) =>
    (kind === 'DISBURSEMENT' ? disbursements : payments).processor.notify(notification),
  );
  const payments = paymentsOf(base, operator.selected);
  const refunds = refundsOf(base, operator.selected);
  const disbursements = disbursementsOf(base, operator.selected);
  const callbacks = callbacksOf(base, {
    payments: payments.processor,
    reversals: payments.reversalProcessor,
    refunds: refunds.processor,
    disbursements: disbursements.processor,
    operatorFor: () => operator.selected,
    reverse: payments.reverse,
  });
  const settlements = settlementsOf(base);
  const workers = [
    callbacks.worker,
    payments.worker,
    operator.simulator,
    payments.reversals,
    refunds.worker,
    settlements.worker,
    // Without disbursements, a seed repeats the steps that it had before there were any.
    ...(dependencies.world.dials.disbursed > 0
      ? [disbursements.worker, disbursements.batchWorker]
      : []),
  ];
  return {
    ...base,
    createPayment: payments.createPayment,
    cancelPayment: payments.cancelPayment,
    createRefund: refunds.createRefund,
    createDisbursement: disbursements.createDisbursement,
    cancelDisbursement: disbursements.cancelDisbursement,
    createBatch: disbursements.createBatch,
    cancelBatch: disbursements.cancelBatch,
    takeCallback: callbacks.take,
    processSettlement: settlements.processSettlement,
    /** As in app/start.ts: the clock first, then work. */
    async start() {
      await keepTime(base.clock);
      for (const worker of workers) worker.start();
    },
  };
}

/** Like the clock's keeper, but without checks between its measurements. */
async function keepTime(clock: MeasuredClock): Promise<void> {
  await clock.measure().catch(() => {});
  clock.after!(60_000, () => void keepTime(clock));
}

function baseOf({ world, dials, actor }: GatewayDependencies) {
  const database: Database = world.store.databaseOf(actor);
  const clock: MeasuredClock = clockOf(world.scheduler, actor, dials.skewMs);
  const log: Logger = logOf(world.trace, actor.name);
  const requestReview = makeRequestReview({ database, clock, log, onReview() {} });
  const ids: Ids = world.ids;
  const tokens: CallbackTokens = world.tokens;
  const payout: Payout = world.bank.payoutOf(actor, world.scheduler);
  return {
    actor,
    adapterOf,
    database,
    clock,
    log,
    ids,
    tokens,
    payout,
    requestReview,
    dispatcher: noDispatcher,
    requestHashes: testHashes,
    timing: { ...settings.timing, operatorTimeoutMs: dials.operatorTimeoutMs },
    maxCallsOf: () => dials.maxCalls,
    paymentMemory: new ByteBudget({ perTenant: pageBytes, test: pageBytes, overall: pageBytes }),
    onTransition() {},
    onRefund() {},
    onNotReceived() {},
  };
}

function operatorOf(
  { world, dials, actor }: GatewayDependencies,
  base: Base,
  notify: (notification: OperatorNotification, kind: string) => Promise<void>,
) {
  const simulator = new Simulator({ ...base, delayMs: 2_000, notify });
  const liveOf = (operator: LiveName) => {
    const client = simulatedClient({
      ...world,
      operator,
      dials: world.dials.operators[operator],
      gateway: dials,
      actor,
      random: world.random,
      provider: world.providers[operator],
      onRequest: (reference, kind) => world.checks.onRequest(actor, dials, reference, kind),
      onAnswer: (...given) => world.checks.onAnswer(...given),
    });
    const pauseMs = base.timing.firstBackoffMs;
    const exchange = new Exchange({ ...base, operator, client, pauseMs, onCall() {} });
    return new GsmaOperator({
      ...base,
      operator,
      exchange,
      settings: operatorSettings(world.dials.operators[operator]),
      timeoutMs: dials.operatorTimeoutMs,
      callbackUrl: (kind, tenantId, reference) =>
        `${publicUrl}/operators/${operator}/callbacks/${base.tokens.make({ operator, kind, tenantId, reference })}`,
    });
  };
  const live: Partial<Record<OperatorName, Operator>> = {
    CVMOVEL: liveOf('CVMOVEL'),
    UNITEL_TMAIS: liveOf('UNITEL_TMAIS'),
  };
  return { simulator, selected: new SelectedOperator({ ...base, simulator, live }) };
}

function paymentsOf(base: Base, operator: Operator) {
  const operatorFor = () => operator;
  const prepareEnded = makePrepareEnded({ ...base, publicUrl });
  const applyTransition = makeApplyTransition({ ...base, prepareEnded });
  const reversalProcessor = createReversalProcessor({
    ...base,
    operatorFor,
    wake: (atMs) => reversals.wake(atMs),
  });
  const reversals = createReversalWorker({ ...base, processor: reversalProcessor });
  const reverse = makeCreateReversal({
    ...base,
    wake: (atMs) => reversals.wake(atMs),
    onReversal() {},
  });
  const reschedule = makeReschedule(base.database);
  const processor: PaymentProcessor = createPaymentProcessor({
    ...base,
    applyTransition,
    operatorFor,
    reschedule,
    reverse,
  });
  const worker = createPaymentWorker({ ...base, processor });
  const { fees, expiryMs } = settings;
  const creation = { ...base, fees, expiryMs, worker, checkOperator() {} };
  return {
    processor,
    reversalProcessor,
    reverse,
    reversals,
    worker,
    createPayment: makeCreatePayment(creation),
    cancelPayment: makeCancelPayment({
      ...base,
      applyTransition,
      wake: (atMs) => worker.wake(atMs),
    }),
  };
}

function refundsOf(base: Base, operator: Operator) {
  const processor = createRefundProcessor({
    ...base,
    applyTransition: makeApplyRefundTransition(base),
    operatorFor: () => operator,
    wake: (atMs) => worker.wake(atMs),
    onLateSuccess() {},
  });
  const worker = createRefundWorker({ ...base, processor });
  return {
    processor,
    worker,
    createRefund: makeCreateRefund({ ...base, ...refundSettings, worker }),
  };
}

function disbursementsOf(base: Base, operator: Operator) {
  const processor: DisbursementProcessor = createDisbursementProcessor({
    ...base,
    home: base.database,
    applyTransition: makeApplyDisbursementTransition({ ...base, onDisbursement() {} }),
    operatorFor: () => operator,
    wake: (atMs) => worker.wake(atMs),
    onLateSuccess() {},
  });
  const worker = createDisbursementWorker({ ...base, processor });
  const creating = {
    ...base,
    disbursementSettings,
    checkOperator() {},
    phoneDigests: { of: async () => undefined },
    worker,
    onDisbursement() {},
  };
  const batchWorker = new BatchWorker(creating);
  const batching = { ...creating, batchWorker };
  return {
    processor,
    worker,
    batchWorker,
    createDisbursement: makeCreateDisbursement(creating),
    cancelDisbursement: makeCancelDisbursement(creating),
    createBatch: makeCreateBatch(batching),
    cancelBatch: makeCancelBatch(batching),
  };
}

type Told = Pick<
  SubjectDependencies,
  'payments' | 'refunds' | 'reversals' | 'disbursements' | 'operatorFor' | 'reverse'
>;

function callbacksOf(base: Base, told: Told) {
  const subjects = callbackSubjects({ ...base, ...told });
  const { operatorFor } = told;
  const { hintBackoffMs } = base.timing;
  const wake = (atMs: number) => worker.wake(atMs);
  const asking = { subjects, operatorFor, wake, hintBackoffMs, provesSender: () => false };
  const handle = makeHandleCallback({ ...base, ...asking });
  const worker = createCallbackWorker({ ...base, handle });
  const metrics = {
    excessCallbacks: new Counter({
      name: 'excess',
      help: 'excess',
      labelNames: ['operator'],
      registers: [],
    }),
  };
  return { worker, take: makeTakeCallback({ ...base, metrics, worker }) };
}

function settlementsOf(base: Base) {
  const worker = new SettlementWorker({ ...base, leaseLengthMs: settings.settlementLeaseMs });
  const processSettlement = makeProcessSettlement({
    ...base,
    settlementRendering,
    wake: (atMs) => worker.wake(atMs),
  });
  return { worker, processSettlement };
}
