import { eventRoutes } from '../../integrations/events/routes.ts';
import type { Mailer } from '../../integrations/mail/send.ts';
import { operatorRoutes } from '../../integrations/operators/routes.ts';
import { deliveryRoutes } from '../../integrations/webhooks/deliveries/routes.ts';
import { webhookRoutes } from '../../integrations/webhooks/routes.ts';
import type { WebhookWorker } from '../../integrations/webhooks/worker.ts';
import { type AdminApi, registerAdmin } from '../../interfaces/admin/server.ts';
import { callbackRoutes } from '../../money/callbacks/routes.ts';
import { disbursementBatchRoutes } from '../../money/disbursements/batches/routes.ts';
import { disbursementRoutes } from '../../money/disbursements/routes.ts';
import { paymentRoutes } from '../../money/payments/routes.ts';
import { refundRoutes } from '../../money/refunds/routes.ts';
import { settlementRoutes } from '../../money/settlements/routes.ts';
import { createOpenLimit, noLimit } from '../../platform/http/anonymous-limit.ts';
import { registerDocs } from '../../platform/http/docs.ts';
import type { Annex } from '../../platform/http/lazy-app.ts';
import { watchForProxies } from '../../platform/http/proxies.ts';
import { buildHttpServer, buildPlainServer, type HttpScope } from '../../platform/http/server.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { dropInRoutes } from '../../storefront/checkout/drop-in/routes.ts';
import { paymentPageRoutes } from '../../storefront/checkout/page/routes.ts';
import { checkoutRoutes } from '../../storefront/checkout/routes.ts';
import { checkoutSettingsRoutes } from '../../storefront/checkout/settings/routes.ts';
import { paymentLinkPageRoutes } from '../../storefront/payment-links/page/routes.ts';
import { paymentLinkRoutes } from '../../storefront/payment-links/routes.ts';
import { shortLinkRoutes } from '../../storefront/payment-links/short-page/routes.ts';
import { productRoutes } from '../../storefront/products/routes.ts';
import { receiptRoutes } from '../../storefront/receipts/routes.ts';
import { makeAuthenticate } from '../../tenants/merchants/authenticate.ts';
import type { PeopleDependencies } from '../../tenants/people/dependencies.ts';
import { CommitProbe } from '../commit-probe.ts';
import {
  healthRoutes,
  hearWrites,
  metricsRoute,
  observeRequests,
} from '../health-and-metrics-routes.ts';
import { openApiOptions } from '../openapi.ts';
import { noteListener } from '../own-ports.ts';
import { WriteWatch } from '../write-watch.ts';
import { composeAdmin } from './admin.ts';
import type { Approvals } from './approvals.ts';
import type { Base } from './base.ts';
import type { Callbacks } from './callbacks.ts';
import type { Checkout } from './checkout.ts';
import { composeConsole, consoleAnnex } from './console.ts';
import { makeShowDemoKey } from './demo-key.ts';
import type { Disbursements } from './disbursements.ts';
import type { Work } from './payments.ts';
import type { ComposedReconciliations } from './reconciliations.ts';
import type { Refunds } from './refunds.ts';
import type { Settlements } from './settlements.ts';
import type { System } from './system.ts';
import { composeUseCases, type UseCases } from './use-cases.ts';

/** Logs the setting to add, and revokes permissions granted because the gateway seemed to serve only one machine. */
function proxySettings({ log, config, allowPrivate }: Base) {
  const { trustProxy } = config;
  const proxies = watchForProxies({
    trustProxy,
    onUntrusted: (peer: string) =>
      log.warn(
        { peer },
        `Requests come through ${peer}, which TRUST_PROXY does not name: all clients behind it share one rate limit. If it is your proxy, set TRUST_PROXY=${peer}`,
      ),
    onProxied: () => {
      if (config.webhookAllowPrivate.isGiven || !allowPrivate.test) return;
      allowPrivate.test = false;
      log.warn(
        'Clients on other machines reach the gateway, so webhooks of test keys no longer go to private addresses, until a restart. Set WEBHOOK_ALLOW_PRIVATE=true to allow them',
      );
    },
  });
  return { trustProxy, proxies };
}

type HttpWork = Work &
  Refunds &
  Disbursements &
  Callbacks &
  Settlements &
  Approvals &
  Pick<ComposedReconciliations, 'reconciliations'> &
  Checkout & { system: System; isStarted?: (() => boolean) | undefined };

/** Everything under `/v1`. */
function apiRoutes(scope: HttpScope, base: Base, useCases: UseCases): void {
  const { config, database } = base;
  const { publicUrl } = config;
  paymentRoutes(scope, { database, ...useCases });
  refundRoutes(scope, { database, ...useCases });
  disbursementRoutes(scope, { database, ...useCases });
  disbursementBatchRoutes(scope, { database, ...useCases });
  checkoutRoutes(scope, { database, publicUrl, ...useCases });
  checkoutSettingsRoutes(scope, { database, ...useCases });
  productRoutes(scope, { database, ...useCases });
  paymentLinkRoutes(scope, { database, ...useCases });
  eventRoutes(scope, { database });
  operatorRoutes(scope, base);
  settlementRoutes(scope, { ...base, ...useCases });
  webhookRoutes(scope, { ...base, ...useCases });
  deliveryRoutes(scope, { ...base, ...useCases });
}

interface ComposedHttp {
  http: HttpScope;
  operations: HttpScope | undefined;
  console: Annex | undefined;
}

/** Composes the API, the payment page, callbacks and the operational endpoints. */
export function composeHttp(
  given: Base,
  dispatcher: WebhookWorker,
  work: HttpWork,
  { people, mailer }: { people: PeopleDependencies; mailer: Mailer | undefined },
): ComposedHttp {
  const base = { ...given, database: given.traced.database(given.database) };
  const { config, database, log, tracing } = base;
  const useCases = composeUseCases(base, dispatcher, work);
  const own = config.operations !== undefined;
  // Fastify logs its own line at this level, and the banner already shows the address.
  const logger = log.level === 'info' ? log.child({}, { level: 'warn' }) : log;
  const { front } = base;
  const shared = { logger, tracing, front, ...proxySettings(given) };
  const probes = writeProbes(database);
  const forPeople =
    config.role === 'worker'
      ? undefined
      : consoleAnnex(
          { ...base, writes: probes.writes },
          shared,
          composeConsole(base, useCases, work.system, { people, mailer }),
        );
  const http = buildHttpServer({
    ...shared,
    ...(forPeople && { annex: forPeople }),
    room: base.room,
    docs: !own,
    demoKey: makeShowDemoKey(base),
    clock: monotonicClock,
    calendar: base.clock,
    authenticate: makeAuthenticate({ database, clock: monotonicClock, known: base.knownKeys }),
    onUse: (principal) => base.keyUse.note({ tenantId: principal.tenantId, id: principal.key.id }),
    onAnswer: (tenantId, request) => base.requestRecorder.note(tenantId, request),
    rateLimits: config.rateLimits,
    makeBuckets: base.makeBuckets,
    openApi: openApiOptions(config.publicUrl),
    v1(scope) {
      if (config.role !== 'worker') apiRoutes(scope, base, useCases);
    },
  });
  if (config.role !== 'worker') publicRoutes(http, base, useCases, work);
  const admin =
    config.role === 'worker'
      ? undefined
      : composeAdmin(base, work.system, {
          reconciliations: work.reconciliations,
          cancelDisbursement: useCases.cancelDisbursement,
          cancelBatch: useCases.cancelBatch,
        });
  // Only the separate operations listener, if configured, serves this.
  if (admin && !own) registerAdmin(http, admin);
  noteListener(http);
  const { isStarted } = work;
  const operations = operationsOf(http, { ...base, ...probes, logger, isStarted, admin });
  return { http, operations, console: forPeople };
}

/** What customers and operators open. */
function publicRoutes(http: HttpScope, base: Base, useCases: UseCases, work: HttpWork): void {
  const { rateLimits, publicUrl, page } = base.config;
  const { attemptsPerAddress } = page;
  const unknownLinks = rateLimits === 'off' ? 'off' : rateLimits.unauthenticated;
  paymentPageRoutes(http, {
    ...base,
    publicUrl,
    attemptPayment: work.attemptPayment,
    cancelPayment: useCases.cancelPayment,
    attemptsPerAddress,
    unknownLinks,
  });
  dropInRoutes(http);
  receiptRoutes(http, { ...base, unknownLinks });
  const { useLink } = useCases;
  shortLinkRoutes(http, { ...base, unknownLinks });
  paymentLinkPageRoutes(http, { ...base, useLink, attemptsPerAddress, unknownLinks });
  callbackRoutes(http, { ...base, takeCallback: work.takeCallback });
}

/** The probes for database writes. */
function writeProbes(database: Database) {
  const nowMs = () => monotonicClock.nowMs();
  const dependencies = { database, nowMs };
  return { commits: new CommitProbe(dependencies), writes: new WriteWatch(dependencies) };
}

type OperationsDependencies = Base & {
  logger: Base['log'];
  admin: AdminApi | undefined;
  commits: CommitProbe;
  writes: WriteWatch;
  isStarted: (() => boolean) | undefined;
};

/** The operational endpoints are on the public listener, unless they have their own. */
function operationsOf(
  http: HttpScope,
  dependencies: OperationsDependencies,
): HttpScope | undefined {
  const { config, metrics, logger, isStarted } = dependencies;
  const { role, operations: own } = config;
  const { database, clock, commits, writes } = dependencies;
  const health = { database, commits, writes, metrics, role, clock, isStarted };
  healthRoutes(http, health);
  observeRequests(http, metrics);
  hearWrites(http, writes);
  const limit =
    config.rateLimits === 'off'
      ? noLimit
      : createOpenLimit(monotonicClock, 'operations', dependencies.makeBuckets);
  if (!own) {
    metricsRoute(http, metrics, dependencies, limit);
    return undefined;
  }
  const { front } = dependencies;
  const app = buildPlainServer({ logger, trustProxy: config.trustProxy, front });
  noteListener(app);
  healthRoutes(app, health);
  hearWrites(app, writes);
  metricsRoute(app, metrics, dependencies, limit);
  registerDocs(app, { document: () => http.openApi(), limit, servesApi: false });
  if (dependencies.admin) registerAdmin(app, dependencies.admin);
  return app;
}
