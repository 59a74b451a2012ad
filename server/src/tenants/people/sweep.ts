import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { removeOldInvitations } from './invitation-store.ts';
import { removeOldChallenges } from './passkey-store.ts';
import { removeOldSessions } from './session-store.ts';
import { sessionTimes } from './sessions.ts';
import { removeOldTries } from './throttle.ts';
import { removeOldTills } from './till-devices.ts';

const intervalMs = 3_600_000;
const batchSize = 1_000;
/** How long an expired link can still be looked up. */
const invitationsKeptMs = 30 * 24 * intervalMs;

/** Removes expired sessions, challenges, tries and links. */
export function peopleSweep(dependencies: {
  database: Database;
  clock: Clock;
  log: Logger;
}): Poller {
  const { database, clock, log } = dependencies;
  const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
  const claim = () => sweepPeople(database, clock.nowMs());
  return new Poller({ name: 'people', clock, log, claim, ...intervals });
}

/** @returns how many rows it removed */
export async function sweepPeople(database: Database, nowMs: number): Promise<number> {
  const removed = [
    await removeOldSessions(database, nowMs - sessionTimes.longestMs, batchSize),
    await removeOldChallenges(database, nowMs, batchSize),
    await removeOldTries(database, nowMs, batchSize),
    await removeOldInvitations(database, nowMs - invitationsKeptMs, batchSize),
    await removeOldTills(database, nowMs - invitationsKeptMs, batchSize),
  ];
  return removed.reduce((sum, count) => sum + count, 0);
}
