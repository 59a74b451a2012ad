import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/platform/postgres/database.ts';
import { eventually } from '../support/eventually.ts';
import { unfinished } from './check.ts';
import type { Load } from './load.ts';
import type { Random } from './random.ts';

/** The query for unfinished rows reads whole tables. */
const pollIntervalMs = 250;
/** Longer than every lease and every retry interval that a round can cause. */
const restLimitMs = 180_000;

interface Rest {
  load: Load;
  database: Database;
  random: Random;
}

/**
 * Waits until every order has its answer and nothing is due. @returns what has not finished in
 * time, in words
 */
export async function comeToRest({ load, database, random }: Rest): Promise<string[]> {
  await eventually('the flapping endpoint is enabled', () => load.enable(random), restLimitMs);
  const deadlineMs = performance.now() + restLimitMs;
  for (;;) {
    const unanswered = await load.askAgain(random);
    const left = await unfinished(database);
    if (unanswered > 0) left.push(`${unanswered} orders have no answer`);
    if (left.length === 0) return [];
    if (performance.now() > deadlineMs)
      return left.map((one) => `after ${restLimitMs / 1_000} s, not ended: ${one}`);
    await delay(pollIntervalMs);
  }
}
