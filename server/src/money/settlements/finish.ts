import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { eventOf } from '../../integrations/events/event.ts';
import { invalidState, notNow } from '../../platform/errors/errors.ts';
import { writeNotices } from '../../platform/notices/write.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { type FourEyes, requireNoApproval } from '../../platform/values/four-eyes.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { payoutPostings } from '../ledger/postings.ts';
import { type Settlement, settlementView } from './settlement.ts';
import { transitionSettlement } from './store.ts';
import { releasePeriods } from './unsettled-store.ts';

export interface FinishDependencies {
  /** May be a transaction, in which a person's action is audited. */
  database: Queryable;
  clock: Clock;
  ids: Ids;
  dispatcher: DeliveryDispatcher;
  fourEyes: FourEyes;
}

/**
 * Records a person's report that the bank has paid. Returns the settlement as it is now.
 * @throws FORBIDDEN (ApprovalNeeded)
 * @throws INVALID_STATE unless it is PROCESSING, and its payout is not being handed over right now
 */
export async function completeSettlement(
  dependencies: FinishDependencies,
  seen: Settlement,
): Promise<Settlement> {
  requireNoApproval(dependencies.fourEyes, 'settlements');
  if (seen.status !== 'PROCESSING') throw cannot(seen, 'completed');
  refuseUnderWay(seen, dependencies.clock);
  const completed = await recordPaid(dependencies, seen);
  if (!completed) throw changed();
  return completed;
}

/**
 * The payout has arrived: payouts_in_transit → bank, settlement.completed. Its payments are marked settled
 * afterwards, in chunks. Returns the settlement as it is now; undefined if it had moved on.
 */
export async function recordPaid(
  dependencies: Omit<FinishDependencies, 'fourEyes'>,
  seen: Settlement,
): Promise<Settlement | undefined> {
  const nowMs = dependencies.clock.nowMs();
  const next: Settlement = {
    ...seen,
    version: seen.version + 1,
    status: 'COMPLETED',
    completedAtMs: nowMs,
    dueAtMs: nowMs,
    payoutError: null,
  };
  const json = JSON.stringify(settlementView(next));
  const event = eventOf(dependencies.ids, 'settlement.completed', next, nowMs, json);
  const postings = payoutPostings(next, 'payout_done', nowMs);
  const deliveriesDueAtMs = dependencies.dispatcher.leaseMs(nowMs, [event]);
  const transition = { next, events: [event], postings, deliveriesDueAtMs };
  const subscriptions = await transitionSettlement(dependencies.database, seen, transition);
  if (!subscriptions) return undefined;
  dependencies.dispatcher.accept(subscriptions, [event], deliveriesDueAtMs);
  return next;
}

/**
 * The payout did not happen: payouts_in_transit → payable, and the settlement's periods are unsettled again. Returns
 * the settlement as it is now. Needs a transaction.
 * @throws FORBIDDEN (ApprovalNeeded)
 * @throws INVALID_STATE unless it is PENDING or PROCESSING, and its payout is not being handed over right now: that
 * payout could still reach the bank
 */
export async function failSettlement(
  { database: transaction, clock, fourEyes }: Omit<FinishDependencies, 'ids' | 'dispatcher'>,
  seen: Settlement,
): Promise<Settlement> {
  requireNoApproval(fourEyes, 'settlements');
  if (seen.status !== 'PROCESSING' && seen.status !== 'PENDING') throw cannot(seen, 'failed');
  refuseUnderWay(seen, clock);
  const nowMs = clock.nowMs();
  const next: Settlement = { ...seen, version: seen.version + 1, status: 'FAILED', dueAtMs: null };
  const postings = payoutPostings(next, 'payout_back', nowMs);
  // The row in `unsettled` is locked before any balance, as everywhere.
  await releasePeriods(transaction, seen);
  const transition = { next, events: [], postings, deliveriesDueAtMs: nowMs };
  if (!(await transitionSettlement(transaction, seen, transition))) throw changed();
  const { tenantId, id: subject } = seen;
  await writeNotices(transaction, [
    { kind: 'SETTLEMENT_FAILED', tenantId, subject, detail: {}, atMs: nowMs },
  ]);
  return next;
}

/**
 * A worker that hands a payout over has cleared the last error, under a lease. A claim alone sends nothing: the next
 * step is a compare-and-set on the version.
 */
function refuseUnderWay({ status, dueAtMs, payoutError }: Settlement, clock: Clock): void {
  const isLeased = dueAtMs !== null && dueAtMs > clock.nowMs();
  if (status === 'PROCESSING' && isLeased && payoutError === null) {
    throw notNow('Its payout file is being written right now; try again in a moment.');
  }
}

const changed = () =>
  invalidState('It has just changed; check it, and repeat the command if it still applies.');

const cannot = ({ status }: Settlement, what: string) =>
  invalidState(`A settlement that is ${status} cannot be ${what}.`);
