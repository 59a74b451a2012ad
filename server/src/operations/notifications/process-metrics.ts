import type { Metrics } from '../../platform/observability/metrics.ts';

/** The counters of a process for the alert rules, since its start. */
interface Counters {
  requests: number;
  failedRequests: number;
  webhooks: number;
  failedWebhooks: number;
  /** By operator and missing proof. */
  refusedCallbacks: Record<string, number>;
  /** By operator. */
  calls: Record<string, number>;
  slowCalls: Record<string, number>;
}

/** The same counters over the window of each rule (docs/notices.md). */
export interface ProcessFigures extends Counters {
  waitingForConnection: number;
}

export type CountedMetrics = Pick<
  Metrics,
  'requests' | 'deliveries' | 'refusedCallbacks' | 'operatorCalls'
>;

const minuteMs = 60_000;
/** The window of each rule in minutes, as in deploy/alerts.yaml. */
const windowsMs = { requests: 5, webhooks: 30, refusedCallbacks: 15, calls: 10 };
const longestMs = 31 * minuteMs;
const slowSeconds = 5;
/** Machines poll these all day; their successes would hide the failures of a quiet gateway. */
const operationalRoutes = new Set(['/healthz', '/readyz', '/metrics']);

/** Remembers past counters, to compute the increase over the last minutes. */
export class ProcessHistory {
  readonly #metrics: CountedMetrics;
  readonly #waiting: () => number;
  readonly #nowMs: () => number;
  #samples: { atMs: number; counters: Counters }[] = [];

  /** @param waiting counts the queries that wait for a connection; @param nowMs a monotonic clock */
  constructor(metrics: CountedMetrics, waiting: () => number, nowMs: () => number) {
    [this.#metrics, this.#waiting, this.#nowMs] = [metrics, waiting, nowMs];
  }

  /** The process calls this every minute. */
  async figures(): Promise<ProcessFigures> {
    const atMs = this.#nowMs();
    const now = await countersOf(this.#metrics);
    this.#samples = this.#samples.filter((sample) => sample.atMs >= atMs - longestMs);
    this.#samples.push({ atMs, counters: now });
    const before = (minutes: number) =>
      this.#samples.findLast((sample) => sample.atMs <= atMs - minutes * minuteMs + minuteMs / 2)
        ?.counters ?? this.#samples[0]!.counters;
    const [ofRequests, ofWebhooks] = [before(windowsMs.requests), before(windowsMs.webhooks)];
    const ofCalls = before(windowsMs.calls);
    return {
      waitingForConnection: this.#waiting(),
      requests: now.requests - ofRequests.requests,
      failedRequests: now.failedRequests - ofRequests.failedRequests,
      webhooks: now.webhooks - ofWebhooks.webhooks,
      failedWebhooks: now.failedWebhooks - ofWebhooks.failedWebhooks,
      refusedCallbacks: since(
        now.refusedCallbacks,
        before(windowsMs.refusedCallbacks).refusedCallbacks,
      ),
      calls: since(now.calls, ofCalls.calls),
      slowCalls: since(now.slowCalls, ofCalls.slowCalls),
    };
  }
}

const since = (now: Record<string, number>, before: Record<string, number>) =>
  Object.fromEntries(Object.entries(now).map(([key, count]) => [key, count - (before[key] ?? 0)]));

async function countersOf(metrics: CountedMetrics): Promise<Counters> {
  const counters: Counters = {
    requests: 0,
    failedRequests: 0,
    webhooks: 0,
    failedWebhooks: 0,
    refusedCallbacks: {},
    calls: {},
    slowCalls: {},
  };
  for (const { metricName, labels, value } of (await metrics.requests.get()).values) {
    if (!metricName?.endsWith('_count') || operationalRoutes.has(String(labels.route))) continue;
    counters.requests += value;
    if (String(labels.status).startsWith('5')) counters.failedRequests += value;
  }
  for (const { labels, value } of (await metrics.deliveries.get()).values) {
    if (labels.mode !== 'live') continue;
    counters.webhooks += value;
    if (labels.outcome === 'failed') counters.failedWebhooks += value;
  }
  for (const { labels, value } of (await metrics.refusedCallbacks.get()).values) {
    add(counters.refusedCallbacks, `${labels.operator} ${labels.proof}`, value);
  }
  for (const { metricName, labels, value } of (await metrics.operatorCalls.get()).values) {
    if (labels.adapter === 'simulator') continue;
    const operator = String(labels.operator);
    if (metricName?.endsWith('_count')) {
      add(counters.calls, operator, value);
      add(counters.slowCalls, operator, value);
    } else if ('le' in labels && Number(labels.le) === slowSeconds)
      add(counters.slowCalls, operator, -value);
  }
  return counters;
}

function add(to: Record<string, number>, key: string, value: number): void {
  to[key] = (to[key] ?? 0) + value;
}
