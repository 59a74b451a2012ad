import { appendEvents, eventRows, newEvents } from '../../integrations/events/append.ts';
import { written, writtenRows } from '../../integrations/events/append-result.ts';
import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { eventOf } from '../../integrations/events/event.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalidState, notFound } from '../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../platform/idempotency/run-once.ts';
import { untilUnchanged } from '../../platform/jobs/retry-on-conflict.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { prepare, rowsOf } from '../../platform/postgres/statement.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import { appendPostings, newPostings, postingRows } from '../ledger/append.ts';
import { disbursementPostings } from '../ledger/postings.ts';
import type { Disbursement } from './disbursement.ts';
import { findDisbursement } from './store.ts';
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

// A compare-and-set: a worker that is about to send one has increased its version.
const cancelStatement = prepare({
  name: 'disbursements.cancel',
  given: {
    deliveriesDueAtMs: 'timestamptz',
    tenantId: 'uuid',
    nowMs: 'timestamptz',
    rows: rowsOf<Disbursement>({
      id: ['uuid', ({ id }) => id],
      seen_version: ['integer', ({ version }) => version],
    }),
    events: eventRows,
    postings: postingRows,
  },
  text: (given) => `
WITH cancelled AS (
  UPDATE disbursements d SET status = 'CANCELLED', version = d.version + 1, due_at = NULL, updated_at = ${given.nowMs}
  FROM ${given.rows}
  WHERE d.tenant_id = ${given.tenantId} AND d.id = given.id AND d.version = seen_version AND d.status = 'CREATED'
  RETURNING d.tenant_id, d.id
),
${newEvents(given.events, 'cancelled')},
${appendEvents(1)},
${newPostings(given.postings, 'cancelled')},
${appendPostings}
${writtenRows('cancelled')}`,
});

export interface Cancelled {
  disbursements: Disbursement[];
  /** To be called once everything is committed. */
  announce(): void;
}

/** Cancels those disbursements of a tenant that have not changed since they were seen. */
export async function cancelSeen(
  transaction: Queryable,
  dependencies: Omit<CancelDisbursementDependencies, 'database'>,
  seen: readonly Disbursement[],
): Promise<Cancelled> {
  const { clock, ids, dispatcher } = dependencies;
  const nowMs = clock.nowMs();
  const next = seen.map((each): Disbursement => {
    const version = each.version + 1;
    return { ...each, status: 'CANCELLED', version, dueAtMs: null, updatedAtMs: nowMs };
  });
  const events = next.map((each) =>
    eventOf(ids, 'disbursement.cancelled', each, nowMs, disbursementJson(each)),
  );
  const deliveriesDueAtMs = dispatcher.leaseMs(nowMs, events);
  const postings = next.flatMap((each) => disbursementPostings(each, 'GIVEN_BACK', nowMs));
  const { tenantId = '' } = seen[0] ?? {};
  const given = { deliveriesDueAtMs, tenantId, nowMs, rows: seen, events, postings };
  const done = written(await cancelStatement.run(transaction, given));
  const disbursements = next.filter(({ id }) => done.ids.has(id));
  return {
    disbursements,
    announce() {
      const told = events.filter(({ objectId }) => done.ids.has(objectId));
      dispatcher.accept(done.subscriptions, told, deliveriesDueAtMs);
      for (const each of disbursements) dependencies.onDisbursement(each);
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
      if (seen.status !== 'CREATED')
        throw invalidState(`A disbursement that is ${seen.status} cannot be cancelled.`);
      return cancel(dependencies, seen, author, keep);
    });
}

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
