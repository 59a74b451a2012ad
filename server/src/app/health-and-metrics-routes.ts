import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../platform/config/config.ts';
import type { OpenLimit } from '../platform/http/anonymous-limit.ts';
import type { HttpScope } from '../platform/http/server.ts';
import { prepare, sendPrepared } from '../platform/http/static-response.ts';
import { labelledWithCell, summedText } from '../platform/observability/aggregate-metrics.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { DatabaseClock } from '../platform/postgres/database-clock.ts';
import type { CommitProbe } from './commit-probe.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { Machine } from './shared-resources.ts';
import type { WriteWatch } from './write-watch.ts';

export interface OperationalDependencies {
  database: Database;
  metrics: Metrics;
  role: Config['role'];
  clock: DatabaseClock;
  commits: CommitProbe;
  writes: WriteWatch;
  /** False during the start, which continues after the port is open. */
  isStarted?: (() => boolean) | undefined;
}

interface Readyz {
  Querystring: { reads?: unknown };
}

/** Liveness and readiness, on every listener. */
export function healthRoutes(app: HttpScope, dependencies: OperationalDependencies): void {
  const { role, clock } = dependencies;

  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok' }));

  app.get<Readyz>('/readyz', { schema: { hide: true } }, async ({ query }, reply) => {
    if (dependencies.isStarted?.() === false) return reply.code(503).send({ status: 'starting' });
    const onlyReads = query.reads === '1';
    const fault = await (onlyReads ? silenceOf(dependencies.database) : faultOf(dependencies));
    if (fault !== undefined) return reply.code(503).send({ status: fault });
    const doubt = role === 'api' || onlyReads ? undefined : clock.doubt();
    if (!doubt) return { status: 'ready' };
    const workers = `stopped: ${doubt.reason}`;
    // An API process continues to answer requests; other processes pick up what it writes.
    if (role === 'all') return { status: 'ready', workers };
    return reply.code(503).send({ status: 'the workers have stopped', workers });
  });
}

const readyStatement = {
  name: 'ready',
  text: `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly",
    current_setting('synchronous_standby_names') <> '' AS "isSynchronous"`,
};

type Look = { isReadOnly: boolean; isSynchronous: boolean; fault?: undefined } | { fault: string };

async function lookAt(database: Database): Promise<Look> {
  try {
    const [row] = await database.query<Exclude<Look, { fault: string }>>(readyStatement);
    return { isReadOnly: false, isSynchronous: false, ...row };
  } catch {
    return { fault: 'the database does not answer' };
  }
}

/** The reason why reads fail. */
const silenceOf = async (database: Database) => (await lookAt(database)).fault;

/** The reason why writes fail; without a synchronous standby, commits need no probe. */
export async function faultOf({
  database,
  commits,
  writes,
}: Pick<OperationalDependencies, 'database' | 'commits' | 'writes'>): Promise<string | undefined> {
  const look = await lookAt(database);
  if (look.fault !== undefined) return look.fault;
  if (look.isReadOnly) return 'the database takes no writes';
  if (look.isSynchronous && commits.hangs()) return 'commits wait for a standby';
  return writes.fails() ? 'writes fail' : undefined;
}

/** The metrics for Prometheus. Concurrent requests share one read of the database. */
export function metricsRoute(
  app: HttpScope,
  metrics: Metrics,
  { otherMetrics, cells }: Pick<Machine, 'otherMetrics'> & Pick<GatewayOptions, 'cells'>,
  limit: OpenLimit,
): void {
  const { registry } = metrics;
  const readAll = async (others: NonNullable<typeof otherMetrics>) => {
    const whole = labelledWithCell(await registry.getMetricsAsJSON(), cells?.own);
    const own = whole.filter(({ name }) => !metrics.sharedNames.has(name));
    return summedText([whole, ...(await others(own))]);
  };
  let reading: ReturnType<typeof prepare> | undefined;
  const read = () => {
    reading ??= (otherMetrics ? readAll(otherMetrics) : registry.metrics())
      .then((text) => prepare(registry.contentType, text))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const hidden = { schema: { hide: true }, onRequest: limit };
  app.get('/metrics', hidden, async (request, reply) => sendPrepared(await read(), request, reply));
}

/** Counts and times the requests of a listener. */
export function observeRequests(app: HttpScope, metrics: Metrics): void {
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

const writing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Observes which write requests of a listener fail or succeed. */
export function hearWrites(app: HttpScope, writes: WriteWatch): void {
  app.addHook('onError', ({ method }, _reply, error, done) => {
    if (writing.has(method)) writes.failed(error);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (hasWritten(request, reply)) writes.succeeded();
    done();
  });
}

/** Other requests may have written nothing. */
const hasWritten = ({ method, routeOptions }: FastifyRequest, reply: FastifyReply) =>
  method === 'POST' &&
  reply.statusCode === 200 &&
  routeOptions.url?.startsWith('/v1/') === true &&
  !reply.hasHeader('Idempotent-Replayed');
