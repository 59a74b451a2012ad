import type { Logger } from 'pino';
import { type Directory, defaultMaxEntries } from '../../tenants/cells/cell-directory.ts';
import { hashesUsedSince } from '../../tenants/merchants/store.ts';
import type { Gateway } from '../compose.ts';

const dayMs = 86_400_000;
const maxKeysPerCell = 10_000;

/**
 * Loads the cells of keys that were used within the last day, so that the first requests after a
 * start need no look-up. Otherwise somebody who tries keys right after a restart could lock out
 * everyone behind the same address. A failure is harmless: the gateway then looks keys up one by
 * one.
 */
export function makeLoadRecentKeys(
  directory: Directory,
  { log, cellCount }: { log: Logger; cellCount: number },
): (gateway: Gateway) => Promise<void> {
  // Half of the cache, so that one cell's keys do not evict another's.
  const limit = Math.min(maxKeysPerCell, Math.floor(defaultMaxEntries / 2 / cellCount));
  return async ({ database, clock }) => {
    const nowMs = clock.nowMs();
    try {
      const query = { sinceMs: nowMs - dayMs, nowMs, limit };
      await directory.preload(await hashesUsedSince(database, query));
    } catch (error) {
      log.warn({ err: error }, 'the cells of recently used keys could not be loaded');
    }
  };
}
