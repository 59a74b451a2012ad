import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { type Chunk, chunkOf, requestsOf, retention } from './request.ts';
import { findUntidy, type Heap, removeChunks, replaceSmall } from './store.ts';

export interface TidyDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
}

const intervalMs = 60_000;
/** A chunk with fewer requests is merged with others. */
const small = 250;
/** How many small chunks may exist, and are merged at once. */
const mostSmall = 30;
const mergedAtOnce = 100;

/** Removes old entries from the log of requests, and merges the many small chunks of quiet tenants. */
export function createRequestTidier(dependencies: TidyDependencies): Poller {
  const { clock, log } = dependencies;
  const claim = () => tidyRequests(dependencies).then(() => 0);
  const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
  return new Poller({ name: 'old api requests', clock, log, claim, ...intervals });
}

export async function tidyRequests(dependencies: TidyDependencies): Promise<void> {
  const { database, clock } = dependencies;
  const failedFromMs = clock.nowMs() - retention.failedMs;
  const limits = { ...retention, failedFromMs, small, most: mostSmall };
  for (const heap of await findUntidy(database, limits)) {
    const limit = heap.failed
      ? { most: retention.failed, fromMs: failedFromMs }
      : { most: retention.succeeded, fromMs: 0 };
    await removeChunks(database, heap, limit);
    await mergeSmall(dependencies, heap);
  }
}

async function mergeSmall(dependencies: TidyDependencies, heap: Heap): Promise<void> {
  const merge = (chunks: readonly Chunk[]) => merged(dependencies, heap, chunks);
  const sizes = { small, limit: mergedAtOnce };
  let taken: number;
  do taken = await replaceSmall(dependencies.database, heap, sizes, merge);
  while (taken === mergedAtOnce);
}

async function merged(
  { clock, ids }: TidyDependencies,
  heap: Heap,
  chunks: readonly Chunk[],
): Promise<Chunk> {
  const requests = await Promise.all(chunks.map(requestsOf));
  const dropped = chunks.reduce((sum, chunk) => sum + chunk.dropped, 0);
  return chunkOf({ ...heap, id: ids.next(clock.nowMs()), dropped }, requests.flat());
}
