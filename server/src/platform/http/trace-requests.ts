import type { FastifyRequest } from 'fastify';
import type { OpenSpan, Tracing } from '../observability/tracing.ts';
import type { HttpScope } from './server.ts';

/** Paths that load balancers and Prometheus request all the time. */
const untold = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * One span for each request, at the root of a new trace. A `traceparent` in the request is ignored: it
 * belongs to the merchant's trace.
 */
export function traceRequests(app: HttpScope, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, id } = request;
    // The pattern, not the path: the path of a payment page contains the secret of its link.
    const route = request.routeOptions.url ?? 'unknown';
    if (untold.has(route)) return done();
    const span = tracing.open(
      `${method} ${route}`,
      { 'http.request.method': method, 'http.route': route, 'zimbo.request.id': id },
      { kind: 'server', of: null },
    );
    spans.set(request, span);
    span.within(done);
  });

  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode));
    span?.end();
    done();
  });
}
