import type { Config } from '../../platform/config/config.ts';
import { type Machine, pageLimits } from '../shared-resources.ts';
import { LeasedBuckets } from './leased-buckets.ts';
import { LeasedPages } from './leased-pages.ts';
import type { PrimaryLink } from './primary-link.ts';

/** Longer than the primary waits for the others. */
const metricsPatienceMs = 2_000;

/** The resources that a worker shares with the others through the primary. */
export function sharedMachine(config: Config, link: PrimaryLink): Machine {
  const { processes } = config;
  return {
    makeBuckets: (name, limit) => new LeasedBuckets(name, limit, link, processes),
    openPages: new LeasedPages(pageLimits(config), link, processes),
    otherMetrics: async (own) =>
      (await link.ask('METRICS', own, () => {}, metricsPatienceMs)) ?? [],
  };
}
