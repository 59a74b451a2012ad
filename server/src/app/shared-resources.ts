import type { Config } from '../platform/config/config.ts';
import { type Buckets, type MakeBuckets, ownBuckets } from '../platform/http/rate-limit.ts';
import type { MetricJson } from '../platform/observability/aggregate-metrics.ts';
import {
  OpenPages,
  type PageCounter,
  type PageLimits,
} from '../storefront/checkout/page/open-pages.ts';

/** The resources that the processes of a machine share. */
export interface Machine {
  makeBuckets: MakeBuckets;
  openPages: PageCounter;
  /**
   * The current metrics of all other processes, in exchange for this process's own; undefined if there are no others.
   */
  otherMetrics: ((own: MetricJson[]) => Promise<MetricJson[][]>) | undefined;
}

/** For a single process on the machine. */
export function aloneOn(config: Config): Machine {
  const openPages = new OpenPages(pageLimits(config));
  return { makeBuckets: ownBuckets, openPages, otherMetrics: undefined };
}

/** For a process with several gateways: they share each limit, as processes of a machine do. */
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
