import type { Config } from './platform/config.ts';
import type { Database } from './platform/database.ts';
import type { DatabaseClock } from './platform/database-clock.ts';
import type { HttpScope } from './platform/http/server.ts';
import type { Metrics } from './platform/metrics.ts';

export interface OperationalParts {
  database: Database;
  metrics: Metrics;
  role: Config['role'];
  clock: DatabaseClock;
  /** False while the start is still under way, which goes on after the port is open. */
  isStarted?: (() => boolean) | undefined;
}

/** For whoever runs the gateway: liveness, readiness, and the figures for Prometheus. */
export function operationalRoutes(app: HttpScope, parts: OperationalParts): void {
  const { database, metrics, role, clock } = parts;

  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok' }));

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    if (parts.isStarted?.() === false) return reply.code(503).send({ status: 'starting' });
    try {
      await database.query({ name: 'ready', text: 'SELECT 1' });
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' });
    }
    const doubt = role === 'api' ? undefined : clock.doubt();
    if (!doubt) return { status: 'ready' };
    const workers = `they have stopped: ${doubt.reason}`;
    // One that answers requests goes on with that: what it writes is left to other processes.
    if (role === 'all') return { status: 'ready', workers };
    return reply.code(503).send({ status: 'the workers have stopped', workers });
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
