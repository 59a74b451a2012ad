import { appendEvents, eventRows, newEvents } from '../../integrations/events/append.ts';
import {
  type Written,
  type WrittenRow,
  written,
  writtenRows,
} from '../../integrations/events/append-result.ts';
import type { NewEvent } from '../../integrations/events/event.ts';
import { bookOutgoing } from '../../integrations/operators/outgoing-bookings.ts';
import { spellingsIn } from '../../integrations/operators/transaction-ids.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { type Columns, prepare, rowsOf } from '../../platform/postgres/statement.ts';
import { requireTransition } from '../../platform/values/transitions.ts';
import { appendPostings, newPostings, postingRows } from '../ledger/append.ts';
import type { Posting } from '../ledger/postings.ts';
import { type Disbursement, disbursementTransitions } from './disbursement.ts';

/** One transition: the disbursement before and after, with everything that is written with it. */
export interface Transition {
  seen: Disbursement;
  next: Disbursement;
  /** The lease under which the reason for it was obtained; without one, the version alone decides. */
  leaseMs?: number | undefined;
  /** Our account at the operator, where its transaction is booked now; null: simulated, or no transaction yet. */
  account?: string | null | undefined;
  event?: NewEvent | undefined;
  postings: Posting[];
}

const transitionColumns: Columns<Transition> = {
  tenant_id: ['uuid', ({ next }) => next.tenantId],
  id: ['uuid', ({ next }) => next.id],
  seen_version: ['integer', ({ seen }) => seen.version],
  lease: ['timestamptz', ({ leaseMs }) => leaseMs ?? null],
  status: ['text', ({ next }) => next.status],
  operator_tx_id: ['text', ({ next }) => next.operatorTxId],
  failure_code: ['text', ({ next }) => next.failureCode],
  failure_message: ['text', ({ next }) => next.failureMessage],
  sent_at: ['timestamptz', ({ next }) => next.sentAtMs],
  due_at: ['timestamptz', ({ next }) => next.dueAtMs],
  updated_at: ['timestamptz', ({ next }) => next.updatedAtMs],
};
const accountColumn: Columns<Transition> = { account: ['text', ({ account }) => account ?? null] };

const isUnchanged = `d.version = t.seen_version AND (t.lease IS NULL OR d.due_at = t.lease)`;

const seen = `
seen AS (
  SELECT * FROM (
    SELECT d.tenant_id, d.id, d.operator, t.account, ${spellingsIn('t.operator_tx_id')} AS spellings
    FROM transition t JOIN disbursements d ON d.tenant_id = t.tenant_id AND d.id = t.id
    WHERE t.account IS NOT NULL AND ${isUnchanged}
    ORDER BY d.tenant_id, d.id FOR UPDATE OF d
  ) AS disbursement
),`;

const isBookedWhereItMustBe = ` AND (t.account IS NULL OR EXISTS (
      SELECT FROM booked b WHERE b.tenant_id = t.tenant_id AND b.subject_id = t.id))`;

const moveStatement = (hasBookings: boolean) =>
  prepare({
    name: `disbursements.move${hasBookings ? '_booking' : ''}`,
    given: {
      deliveriesDueAtMs: 'timestamptz',
      transitions: rowsOf({ ...transitionColumns, ...(hasBookings && accountColumn) }),
      events: eventRows,
      postings: postingRows,
    },
    text: (given) => `
WITH transition AS (SELECT * FROM ${given.transitions}),${hasBookings ? seen + bookOutgoing('DISBURSEMENT') : ''}
moved AS (
  UPDATE disbursements d SET
    version = d.version + 1, status = t.status, operator_tx_id = t.operator_tx_id,
    failure_code = t.failure_code, failure_message = t.failure_message, sent_at = t.sent_at,
    due_at = t.due_at, asking_until = NULL, updated_at = t.updated_at,
    transaction_entered = d.transaction_entered OR (d.operator_tx_id IS NULL AND t.operator_tx_id IS NOT NULL)
  FROM transition t
  WHERE d.tenant_id = t.tenant_id AND d.id = t.id AND ${isUnchanged}${hasBookings ? isBookedWhereItMustBe : ''}
  RETURNING d.tenant_id, d.id
),
${newEvents(given.events, 'moved')},
${appendEvents(1)},
${newPostings(given.postings, 'moved')},
${appendPostings}
${writtenRows('moved')}`,
  });

const moves = moveStatement(false);
const bookingMoves = moveStatement(true);

/**
 * Writes transitions, at most one of each disbursement, with their events, deliveries, postings and bookings in one
 * statement. A transition is a compare-and-set: if the disbursement has moved on, the lease has passed to another
 * worker, or the operator's transaction is booked for something else, the transition is left out of the result and
 * nothing of it is written.
 * @throws Error if the transition table of disbursements lacks one of them
 */
export async function transitionDisbursements(
  database: Queryable,
  transitions: readonly Transition[],
  deliveriesDueAtMs: number,
): Promise<Written> {
  for (const { seen: before, next } of transitions) {
    requireTransition(disbursementTransitions, before.status, next.status);
  }
  const hasBookings = transitions.some(({ account = null }) => account !== null);
  const rows = await (hasBookings ? bookingMoves : moves).run<WrittenRow>(database, {
    deliveriesDueAtMs,
    transitions,
    events: transitions.flatMap(({ event }) => event ?? []),
    postings: transitions.flatMap(({ postings }) => postings),
  });
  return written(rows);
}
