import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the gateway tells Prometheus; each name begins with `zimbo_`. */
export interface Metrics {
  registry: Registry;
  requests: Histogram<'method' | 'route' | 'status'>;
  payments: Counter<'status' | 'operator'>;
  reversals: Counter<'reason' | 'operator'>;
  refunds: Counter<'status' | 'operator'>;
  lateRefunds: Counter<'operator'>;
  deliveries: Counter<'outcome' | 'mode'>;
  disabledEndpoints: Counter<'reason'>;
  removedRows: Counter<'kind'>;
}

/** Rows that need attention: how many, and how long the oldest has waited. */
export interface DueRows {
  kind: string;
  count: number;
  oldestMs: number;
}

export interface MetricSources {
  dueRows: () => Promise<DueRows[]>;
  connections: () => { total: number; idle: number; waiting: number };
}

const durationBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15];

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  observeDueRows(registry, sources);
  observeConnections(registry, sources);
  return {
    registry,
    requests: new Histogram({
      name: 'zimbo_http_request_duration_seconds',
      help: 'Requests by method, route and status, and how long they took.',
      labelNames: ['method', 'route', 'status'],
      buckets: durationBucketsSeconds,
      registers,
    }),
    payments: new Counter({
      name: 'zimbo_payment_transitions_total',
      help: 'Payments that entered a status.',
      labelNames: ['status', 'operator'],
      registers,
    }),
    reversals: new Counter({
      name: 'zimbo_reversals_total',
      help: 'Debits that went to suspense to be reversed. Each deserves a look.',
      labelNames: ['reason', 'operator'],
      registers,
    }),
    refunds: new Counter({
      name: 'zimbo_refund_transitions_total',
      help: 'Refunds that entered a status.',
      labelNames: ['status', 'operator'],
      registers,
    }),
    lateRefunds: new Counter({
      name: 'zimbo_late_refunds_total',
      help: 'Refunds that succeeded after they had FAILED. Each deserves a look.',
      labelNames: ['operator'],
      registers,
    }),
    deliveries: new Counter({
      name: 'zimbo_webhook_attempts_total',
      help: 'Attempts to deliver an event.',
      labelNames: ['outcome', 'mode'],
      registers,
    }),
    disabledEndpoints: new Counter({
      name: 'zimbo_webhook_endpoints_disabled_total',
      help: 'Webhook endpoints that were disabled because they are gone or have failed for days.',
      labelNames: ['reason'],
      registers,
    }),
    removedRows: new Counter({
      name: 'zimbo_retention_removed_rows_total',
      help: 'Old events and deliveries that this process has removed.',
      labelNames: ['kind'],
      registers,
    }),
  };
}

function observeDueRows(registry: Registry, sources: MetricSources): void {
  // Both gauges are collected at once: one query serves them.
  let asked: Promise<DueRows[]> | undefined;
  const dueRows = () => {
    asked ??= sources
      .dueRows()
      // In an outage of the database the other figures are wanted all the more.
      .catch(() => [])
      .finally(() => {
        asked = undefined;
      });
    return asked;
  };
  const gauge = (name: string, help: string, figureOf: (rows: DueRows) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      async collect() {
        for (const rows of await dueRows()) this.set({ kind: rows.kind }, figureOf(rows));
      },
    });
  gauge('zimbo_due_rows', 'Rows that need attention now.', ({ count }) => count);
  gauge(
    'zimbo_due_oldest_seconds',
    'How long the oldest due row has waited.',
    ({ oldestMs }) => oldestMs / 1_000,
  );
}

function observeConnections(registry: Registry, { connections }: MetricSources): void {
  new Gauge({
    name: 'zimbo_database_connections',
    help: 'Connections to the database, and queries that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
    },
  });
}
