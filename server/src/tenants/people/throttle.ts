import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { listOf, prepare } from '../../platform/postgres/statement.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { PeopleKeys } from './derived-keys.ts';

/** The pauses after the first, second … consecutive try; the last one repeats. */
const pausesSeconds = [0, 0, 0, 0, 30, 60, 120, 240, 480, 900];
/** From this try on there is a pause: somebody is guessing. */
export const freeTries = pausesSeconds.indexOf(30) + 1;
const memoryMs = 24 * 3_600_000;

/*
 * A try counts before it is checked, in one statement: of many concurrent ones, one gets through. A successful
 * sign-in resets the tries.
 */
const takeStatement = prepare({
  name: 'sign_in_tries.take',
  given: {
    digest: 'bytea',
    nowMs: 'timestamptz',
    forgottenAtMs: 'timestamptz',
    nextAtMs: listOf('timestamptz'),
  },
  text: (given) => `
INSERT INTO sign_in_tries AS seen (account_digest, tries, next_at, forgotten_at)
VALUES (${given.digest}, 1, ${given.nowMs}, ${given.forgottenAtMs})
ON CONFLICT (account_digest) DO UPDATE SET
  tries = CASE WHEN seen.forgotten_at <= ${given.nowMs} THEN 1 ELSE seen.tries + 1 END,
  next_at = CASE WHEN seen.forgotten_at <= ${given.nowMs} THEN ${given.nowMs}
    ELSE (${given.nextAtMs})[least(seen.tries + 1, cardinality(${given.nextAtMs}))] END,
  forgotten_at = excluded.forgotten_at
WHERE seen.next_at <= ${given.nowMs}
RETURNING tries`,
});

const mostPauses = 10_000;

/** Pauses seen in the database: during a pause, no query is needed. */
export class Pauses {
  #untilMs = new Map<string, number>();

  untilMs(digest: Buffer): number {
    return this.#untilMs.get(keyOf(digest)) ?? 0;
  }

  note(digest: Buffer, untilMs: number): void {
    // An evicted entry costs one more query, and nothing else.
    if (this.#untilMs.size >= mostPauses) this.#untilMs.clear();
    this.#untilMs.set(keyOf(digest), untilMs);
  }

  forget(digest: Buffer): void {
    this.#untilMs.delete(keyOf(digest));
  }
}

const keyOf = (digest: Buffer) => digest.toString('latin1');

/** Counts a try for this account; during a pause, returns how long it lasts. */
export async function takeTry(
  { database, clock, pauses }: { database: Database; clock: Clock; pauses: Pauses },
  digest: Buffer,
): Promise<{ tries: number } | { retryInMs: number }> {
  const nowMs = clock.nowMs();
  const leftMs = pauses.untilMs(digest) - nowMs;
  if (leftMs > 0) return { retryInMs: Math.max(1_000, leftMs) };
  const nextAtMs = pausesSeconds.map((seconds) => nowMs + seconds * 1_000);
  const given = { digest, nowMs, forgottenAtMs: nowMs + memoryMs, nextAtMs };
  const [allowed] = await takeStatement.run<{ tries: number }>(database, given);
  if (allowed) return allowed;
  const text = 'SELECT next_at AS "nextAtMs" FROM sign_in_tries WHERE account_digest = $1';
  const [seen] = await database.query<{ nextAtMs: number }>({ text }, [digest]);
  const untilMs = seen?.nextAtMs ?? nowMs;
  pauses.note(digest, untilMs);
  return { retryInMs: Math.max(1_000, untilMs - nowMs) };
}

/** Resets the tries after a successful sign-in. */
export async function forgetTries(
  transaction: Queryable,
  { pauses }: { pauses: Pauses },
  digest: Buffer,
): Promise<void> {
  pauses.forget(digest);
  const text = 'DELETE FROM sign_in_tries WHERE account_digest = $1';
  await transaction.query({ text }, [digest]);
}

/** Removes some that are a day old. @returns how many */
export async function removeOldTries(
  database: Queryable,
  nowMs: number,
  limit: number,
): Promise<number> {
  const text = `
DELETE FROM sign_in_tries WHERE account_digest IN (
  SELECT account_digest FROM sign_in_tries WHERE forgotten_at <= $1 LIMIT $2
) AND forgotten_at <= $1 RETURNING tries`;
  return (await database.query({ text }, [timestamp(nowMs), limit])).length;
}

const deviceBytes = 16;

/** The cookie of a device on which the person with this e-mail has signed in. */
export function newDevice(keys: PeopleKeys, email: string): string {
  const id = randomBytes(deviceBytes).toString('base64url');
  return `${id}.${keys.digest('device', id, email).toString('base64url')}`;
}

/** Whether the person with this e-mail has signed in on this device. */
export function isKnownDevice(
  keys: PeopleKeys,
  email: string,
  device: string | undefined,
): device is string {
  const [id = '', mac = ''] = device?.split('.') ?? [];
  const right = keys.digest('device', id, email);
  const given = Buffer.from(mac, 'base64url');
  return given.length === right.length && timingSafeEqual(given, right);
}

/** The key under which tries are counted: a known device, or all other tries for this e-mail. */
export function bucketOf(keys: PeopleKeys, email: string, device: string | undefined): Buffer {
  return isKnownDevice(keys, email, device)
    ? keys.digest('tries', email, device.split('.', 1)[0]!)
    : keys.digest('tries', email);
}
