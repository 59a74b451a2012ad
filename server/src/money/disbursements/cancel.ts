import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { eventOf } from '../../integrations/events/event.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalidState, notFound } from '../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../platform/idempotency/run-once.ts';
import { untilUnchanged } from '../../platform/jobs/retry-on-conflict.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import { disbursementPostings } from '../ledger/postings.ts';
import type { Disbursement } from './disbursement.ts';
import { findDisbursement } from './store.ts';
import { transitionDisbursements } from './transition-store.ts';
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

export interface Cancelled {
  disbursements: Disbursement[];
  /** To be called once everything is committed. */
  announce: () => void;
}

/** Cancels those disbursements of a tenant that have not changed since they were seen. */
export async function cancelSeen(
  transaction: Queryable,
  dependencies: Omit<CancelDisbursementDependencies, 'database'>,
  seen: readonly Disbursement[],
): Promise<Cancelled> {
  const { clock, ids, dispatcher, onDisbursement } = dependencies;
  const nowMs = clock.nowMs();
  const transitions = seen.map((each) => {
    const version = each.version + 1;
    const next: Disbursement = {
      ...each,
      status: 'CANCELLED',
      version,
      dueAtMs: null,
      updatedAtMs: nowMs,
    };
    return {
      seen: each,
      next,
      // A request that is about to leave changes the lease, if not the version.
      leaseMs: each.dueAtMs ?? undefined,
      event: eventOf(ids, 'disbursement.cancelled', next, nowMs, disbursementJson(next)),
      postings: disbursementPostings(next, 'GIVEN_BACK', nowMs),
    };
  });
  const dueAtMs = dispatcher.leaseMs(
    nowMs,
    transitions.map(({ event }) => event),
  );
  const done = await transitionDisbursements(transaction, transitions, dueAtMs);
  const moved = transitions.filter(({ next }) => done.ids.has(next.id));
  return {
    disbursements: moved.map(({ next }) => next),
    announce() {
      const events = moved.map(({ event }) => event);
      dispatcher.accept(done.subscriptions, events, dueAtMs);
      for (const { next } of moved) onDisbursement(next);
    },
  };
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
export const isUnsent = ({ status, sentAtMs, dueAtMs }: Disbursement): boolean =>
  status === 'CREATED' || (status === 'PROCESSING' && sentAtMs === null && dueAtMs !== null);

/** The same as SQL. */
export const unsentSql = `(status = 'CREATED' OR status = 'PROCESSING' AND sent_at IS NULL AND due_at IS NOT NULL)`;

/** Undefined if it has changed meanwhile. */
async function cancel(
  dependencies: CancelDisbursementDependencies,
  seen: Disbursement,
  author: Author | undefined,
  keep: KeepAnswer,
): Promise<Disbursement | undefined> {
  const { tenantId, id } = seen;
  const cancelled = await dependencies.database.transaction(async (transaction) => {
    const done = await cancelSeen(transaction, dependencies, [seen]);
    const [next] = done.disbursements;
    if (!next) return undefined;
    if (author) {
      const record = {
        tenantId,
        action: 'disbursement.cancelled',
        subject: formatId('di', id),
        before: { status: seen.status },
        after: { status: next.status },
      } as const;
      await writeAuditRecord(transaction, { ...dependencies, ...author }, record);
    }
    await keep(transaction, keptOf(next));
    return done;
  });
  cancelled?.announce();
  return cancelled?.disbursements[0];
}
