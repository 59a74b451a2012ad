import type { Logger } from 'pino';
import type { DeliveryHandover } from './events/handover.ts';
import { eventWebhooks } from './events/openapi.ts';
import { createAuthenticate } from './merchants/authenticate.ts';
import { dueRows, operationalRoutes } from './operational-routes.ts';
import { checkOperator } from './operators/check.ts';
import type { Operator, OperatorNotice } from './operators/operator.ts';
import { Simulator } from './operators/simulator/simulator.ts';
import { createAdvance } from './payments/advance.ts';
import { type Attend, createAttend } from './payments/attend.ts';
import { createCancelPayment } from './payments/cancel.ts';
import { createConfirmPayment } from './payments/confirm.ts';
import { createCreatePayment } from './payments/create.ts';
import type { PaymentTiming } from './payments/decide.ts';
import type { Payment } from './payments/payment.ts';
import { createReschedule } from './payments/reschedule.ts';
import { paymentRoutes } from './payments/routes.ts';
import { paymentSchema } from './payments/schemas.ts';
import { PaymentWorker } from './payments/worker.ts';
import { systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { openDatabase } from './platform/database.ts';
import { buildHttpServer, type HttpScope } from './platform/http/server.ts';
import { randomIds } from './platform/ids.ts';
import { createMetrics } from './platform/metrics.ts';
import { createSecretBox } from './platform/secrets.ts';
import { createStartReversal } from './reversals/start.ts';
import { ReversalWorker } from './reversals/worker.ts';
import { createCreateEndpoint } from './webhooks/create-endpoint.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { createSender } from './webhooks/send.ts';
import { TargetCache } from './webhooks/target-cache.ts';
import { WebhookWorker } from './webhooks/worker.ts';

/** What the gateway needs beyond its configuration. */
export interface Surroundings {
  config: Config;
  databaseUrl: string;
  secretKey: Buffer;
  log: Logger;
  /** Shorter for tests that would otherwise wait. */
  timing?: Partial<PaymentTiming>;
}

export interface Gateway {
  http: HttpScope;
  startWorkers(): void;
  /** Finishes what is under way, then lets go of the database. */
  stop(): Promise<void>;
}

/** Wires all parts together; nothing else constructs them. */
export function compose(surroundings: Surroundings): Gateway {
  const base = composeBase(surroundings);
  const deliveries = composeDeliveries(base);
  const work = composeWork(base, deliveries.worker);
  const http = composeHttp(base, deliveries.worker, work);
  // In the order in which work flows, so that at the end the last deliveries are still taken.
  const workers = [work.payments, work.simulator, work.reversals, deliveries.worker];
  return {
    http,
    startWorkers: () => {
      for (const worker of workers) worker.start();
    },
    async stop() {
      await http.close();
      for (const worker of workers) await worker.stop();
      await deliveries.sender.close();
      await base.database.close();
    },
  };
}

type Base = ReturnType<typeof composeBase>;
type Work = ReturnType<typeof composeWork>;

function composeBase({ config, databaseUrl, secretKey, log, ...rest }: Surroundings) {
  const clock = systemClock;
  const maxConnections = config.databaseConnections;
  const database = openDatabase({ url: databaseUrl, log, maxConnections });
  const metrics = createMetrics({
    dueRows: () => dueRows(database, clock.nowMs()),
    connections: () => database.connections(),
  });
  const timing: PaymentTiming = {
    operatorTimeoutMs: config.operatorTimeoutMs,
    expiryGraceMs: config.paymentExpiryGraceMs,
    firstAskGapMs: 5_000,
    longestAskGapMs: 3_600_000,
    ...rest.timing,
  };
  const onTransition = ({ status, operator }: Payment) =>
    metrics.payments.inc({ status, operator });
  const secrets = createSecretBox(secretKey);
  return { config, clock, ids: randomIds(), log, database, metrics, timing, secrets, onTransition };
}

function composeDeliveries(base: Base) {
  const { config, clock, database, secrets, metrics } = base;
  const sender = createSender({ allowPrivate: config.webhookAllowPrivate, clock });
  const worker = new WebhookWorker({
    ...base,
    sender,
    targets: new TargetCache(database, secrets),
    random: Math.random,
    onAttempt: ({ delivered }, mode) =>
      metrics.deliveries.inc({ outcome: delivered ? 'delivered' : 'failed', mode }),
  });
  return { sender, worker };
}

function composeWork(base: Base, handover: DeliveryHandover) {
  const { config, database, timing, metrics } = base;
  const simulator = new Simulator({
    ...base,
    delayMs: config.simulatorDelayMs,
    notify: (notice: OperatorNotice) => attend.notice(notice),
  });
  const operatorFor = (): Operator => simulator;
  const advance = createAdvance({ ...base, handover });
  const reversals = new ReversalWorker({ ...base, ...timing, operatorFor });
  const attend: Attend = createAttend({
    ...base,
    advance,
    operatorFor,
    reschedule: createReschedule(database),
    reverse: createStartReversal({
      ...base,
      wake: (atMs) => reversals.wake(atMs),
      onReversal: ({ reason, operator }) => metrics.reversals.inc({ reason, operator }),
    }),
  });
  const payments = new PaymentWorker({ ...base, attend });
  return { simulator, advance, attend, reversals, payments };
}

function composeHttp(base: Base, handover: DeliveryHandover, work: Work): HttpScope {
  const { config, database, clock, log, metrics } = base;
  const { advance, attend, simulator, payments: worker } = work;
  const http = buildHttpServer({
    // Of Fastify's own lines at this level there is one, and the banner says the same to people.
    logger: log.level === 'info' ? log.child({}, { level: 'warn' }) : log,
    clock,
    authenticate: createAuthenticate({ database, clock }),
    rateLimits: config.rateLimits,
    trustProxy: config.trustProxy,
    openApi: {
      publicUrl: config.publicUrl,
      tags: [
        { name: 'Payments', description: "Debits of a customer's mobile money account." },
        { name: 'Webhooks', description: 'Where events are sent to.' },
        { name: 'Events', description: 'What is sent, as signed HTTP POST requests.' },
      ],
      webhooks: eventWebhooks({ payment: paymentSchema }),
    },
    v1(scope) {
      if (config.role === 'worker') return;
      const { fees, paymentExpiryMs: expiryMs } = config;
      paymentRoutes(scope, {
        database,
        createPayment: createCreatePayment({
          ...base,
          fees,
          expiryMs,
          handover,
          worker,
          checkOperator,
        }),
        cancelPayment: createCancelPayment({ ...base, advance, wake: (atMs) => worker.wake(atMs) }),
        confirmPayment: createConfirmPayment({ database, attend, simulator }),
      });
      webhookRoutes(scope, { ...base, createEndpoint: createCreateEndpoint(base) });
    },
  });
  operationalRoutes(http, database, metrics);
  return http;
}
