import { newEvent } from '../events/event.ts';
import type { DeliveryHandover } from '../events/handover.ts';
import { payoutPostings } from '../ledger/posting.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queryable } from '../platform/database.ts';
import { invalidState } from '../platform/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { type Settlement, settlementView } from './settlement.ts';
import { moveSettlement } from './store.ts';
import { releasePeriods } from './unsettled-store.ts';

export interface FinishParts {
  /** May be a transaction, with which a person's action is recorded. */
  database: Queryable;
  clock: Clock;
  ids: Ids;
  handover: DeliveryHandover;
}

/**
 * The payout has arrived: payouts_in_transit → bank, settlement.completed. Its payments are told of
 * afterwards, in chunks. Gives the settlement as it is now.
 * @throws INVALID_STATE unless it is PROCESSING
 */
export async function completeSettlement(
  parts: FinishParts,
  seen: Settlement,
): Promise<Settlement> {
  if (seen.status !== 'PROCESSING') throw cannot(seen, 'completed');
  const nowMs = parts.clock.nowMs();
  const next: Settlement = {
    ...seen,
    version: seen.version + 1,
    status: 'COMPLETED',
    completedAtMs: nowMs,
    dueAtMs: nowMs,
  };
  const { tenantId, id: objectId } = next;
  const event = newEvent(
    {
      tenantId,
      id: parts.ids.next(nowMs),
      type: 'settlement.completed',
      objectId,
      sequence: next.version,
      createdAtMs: nowMs,
    },
    JSON.stringify(settlementView(next)),
  );
  const postings = payoutPostings(next, 'payout_done', nowMs);
  const deliveriesDueAtMs = parts.handover.leaseMs(nowMs);
  const move = { next, events: [event], postings, deliveriesDueAtMs };
  const subscriptions = await moveSettlement(parts.database, seen, move);
  if (!subscriptions) throw cannot(seen, 'completed');
  parts.handover.accept(subscriptions, [event], deliveriesDueAtMs);
  return next;
}

/**
 * The payout did not happen: payouts_in_transit → payable, and what the settlement took is unsettled
 * again. Gives the settlement as it is now. Needs a transaction.
 * @throws INVALID_STATE unless it is PENDING, or PROCESSING with its payout handed over: one that is
 * being handed over right now could still reach the bank
 */
export async function failSettlement(
  { database: transaction, clock }: Pick<FinishParts, 'database' | 'clock'>,
  seen: Settlement,
): Promise<Settlement> {
  if (seen.status !== 'PROCESSING' && seen.status !== 'PENDING') throw cannot(seen, 'failed');
  if (seen.status === 'PROCESSING' && seen.dueAtMs !== null) {
    throw invalidState('Its payout is being handed over right now; try again in a moment.');
  }
  const nowMs = clock.nowMs();
  const next: Settlement = { ...seen, version: seen.version + 1, status: 'FAILED', dueAtMs: null };
  const postings = payoutPostings(next, 'payout_back', nowMs);
  // The row of what is unsettled is locked before any balance, as everywhere.
  await releasePeriods(transaction, seen);
  const move = { next, events: [], postings, deliveriesDueAtMs: nowMs };
  if (!(await moveSettlement(transaction, seen, move))) throw cannot(seen, 'failed');
  return next;
}

const cannot = ({ status }: Settlement, what: string) =>
  invalidState(`A settlement that is ${status} cannot be ${what}.`);
