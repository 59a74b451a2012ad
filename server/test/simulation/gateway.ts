import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import { createPrepareEnded } from '../../src/checkout/event.ts';
import { noHandover } from '../../src/events/handover.ts';
import { loadAdapters } from '../../src/operators/adapters.ts';
import { createHandleCallback } from '../../src/operators/callbacks/handle.ts';
import { callbackSubjects, type SubjectParts } from '../../src/operators/callbacks/subjects.ts';
import { createTakeCallback } from '../../src/operators/callbacks/take.ts';
import type { CallbackTokens } from '../../src/operators/callbacks/token.ts';
import { createCallbackWorker } from '../../src/operators/callbacks/worker.ts';
import { GsmaOperator } from '../../src/operators/gsma/adapter.ts';
import { Exchange } from '../../src/operators/gsma/exchange.ts';
import type { Operator, OperatorName, OperatorNotice } from '../../src/operators/operator.ts';
import { SelectedOperator } from '../../src/operators/select.ts';
import { Simulator } from '../../src/operators/simulator/simulator.ts';
import { createAdvance } from '../../src/payments/advance.ts';
import { type Attend, createAttend } from '../../src/payments/attend.ts';
import { createCancelPayment } from '../../src/payments/cancel.ts';
import { createCreatePayment } from '../../src/payments/create.ts';
import { createReschedule } from '../../src/payments/reschedule.ts';
import { createPaymentWorker } from '../../src/payments/worker.ts';
import { ByteBudget } from '../../src/platform/byte-budget.ts';
import type { Database } from '../../src/platform/database.ts';
import type { Ids } from '../../src/platform/ids.ts';
import { pageBytes } from '../../src/platform/page-bytes.ts';
import { createAdvanceRefund } from '../../src/refunds/advance.ts';
import { createAttendRefund } from '../../src/refunds/attend.ts';
import { createCreateRefund } from '../../src/refunds/create.ts';
import { createRefundWorker } from '../../src/refunds/worker.ts';
import { createAttendReversal } from '../../src/reversals/attend.ts';
import { createStartReversal } from '../../src/reversals/start.ts';
import { createReversalWorker } from '../../src/reversals/worker.ts';
import { createAskPerson } from '../../src/review/ask-person.ts';
import type { Payout } from '../../src/settlements/payout.ts';
import { createProcessSettlement } from '../../src/settlements/process.ts';
import { SettlementWorker } from '../../src/settlements/worker.ts';
import { testHashes } from '../request-hashes.ts';
import type { GatewayDials } from './dials.ts';
import { simulatedClient } from './network.ts';
import type { LiveName, World } from './parts.ts';
import type { Actor } from './scheduler.ts';
import type { MeasuredClock } from './settings.ts';
import { clockOf, logOf, operatorSettings, publicUrl, settings } from './settings.ts';

const adapterOf = await loadAdapters({});

export interface GatewayParts {
  world: World;
  dials: GatewayDials;
  actor: Actor;
}

type Base = ReturnType<typeof baseOf>;
export type Gateway = ReturnType<typeof openGateway>;

/** One process: the real use cases and workers over the simulated store, clock and network. */
export function openGateway(parts: GatewayParts) {
  const base = baseOf(parts);
  const operator = operatorOf(parts, base, (notice) => payments.attend.notice(notice));
  const payments = paymentsOf(base, operator.selected);
  const refunds = refundsOf(base, operator.selected);
  const callbacks = callbacksOf(base, {
    payments: payments.attend,
    reversals: payments.attendReversal,
    refunds: refunds.attend,
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
  ];
  return {
    ...base,
    createPayment: payments.createPayment,
    cancelPayment: payments.cancelPayment,
    createRefund: refunds.createRefund,
    takeCallback: callbacks.take,
    processSettlement: settlements.processSettlement,
    /** As in start.ts: first the time, then work. */
    async start() {
      await keepTime(base.clock);
      for (const worker of workers) worker.start();
    },
  };
}

/** As the clock's keeper does, without looking between its measurements. */
async function keepTime(clock: MeasuredClock): Promise<void> {
  await clock.measure().catch(() => {});
  clock.after!(60_000, () => void keepTime(clock));
}

function baseOf({ world, dials, actor }: GatewayParts) {
  const database: Database = world.store.databaseOf(actor);
  const clock: MeasuredClock = clockOf(world.scheduler, actor, dials.skewMs);
  const log: Logger = logOf(world.trace, actor.name);
  const askPerson = createAskPerson({ database, clock, log, onReview() {} });
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
    askPerson,
    handover: noHandover,
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
  { world, dials, actor }: GatewayParts,
  base: Base,
  notify: (notice: OperatorNotice) => Promise<void>,
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
      onAnswer: (call, answer) => world.checks.onAnswer(call, answer),
    });
    const pauseMs = base.timing.firstAskGapMs;
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
  const prepareEnded = createPrepareEnded({ ...base, publicUrl });
  const advance = createAdvance({ ...base, prepareEnded });
  const attendReversal = createAttendReversal({
    ...base,
    operatorFor,
    wake: (atMs) => reversals.wake(atMs),
  });
  const reversals = createReversalWorker({ ...base, attend: attendReversal });
  const reverse = createStartReversal({
    ...base,
    wake: (atMs) => reversals.wake(atMs),
    onReversal() {},
  });
  const reschedule = createReschedule(base.database);
  const attend: Attend = createAttend({ ...base, advance, operatorFor, reschedule, reverse });
  const worker = createPaymentWorker({ ...base, attend });
  const { fees, expiryMs } = settings;
  const creation = { ...base, fees, expiryMs, worker, checkOperator() {} };
  return {
    attend,
    attendReversal,
    reverse,
    reversals,
    worker,
    createPayment: createCreatePayment(creation),
    cancelPayment: createCancelPayment({ ...base, advance, wake: (atMs) => worker.wake(atMs) }),
  };
}

function refundsOf(base: Base, operator: Operator) {
  const attend = createAttendRefund({
    ...base,
    advance: createAdvanceRefund(base),
    operatorFor: () => operator,
    wake: (atMs) => worker.wake(atMs),
    onLateSuccess() {},
  });
  const worker = createRefundWorker({ ...base, attend });
  return { attend, worker, createRefund: createCreateRefund({ ...base, worker }) };
}

type Told = Pick<SubjectParts, 'payments' | 'refunds' | 'reversals' | 'operatorFor' | 'reverse'>;

function callbacksOf(base: Base, told: Told) {
  const subjects = callbackSubjects({ ...base, ...told });
  const { operatorFor } = told;
  const { hintGapsMs } = base.timing;
  const wake = (atMs: number) => worker.wake(atMs);
  const asking = { subjects, operatorFor, wake, hintGapsMs, provesSender: () => false };
  const handle = createHandleCallback({ ...base, ...asking });
  const worker = createCallbackWorker({ ...base, handle });
  const metrics = {
    excessCallbacks: new Counter({ name: 'excess', help: 'excess', registers: [] }),
  };
  return { worker, take: createTakeCallback({ ...base, metrics, worker }) };
}

function settlementsOf(base: Base) {
  const worker = new SettlementWorker({ ...base, leaseLengthMs: settings.settlementLeaseMs });
  const processSettlement = createProcessSettlement({
    ...base,
    wake: (atMs) => worker.wake(atMs),
  });
  return { worker, processSettlement };
}
