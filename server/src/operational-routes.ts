import type { Database } from './platform/database.ts';
import type { HttpScope } from './platform/http/server.ts';
import type { DueRows, Metrics } from './platform/metrics.ts';

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

const dueStatement = {
  name: 'due_rows',
  text: `
SELECT kind, count, coalesce(extract(epoch FROM $1::timestamptz - oldest) * 1000, 0)::float8 AS "oldestMs"
FROM (
  SELECT 'payments' AS kind, count(*)::integer, min(due_at) AS oldest FROM payments WHERE due_at <= $1
  UNION ALL
  SELECT 'deliveries', count(*)::integer, min(due_at) FROM deliveries WHERE due_at <= $1
  UNION ALL
  SELECT 'reversals', count(*)::integer, min(due_at) FROM reversals WHERE due_at <= $1
  UNION ALL
  SELECT 'checkout_sessions', count(*)::integer, min(due_at) FROM checkout_sessions WHERE due_at <= $1
  UNION ALL
  SELECT 'refunds', count(*)::integer, min(due_at) FROM refunds WHERE due_at <= $1
  UNION ALL
  SELECT 'settlements', count(*)::integer, min(due_at) FROM settlements WHERE due_at <= $1
) AS due`,
};

/** How much is due in all tenants, and for how long. */
export function dueRows(database: Database, nowMs: number): Promise<DueRows[]> {
  return database.query<DueRows>(dueStatement, [new Date(nowMs).toISOString()]);
}
