import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueLoop } from '../platform/due-loop.ts';
import { removeOldPrompts } from './store.ts';

const gapMs = 3_600_000;
const batchSize = 1_000;

/** What is known of a phone is forgotten when its day is over, whatever else is kept. */
export function promptSweep(parts: { database: Database; clock: Clock; log: Logger }): DueLoop {
  const { database, clock, log } = parts;
  const claim = () => removeOldPrompts(database, clock.nowMs(), batchSize);
  return new DueLoop({
    name: 'phone prompts',
    clock,
    log,
    claim,
    shortestGapMs: 1_000,
    longestGapMs: gapMs,
  });
}
