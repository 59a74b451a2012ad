import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type GaugeGroup, registerGauges } from './gauges.ts';

/** The gateway's metrics for Prometheus; each name begins with `zimbo_`. */
export interface Metrics {
  registry: Registry;
  /** Metrics that are read from the database, and the same in all processes. */
  sharedNames: ReadonlySet<string>;
  requests: Histogram<'method' | 'route' | 'status'>;
  payments: Counter<'status' | 'operator'>;
  reversals: Counter<'reason' | 'operator'>;
  refunds: Counter<'status' | 'operator'>;
  lateRefunds: Counter<'operator'>;
  disbursements: Counter<'status' | 'operator'>;
  lateDisbursements: Counter<'operator'>;
  deliveries: Counter<'outcome' | 'mode'>;
  disabledEndpoints: Counter<'reason'>;
  removedRows: Counter<'kind'>;
  operatorCalls: Histogram<'operator' | 'adapter' | 'call' | 'answer'>;
  operatorReplies: Counter<'operator' | 'outcome'>;
  reviews: Counter<'kind' | 'operator'>;
  mails: Counter<'outcome'>;
  notReceived: Counter<'operator'>;
  refusedPrompts: Counter<'reason' | 'operator'>;
  refusedCallbacks: Counter<'operator' | 'proof'>;
  unknownCallbacks: Counter;
  excessCallbacks: Counter<'operator'>;
}

export interface MetricSources {
  gauges: GaugeGroup[];
  connections: () => { total: number; idle: number; waiting: number };
}

/** Gauges with names like counters, each a sum over types: `nodejs_active_handles`. */
const sums = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

const durationBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15];

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of sums) registry.removeSingleMetric(name);
  for (const group of sources.gauges) registerGauges(registry, group);
  observeConnections(registry, sources);
  return {
    registry,
    sharedNames: new Set(sources.gauges.flatMap(namesOfDatabase)),
    requests: new Histogram({
      name: 'zimbo_http_request_duration_seconds',
      help: 'Duration of requests, by method, route and status.',
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
      help: 'Debits that went to suspense, to be reversed. Each deserves a look.',
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
    ...disbursementMetrics(registers),
    deliveries: new Counter({
      name: 'zimbo_webhook_attempts_total',
      help: 'Attempts to deliver an event.',
      labelNames: ['outcome', 'mode'],
      registers,
    }),
    disabledEndpoints: new Counter({
      name: 'zimbo_webhook_endpoints_disabled_total',
      help: 'Webhook endpoints disabled automatically, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    removedRows: new Counter({
      name: 'zimbo_retention_removed_rows_total',
      help: 'Expired rows that this process has deleted, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    ...operatorMetrics(registers),
    ...callbackMetrics(registers),
  };
}

const namesOfDatabase = ({ isOfDatabase, help }: GaugeGroup) =>
  isOfDatabase ? Object.keys(help) : [];

function disbursementMetrics(registers: Registry[]) {
  return {
    disbursements: new Counter({
      name: 'zimbo_disbursement_transitions_total',
      help: 'Disbursements that entered a status.',
      labelNames: ['status', 'operator'],
      registers,
    }),
    lateDisbursements: new Counter({
      name: 'zimbo_late_disbursements_total',
      help: 'Disbursements that succeeded after they had FAILED or been CANCELLED. Each deserves a look.',
      labelNames: ['operator'],
      registers,
    }),
  };
}

function operatorMetrics(registers: Registry[]) {
  return {
    operatorReplies: new Counter({
      name: 'zimbo_operator_replies_total',
      help: 'Replies of live operators: answered, unreachable, or refused because Zimbo is misconfigured.',
      labelNames: ['operator', 'outcome'],
      registers,
    }),
    mails: new Counter({
      name: 'zimbo_mails_total',
      help: 'Mails with notices: sent, dropped because nothing in them mattered any more, refused or given up, or to be tried later.',
      labelNames: ['outcome'],
      registers,
    }),
    reviews: new Counter({
      name: 'zimbo_review_items_total',
      help: 'Review items created, by kind ("zimbo review").',
      labelNames: ['kind', 'operator'],
      registers,
    }),
    notReceived: new Counter({
      name: 'zimbo_operator_requests_not_received_total',
      help: 'Requests that an operator never acknowledged and never found.',
      labelNames: ['operator'],
      registers,
    }),
    refusedPrompts: new Counter({
      name: 'zimbo_prompts_refused_total',
      help: 'Live payments that failed without being sent, because their phone must not be prompted now, by failure code.',
      labelNames: ['reason', 'operator'],
      registers,
    }),
    operatorCalls: new Histogram({
      name: 'zimbo_operator_call_duration_seconds',
      help: 'Duration of calls to operators, by answer.',
      labelNames: ['operator', 'adapter', 'call', 'answer'],
      buckets: durationBucketsSeconds,
      registers,
    }),
  };
}

function callbackMetrics(registers: Registry[]) {
  return {
    refusedCallbacks: new Counter({
      name: 'zimbo_operator_callbacks_refused_total',
      help: 'Callbacks to a valid address that were not proven to come from the operator, by missing proof.',
      labelNames: ['operator', 'proof'],
      registers,
    }),
    unknownCallbacks: new Counter({
      name: 'zimbo_operator_callbacks_unknown_total',
      help: 'Callbacks to invalid addresses.',
      registers,
    }),
    excessCallbacks: new Counter({
      name: 'zimbo_operator_callbacks_excess_total',
      help: 'Callbacks that were not stored, because one payment, refund or reversal had too many. Each deserves a look.',
      labelNames: ['operator'],
      registers,
    }),
  };
}

function observeConnections(registry: Registry, { connections }: MetricSources): void {
  new Gauge({
    name: 'zimbo_database_connections',
    help: 'Database connections, and queries waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
    },
  });
}
