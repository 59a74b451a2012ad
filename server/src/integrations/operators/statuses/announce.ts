import type { Database } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { derivedUuid, type Ids } from '../../../platform/values/ids.ts';
import type { DeliveryDispatcher } from '../../events/dispatch.ts';
import { newEvent } from '../../events/event.ts';
import type { OperatorDetails } from '../details.ts';
import {
  announceChunk,
  beginAnnouncement,
  findSubscribers,
  listStatuses,
  type StoredStatus,
} from './store.ts';

export const statusEventType = 'operator.status_changed' as const;

/** How far apart the announcements of one operator are at least. */
export const restMs = 300_000;
/** How many tenants get the event in one statement, which makes their deliveries too. */
const chunkSize = 100;

/** Names operators, which have no ids, as the objects of events. */
const operatorNamespace = '6f1d5c0e-2f0b-4f63-9d43-6f7065726174';

export interface AnnounceDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dispatcher: Pick<DeliveryDispatcher, 'wake'>;
  /** The operator as merchants see it with this state. */
  describe: (state: Pick<StoredStatus, 'operator' | 'status' | 'sinceMs'>) => OperatorDetails;
}

/**
 * Announces each state that differs from the last announced one, at most once in {@link restMs} for each operator: an
 * operator that came back meanwhile is not announced at all. The intent is committed first, then the events chunk by
 * chunk, each with the place that it reached: whichever process comes next carries on there (decision 0040).
 */
export async function announceStatuses(dependencies: AnnounceDependencies): Promise<void> {
  const { database, clock, describe } = dependencies;
  const endedBefore = clock.nowMs() - restMs;
  for (const state of await listStatuses(database)) {
    const { operator, status, version, announcedStatus, announcedThrough } = state;
    if (status === announcedStatus || announcedThrough !== null) continue;
    if ((state.announcedAtMs ?? 0) > endedBefore) continue;
    const announcement = JSON.stringify(describe(state));
    await beginAnnouncement(database, { operator, version, announcement, endedBefore });
  }
  for (const state of await listStatuses(database)) {
    if (state.announcedThrough !== null) await carryOn(dependencies, state, state.announcedThrough);
  }
}

/** Writes what is left of an announcement, until another process is ahead. */
async function carryOn(
  { database, clock, ids, dispatcher }: AnnounceDependencies,
  state: StoredStatus,
  reached: string,
): Promise<void> {
  const { operator, announcedVersion: version, announcement } = state;
  const objectId = derivedUuid(operatorNamespace, operator);
  let from: string | null = reached;
  while (from !== null) {
    const found = await findSubscribers(database, from, statusEventType, chunkSize);
    const nowMs = clock.nowMs();
    const isLast = found.length < chunkSize;
    const events = found.map(({ tenantId }) => {
      const id = ids.next(nowMs);
      const about = { tenantId, id, type: statusEventType, objectId };
      return newEvent({ ...about, sequence: version, createdAtMs: nowMs }, announcement ?? '{}');
    });
    const through = isLast ? null : found.at(-1)!.tenantId;
    const endedAtMs = isLast ? nowMs : null;
    const chunk = { operator, version, from, through, endedAtMs, events, deliveriesDueAtMs: nowMs };
    if (!(await announceChunk(database, chunk))) return;
    if (events.length > 0) dispatcher.wake();
    from = through;
  }
}
