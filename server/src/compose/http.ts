import { paymentPageRoutes } from '../checkout/page/routes.ts';
import { checkoutRoutes } from '../checkout/routes.ts';
import { eventRoutes } from '../events/routes.ts';
import { createAuthenticate } from '../merchants/authenticate.ts';
import { openApiOptions } from '../openapi.ts';
import { operationalRoutes } from '../operational-routes.ts';
import { callbackRoutes } from '../operators/callbacks/routes.ts';
import { createCancelPayment } from '../payments/cancel.ts';
import { createConfirmPayment } from '../payments/confirm.ts';
import { paymentRoutes } from '../payments/routes.ts';
import { monotonicClock } from '../platform/clock.ts';
import { buildHttpServer, type HttpScope } from '../platform/http/server.ts';
import { createCreateProduct } from '../products/create.ts';
import { productRoutes } from '../products/routes.ts';
import { refundRoutes } from '../refunds/routes.ts';
import { settlementRoutes } from '../settlements/routes.ts';
import { createCreateEndpoint } from '../webhooks/create-endpoint.ts';
import { createRedeliver } from '../webhooks/deliveries/redeliver.ts';
import { deliveryRoutes } from '../webhooks/deliveries/routes.ts';
import { createSendTestEvent } from '../webhooks/deliveries/test-event.ts';
import { createRotateSecret } from '../webhooks/rotate-secret.ts';
import { webhookRoutes } from '../webhooks/routes.ts';
import { createUpdateEndpoint } from '../webhooks/update-endpoint.ts';
import type { WebhookWorker } from '../webhooks/worker.ts';
import type { Base } from './base.ts';
import type { Callbacks } from './callbacks.ts';
import type { Checkout } from './checkout.ts';
import type { Refunds } from './refunds.ts';
import type { Settlements } from './settlements.ts';
import type { Work } from './work.ts';

/** Says what to set, and takes back what was allowed because the gateway seemed to serve one machine only. */
function proxyWatch({ log, config, allowPrivate }: Base) {
  return {
    onUntrusted: (peer: string) =>
      log.warn(
        { peer },
        `Requests come through ${peer}, which TRUST_PROXY does not name: all clients behind it share one rate limit. If it is your proxy, set TRUST_PROXY=${peer}`,
      ),
    onProxied: () => {
      if (config.webhookAllowPrivate.isGiven || !allowPrivate.test) return;
      allowPrivate.test = false;
      log.warn(
        'The gateway is reached from elsewhere, so webhooks of test keys no longer go to private addresses. Set PUBLIC_URL, and WEBHOOK_ALLOW_PRIVATE if you want that',
      );
    },
  };
}

/** The API, the payment page, callbacks, and what operations ask for. */
export function composeHttp(
  given: Base,
  handover: WebhookWorker,
  work: Work &
    Refunds &
    Callbacks &
    Settlements &
    Checkout & { isStarted?: (() => boolean) | undefined },
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
    proxies: proxyWatch(given),
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
  const { isStarted } = work;
  operationalRoutes(http, { database, metrics, role: config.role, clock: base.clock, isStarted });
  return http;
}
