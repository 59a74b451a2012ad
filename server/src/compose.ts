import { join } from 'node:path';
import { createAttemptPayment } from './checkout/attempt.ts';
import { createCreateSession } from './checkout/create.ts';
import { createPrepareCompleted } from './checkout/event.ts';
import { createExpireSession } from './checkout/expire.ts';
import { paymentPageRoutes } from './checkout/page/routes.ts';
import { StatusStreams } from './checkout/page/streams.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import { CheckoutWorker } from './checkout/worker.ts';
import type { DeliveryHandover } from './events/handover.ts';
import { oldEvents } from './events/retention-store.ts';
import { eventRoutes } from './events/routes.ts';
import { databaseFigures } from './figures.ts';
import { createAuthenticate } from './merchants/authenticate.ts';
import { openApiOptions } from './openapi.ts';
import { operationalRoutes } from './operational-routes.ts';
import { createProvesSender } from './operators/callbacks/authenticate.ts';
import { createHandleCallback } from './operators/callbacks/handle.ts';
import { callbackRoutes } from './operators/callbacks/routes.ts';
import { callbackSubjects } from './operators/callbacks/subjects.ts';
import { createTakeCallback } from './operators/callbacks/take.ts';
import { createCallbackTokens } from './operators/callbacks/token.ts';
import { createCallbackWorker } from './operators/callbacks/worker.ts';
import { createCheckOperator } from './operators/check.ts';
import { liveOperators } from './operators/live.ts';
import { measuredOperator, type OperatorCall } from './operators/measured.ts';
import type { Operator, OperatorName, OperatorNotice } from './operators/operator.ts';
import { oldOperatorRows } from './operators/retention-store.ts';
import { SelectedOperator } from './operators/select.ts';
import { Simulator } from './operators/simulator/simulator.ts';
import { createAdvance } from './payments/advance.ts';
import { type Attend, createAttend } from './payments/attend.ts';
import { createCancelPayment } from './payments/cancel.ts';
import { createConfirmPayment } from './payments/confirm.ts';
import { createCreatePayment } from './payments/create.ts';
import type { Payment } from './payments/payment.ts';
import { createReschedule } from './payments/reschedule.ts';
import { paymentRoutes } from './payments/routes.ts';
import { createPaymentWorker } from './payments/worker.ts';
import { type Clock, monotonicClock, systemClock } from './platform/clock.ts';
import type { OperatorConfigs } from './platform/config-operators.ts';
import { openDatabase } from './platform/database.ts';
import { buildHttpServer, type HttpScope } from './platform/http/server.ts';
import { randomIds } from './platform/ids.ts';
import { createMetrics } from './platform/metrics.ts';
import { Retention } from './platform/retention.ts';
import { createSecretBox } from './platform/secrets.ts';
import { createCreateProduct } from './products/create.ts';
import { productRoutes } from './products/routes.ts';
import { createAdvanceRefund } from './refunds/advance.ts';
import { type AttendRefund, createAttendRefund } from './refunds/attend.ts';
import { createCreateRefund } from './refunds/create.ts';
import type { Refund } from './refunds/refund.ts';
import { refundRoutes } from './refunds/routes.ts';
import { createRefundWorker } from './refunds/worker.ts';
import { createAttendReversal } from './reversals/attend.ts';
import { createStartReversal } from './reversals/start.ts';
import { createReversalWorker } from './reversals/worker.ts';
import { createAskPerson } from './review/ask-person.ts';
import { DailySettlements } from './settlements/daily.ts';
import { csvPayout } from './settlements/payout.ts';
import { createProcessSettlement } from './settlements/process.ts';
import { settlementRoutes } from './settlements/routes.ts';
import { SettlementWorker } from './settlements/worker.ts';
import { type Surroundings, timingOf } from './surroundings.ts';
import { createTimekeeping } from './timekeeping.ts';
import { createTraced } from './traced.ts';
import { createCreateEndpoint } from './webhooks/create-endpoint.ts';
import { createRedeliver } from './webhooks/deliveries/redeliver.ts';
import { deliveryRoutes } from './webhooks/deliveries/routes.ts';
import { createSendTestEvent } from './webhooks/deliveries/test-event.ts';
import { createRotateSecret } from './webhooks/rotate-secret.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { createSender } from './webhooks/send.ts';
import { TargetCache } from './webhooks/target-cache.ts';
import { createUpdateEndpoint } from './webhooks/update-endpoint.ts';
import { WebhookWorker } from './webhooks/worker.ts';

export interface Gateway {
  http: HttpScope;
  /** The clock of the database; of use once the gateway is prepared. */
  clock: Clock;
  /** Measures the clock, and compares settings with the other processes: before it listens. */
  prepare(): Promise<void>;
  startWorkers(): void;
  /** Finishes what is under way, then lets go of the database. */
  stop(): Promise<void>;
}

/** Wires all parts together; nothing else constructs them. */
export function compose(surroundings: Surroundings): Gateway {
  const base = composeBase(surroundings);
  const deliveries = composeDeliveries(base);
  const work = composeWork(base, deliveries.worker);
  const refunds = composeRefunds(base, deliveries.worker, work);
  const callbacks = composeCallbacks(base, work, refunds);
  const settlements = composeSettlements(base, deliveries.worker);
  const checkout = composeCheckout(base, deliveries.worker, work);
  const http = composeHttp(base, deliveries.worker, {
    ...work,
    ...refunds,
    ...callbacks,
    ...settlements,
    ...checkout,
  });
  // In the order in which work flows, so that at the end the last deliveries are still taken.
  const workers = [
    callbacks.callbackWorker,
    work.payments,
    work.simulator,
    work.reversals,
    refunds.refundWorker,
    checkout.checkoutWorker,
    settlements.daily,
    settlements.worker,
    composeRetention(base),
    deliveries.worker,
  ];
  return {
    http,
    clock: base.clock,
    prepare: () => base.timekeeping.start(),
    startWorkers: () => {
      for (const worker of workers) worker.start();
    },
    async stop() {
      await http.close();
      for (const worker of workers) await worker.stop();
      await deliveries.sender.close();
      await work.live.close();
      await base.timekeeping.stop();
      await base.database.close();
      await surroundings.tracing?.stop();
    },
  };
}

type Base = ReturnType<typeof composeBase>;
type Work = ReturnType<typeof composeWork>;
type Refunds = ReturnType<typeof composeRefunds>;
type Callbacks = ReturnType<typeof composeCallbacks>;
type Settlements = ReturnType<typeof composeSettlements>;
type Checkout = ReturnType<typeof composeCheckout>;

function composeBase({ config, databaseUrl, secretKey, log, tracing, ...rest }: Surroundings) {
  const maxConnections = config.databaseConnections;
  const onConnection = (change: 'made' | 'lost') => timekeeping.connection(change);
  const database = openDatabase({ url: databaseUrl, log, maxConnections, onConnection });
  const timing = timingOf({ config, ...rest });
  const { wallClock = systemClock } = rest;
  const keys = { current: secretKey, previous: rest.previousSecretKey };
  const gapMs = timing.clockGapMs;
  const timekeeping = createTimekeeping({ database, wallClock, log, config, keys, gapMs });
  const { clock } = timekeeping;
  const nowMs = () => clock.nowMs();
  const figures = databaseFigures(database, nowMs, config.paymentReviewAfterMs);
  const gauges = [...figures, timekeeping.gauges];
  const metrics = createMetrics({ gauges, connections: () => database.connections() });
  const limits = { overall: config.page.streams, perAddress: 200, perSession: 20 };
  const streams = new StatusStreams({ database, log, limits });
  const onTransition = (payment: Payment) => {
    metrics.payments.inc({ status: payment.status, operator: payment.operator });
    streams.changed(payment);
  };
  const secrets = createSecretBox(secretKey, rest.previousSecretKey);
  const told = { log, metrics, onTransition, tracing, traced: createTraced(tracing) };
  const tokens = createCallbackTokens(secretKey, rest.previousSecretKey);
  const checkOperator = createCheckOperator(config.operators);
  const maxCallsOf = (operator: string) =>
    operator === 'MOCK' ? undefined : config.operators[operator as keyof OperatorConfigs]?.maxCalls;
  const operators = { tokens, checkOperator, maxCallsOf };
  const askPerson = createAskPerson({
    database,
    clock,
    log,
    onReview: (kind, { operator }) => metrics.reviews.inc({ kind, operator }),
  });
  const onNotReceived = ({ operator }: { operator: OperatorName }) =>
    metrics.notReceived.inc({ operator });
  return {
    askPerson,
    onNotReceived,
    config,
    clock,
    wallClock,
    timekeeping,
    ids: randomIds(),
    database,
    timing,
    secrets,
    streams,
    ...operators,
    ...told,
  };
}

function composeDeliveries(base: Base) {
  const { config, wallClock: clock, database, secrets, metrics } = base;
  const timeoutMs = base.timing.deliveryTimeoutMs;
  const sender = createSender({ allowPrivate: config.webhookAllowPrivate, timeoutMs, clock });
  const worker = new WebhookWorker({
    ...base,
    sender: base.traced.sender(sender),
    attemptTimeoutMs: timeoutMs,
    targets: new TargetCache(database, secrets),
    random: Math.random,
    onAttempt: ({ delivered }, mode) =>
      metrics.deliveries.inc({ outcome: delivered ? 'delivered' : 'failed', mode }),
    onDisabled: ({ reason }) => metrics.disabledEndpoints.inc({ reason }),
  });
  return { sender, worker };
}

function composeRetention(base: Base) {
  const { retentionMs } = base.config;
  const onRemoved = (kind: string, count: number) => base.metrics.removedRows.inc({ kind }, count);
  return new Retention({ ...base, retentionMs, oldRows: [oldEvents, oldOperatorRows], onRemoved });
}

function composeWork(base: Base, handover: DeliveryHandover) {
  const { config, database, timing, metrics, traced } = base;
  const simulator = new Simulator({
    ...base,
    delayMs: config.simulatorDelayMs,
    notify: (notice: OperatorNotice) => attend.notice(notice),
  });
  const { publicUrl } = config;
  const live = liveOperators({ ...base, ...timing, publicUrl, settings: config.operators });
  const measured = (adapter: string, each: Operator) =>
    measuredOperator(each, monotonicClock, ({ durationMs, ...labels }: OperatorCall) =>
      metrics.operatorCalls.observe({ adapter, ...labels }, durationMs / 1_000),
    );
  const selected = new SelectedOperator({
    ...base,
    simulator: measured('simulator', simulator),
    live: Object.fromEntries(
      Object.entries(live.operators).map(([name, each]) => [name, measured('gsma', each)]),
    ),
  });
  const operator = traced.operator(selected);
  const operatorFor = (): Operator => operator;
  const prepareCompleted = createPrepareCompleted({ ...base, publicUrl });
  const advance = traced.advance(createAdvance({ ...base, handover, prepareCompleted }));
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
  const attend: Attend = traced.attend(
    createAttend({ ...base, advance, operatorFor, reschedule, reverse }),
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

function composeRefunds(base: Base, handover: DeliveryHandover, { operatorFor }: Work) {
  const { metrics, traced } = base;
  const onRefund = ({ status, operator }: Refund) => metrics.refunds.inc({ status, operator });
  const attend: AttendRefund = traced.attendRefund(
    createAttendRefund({
      ...base,
      advance: traced.advanceRefund(createAdvanceRefund({ ...base, handover, onRefund })),
      operatorFor,
      wake: (atMs) => refundWorker.wake(atMs),
      onLateSuccess: ({ operator }) => metrics.lateRefunds.inc({ operator }),
    }),
  );
  const refundWorker = createRefundWorker({ ...base, attend });
  const createRefund = createCreateRefund({ ...base, handover, worker: refundWorker, onRefund });
  return { refundWorker, createRefund, attendRefund: attend };
}

function composeCallbacks(base: Base, work: Work, refunds: Refunds) {
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

function composeSettlements(base: Base, handover: DeliveryHandover) {
  const { config, timing } = base;
  const payout = csvPayout(join(config.dataDir, 'payouts'));
  const worker = new SettlementWorker({
    ...base,
    handover,
    payout,
    leaseLengthMs: timing.settlementLeaseMs,
  });
  const processSettlement = createProcessSettlement({
    ...base,
    wake: (atMs) => worker.wake(atMs),
  });
  const run = config.dailySettlement;
  const daily = new DailySettlements({ ...base, run, processSettlement });
  return { processSettlement, worker, daily };
}

function composeCheckout(base: Base, handover: DeliveryHandover, { payments: worker }: Work) {
  const { fees, paymentExpiryMs: expiryMs, publicUrl, page } = base.config;
  const { traced } = base;
  const { onPrepared } = traced;
  const creation = { ...base, fees, expiryMs, handover, worker, onPrepared };
  const sessions = { ...base, handover, publicUrl };
  const promptLimits = page.attemptsPerPhone;
  return {
    createPayment: traced.createPayment(createCreatePayment(creation)),
    attemptPayment: traced.attemptPayment(createAttemptPayment({ ...creation, promptLimits })),
    createSession: createCreateSession(base),
    expireSession: createExpireSession(sessions),
    checkoutWorker: new CheckoutWorker(sessions),
  };
}

function composeHttp(
  given: Base,
  handover: WebhookWorker,
  work: Work & Refunds & Callbacks & Settlements & Checkout,
): HttpScope {
  const base = { ...given, database: given.traced.database(given.database) };
  const { config, database, log, metrics, tracing } = base;
  const { advance, attend, simulator, createRefund, processSettlement, payments: worker } = work;
  const http = buildHttpServer({
    // Of Fastify's own lines at this level there is one, and the banner says the same to people.
    logger: log.level === 'info' ? log.child({}, { level: 'warn' }) : log,
    clock: monotonicClock,
    authenticate: createAuthenticate({ database, clock: monotonicClock }),
    rateLimits: config.rateLimits,
    trustProxy: config.trustProxy,
    tracing,
    openApi: openApiOptions(config.publicUrl),
    v1(scope) {
      if (config.role === 'worker') return;
      const { createPayment, createSession, expireSession } = work;
      paymentRoutes(scope, {
        database,
        createPayment,
        cancelPayment: createCancelPayment({ ...base, advance, wake: (atMs) => worker.wake(atMs) }),
        confirmPayment: createConfirmPayment({ database, attend, simulator }),
      });
      refundRoutes(scope, { database, createRefund });
      const { publicUrl } = config;
      checkoutRoutes(scope, { database, publicUrl, createSession, expireSession });
      productRoutes(scope, { ...base, createProduct: createCreateProduct(base) });
      eventRoutes(scope, { database });
      const endpointChanged = (id: string) => handover.endpointChanged(id);
      settlementRoutes(scope, { database, processSettlement });
      webhookRoutes(scope, {
        ...base,
        endpointChanged,
        createEndpoint: createCreateEndpoint(base),
        rotateSecret: createRotateSecret({ ...base, endpointChanged }),
        updateEndpoint: createUpdateEndpoint({ ...base, endpointChanged }),
      });
      deliveryRoutes(scope, {
        ...base,
        redeliver: createRedeliver({ ...base, endpointChanged }),
        sendTestEvent: createSendTestEvent({ ...base, endpointChanged }),
      });
    },
  });
  if (config.role !== 'worker') {
    const { rateLimits, publicUrl, page } = config;
    paymentPageRoutes(http, {
      ...base,
      publicUrl,
      attemptPayment: work.attemptPayment,
      attemptsPerAddress: page.attemptsPerAddress,
      unknownLinks: rateLimits === 'off' ? 'off' : rateLimits.unauthenticated,
    });
    callbackRoutes(http, { ...base, takeCallback: work.takeCallback });
  }
  operationalRoutes(http, { database, metrics, role: config.role, clock: base.clock });
  return http;
}
