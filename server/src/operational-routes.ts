import type { Database } from './platform/database.ts';
import type { HttpScope } from './platform/http/server.ts';
import type { Metrics } from './platform/metrics.ts';

/** For whoever runs the gateway: liveness, readiness, and the figures for Prometheus. */
export function operationalRoutes(app: HttpScope, database: Database, metrics: Metrics): void {
  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok' }));

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    try {
      await database.query({ name: 'ready', text: 'SELECT 1' });
      return { status: 'ready' };
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' });
    }
  });

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    reply.type(metrics.registry.contentType).serializer(String);
    return metrics.registry.metrics();
  });

  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
    };
    metrics.requests.observe(labels, reply.elapsedTime / 1_000);
    done();
  });
}
