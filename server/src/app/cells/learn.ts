import type { Logger } from 'pino';
import { type Directory, usualMaxEntries } from '../../tenants/cells/directory.ts';
import { hashesUsedSince } from '../../tenants/merchants/store.ts';
import type { Gateway } from '../compose.ts';

const dayMs = 86_400_000;
const mostOfCell = 10_000;

/**
 * Keys that were used within a day before the start are found without asking anybody: or after a restart, whoever
 * tries keys locks out all who work behind the same address. Without them all goes on, as they are found one by one.
 */
export function makeLearn(
  directory: Directory,
  { log, cellCount }: { log: Logger; cellCount: number },
): (gateway: Gateway) => Promise<void> {
  // Half of what is remembered, lest one cell's keys put another's out.
  const limit = Math.min(mostOfCell, Math.floor(usualMaxEntries / 2 / cellCount));
  return async ({ database, clock }) => {
    const nowMs = clock.nowMs();
    try {
      const asked = { sinceMs: nowMs - dayMs, nowMs, limit };
      await directory.learn(await hashesUsedSince(database, asked));
    } catch (error) {
      log.warn({ err: error }, 'where keys are that were used lately is not known yet');
    }
  };
}
