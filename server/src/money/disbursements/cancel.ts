import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { eventOf } from '../../integrations/events/event.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalidState, notFound } from '../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../platform/idempotency/run-once.ts';
import { untilUnchanged } from '../../platform/jobs/retry-on-conflict.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import { disbursementPostings } from '../ledger/postings.ts';
import type { Disbursement } from './disbursement.ts';
import { findDisbursement } from './store.ts';
import { type Transition, transitionDisbursements } from './transition-store.ts';
import { disbursementJson } from './view.ts';

/**
 * Cancels a disbursement that has never been sent; amount and fee go back to the balance.
 * @throws NOT_FOUND
 * @throws INVALID_STATE it has been sent, or has ended
 */
export type CancelDisbursement = (
  tenantId: string,
  id: string,
  author?: Author,
  keep?: KeepAnswer,
) => Promise<Disbursement>;

export interface CancelDisbursementDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dispatcher: DeliveryDispatcher;
  onDisbursement(disbursement: Disbursement): void;
}

/** The changing fields of a cancelled disbursement, as they were in the answer. */
const keptOf = ({ status, updatedAtMs }: Disbursement) => ({ status, updatedAtMs });

/** The disbursement as it was in the answer to its cancellation, without data erased since. */
export async function cancelledThen(
  database: Database,
  { tenantId, id }: { tenantId: string; id: string },
  kept: object,
): Promise<Disbursement> {
  const disbursement = await findDisbursement(database, tenantId, id);
  if (!disbursement) throw notFound('disbursement');
  return { ...disbursement, operatorTxId: null, ...(kept as ReturnType<typeof keptOf>) };
}

export function makeCancelDisbursement(
  dependencies: CancelDisbursementDependencies,
): CancelDisbursement {
  return async (tenantId, id, author, keep = keepNothing) =>
    untilUnchanged('a disbursement changed under every try to cancel it', async () => {
      const seen = await findDisbursement(dependencies.database, tenantId, id);
      if (!seen) throw notFound('disbursement');
      if (!isUnsent(seen)) {
        throw invalidState(`A disbursement that is ${seen.status} cannot be cancelled.`);
      }
      return cancel(dependencies, seen, author, keep);
    });
}

/** It never left, or the operator could certainly not be reached; while it waits to be sent, it is due. */
const isUnsent = ({ status, sentAtMs, dueAtMs }: Disbursement) =>
  status === 'CREATED' || (status === 'PROCESSING' && sentAtMs === null && dueAtMs !== null);

/** Undefined if it has changed meanwhile. */
async function cancel(
  dependencies: CancelDisbursementDependencies,
  seen: Disbursement,
  author: Author | undefined,
  keep: KeepAnswer,
): Promise<Disbursement | undefined> {
  const { database, clock, ids, dispatcher } = dependencies;
  const nowMs = clock.nowMs();
  const { tenantId, id } = seen;
  const next: Disbursement = {
    ...seen,
    status: 'CANCELLED',
    version: seen.version + 1,
    dueAtMs: null,
    updatedAtMs: nowMs,
  };
  const event = eventOf(ids, 'disbursement.cancelled', next, nowMs, disbursementJson(next));
  const dueAtMs = dispatcher.leaseMs(nowMs, [event]);
  const transition: Transition = {
    seen,
    next,
    // A request that is about to leave changes the lease, if not the version.
    leaseMs: seen.dueAtMs ?? undefined,
    event,
    postings: disbursementPostings(next, 'GIVEN_BACK', nowMs),
  };
  const done = await database.transaction(async (transaction) => {
    const changed = await transitionDisbursements(transaction, [transition], dueAtMs);
    if (!changed.ids.has(id)) return undefined;
    if (author) {
      const subject = formatId('di', id);
      const [before, after] = [{ status: seen.status }, { status: next.status }];
      const record = {
        tenantId,
        action: 'disbursement.cancelled',
        subject,
        before,
        after,
      } as const;
      await writeAuditRecord(transaction, { ...dependencies, ...author }, record);
    }
    await keep(transaction, keptOf(next));
    return changed;
  });
  if (!done) return undefined;
  dispatcher.accept(done.subscriptions, [event], dueAtMs);
  dependencies.onDisbursement(next);
  return next;
}
