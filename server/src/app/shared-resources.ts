import type { Config } from '../platform/config/config.ts';
import { type Buckets, type MakeBuckets, ownBuckets } from '../platform/http/rate-limit.ts';
import type { MetricJson } from '../platform/observability/aggregate-metrics.ts';
import {
  OpenPages,
  type PageCounter,
  type PageLimits,
} from '../storefront/checkout/page/open-pages.ts';

/** What the processes of a machine have together. */
export interface Machine {
  makeBuckets: MakeBuckets;
  openPages: PageCounter;
  /**
   * The figures of all others at this moment, who get those of this process that are in no database; undefined where
   * there are no others.
   */
  otherMetrics: ((own: MetricJson[]) => Promise<MetricJson[][]>) | undefined;
}

/** Of one process that has the machine to itself. */
export function aloneOn(config: Config): Machine {
  const openPages = new OpenPages(pageLimits(config));
  return { makeBuckets: ownBuckets, openPages, otherMetrics: undefined };
}

/** Of one whose process has several gateways: a limit is one for all of them, as it is for all processes of a machine. */
export function withCommonBuckets(machine: Machine): Machine {
  const made = new Map<string, Buckets>();
  const makeBuckets: MakeBuckets = (name, limit) => {
    const buckets = made.get(name) ?? machine.makeBuckets(name, limit);
    made.set(name, buckets);
    return buckets;
  };
  return { ...machine, makeBuckets };
}

export function pageLimits({ page }: Pick<Config, 'page'>): PageLimits {
  return { overall: page.streams, perAddress: 200, perSession: 20 };
}
