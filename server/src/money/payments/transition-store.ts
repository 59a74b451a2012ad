import { appendEvents, eventRows } from '../../integrations/events/append.ts';
import { type Written, written, writtenRows } from '../../integrations/events/append-result.ts';
import type { NewEvent } from '../../integrations/events/event.ts';
import { bookTransitions, isBookedWhereItMustBe } from '../../integrations/operators/bookings.ts';
import type { DebitRecord } from '../../integrations/operators/operator.ts';
import { recordDebits, recordedOfPayment } from '../../integrations/operators/simulator/store.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { type Columns, prepare, rowsOf } from '../../platform/postgres/statement.ts';
import { requireTransition } from '../../platform/values/transitions.ts';
import { appendPostings, newPostings, postingRows } from '../ledger/append.ts';
import type { Posting } from '../ledger/postings.ts';
import { countedOfPayment, countPayments } from '../totals/count.ts';
import { isOpen, type Payment, paymentTransitions } from './payment.ts';
import { releaseSlot } from './session-slot.ts';

/** One transition: the payment before and after. */
export interface Transition {
  seen: Payment;
  next: Payment;
  /** The lease under which the reason for it was obtained; without one, the version alone decides. */
  leaseMs?: number | undefined;
  /** Our account at the operator, where its transaction is booked now; null: simulated. */
  account?: string | null | undefined;
  /** A simulated operator's record of the debit, which is requested with this transition. */
  record?: DebitRecord | undefined;
  event?: NewEvent | undefined;
  /** Whether the checkout session ends with this attempt. */
  sessionEvent?: NewEvent | undefined;
  postings: Posting[];
}

const stepColumns: Columns<Transition> = {
  tenant_id: ['uuid', ({ next }) => next.tenantId],
  id: ['uuid', ({ next }) => next.id],
  seen_version: ['integer', ({ seen }) => seen.version],
  lease: ['timestamptz', ({ leaseMs }) => leaseMs ?? null],
  status: ['text', ({ next }) => next.status],
  due_at: ['timestamptz', ({ next }) => next.dueAtMs],
  sent_at: ['timestamptz', ({ next }) => next.sentAtMs],
  updated_at: ['timestamptz', ({ next }) => next.updatedAtMs],
};

const recordColumns: Columns<Transition> = {
  recorded_status: ['text', ({ record }) => record?.status ?? null],
  recorded_failure: ['text', ({ record }) => record?.failureCode ?? null],
  recorded_tx_id: ['text', ({ record }) => record?.operatorTxId ?? null],
  decide_at: ['timestamptz', ({ record }) => record?.decideAtMs ?? null],
  recorded_due_at: ['timestamptz', ({ record }) => record?.dueAtMs ?? null],
};

/** What else the end of a payment writes: how it ended, and its event, whose other columns are the payment's. */
const endColumns: Columns<Transition> = {
  operator_tx_id: ['text', ({ next }) => next.operatorTxId],
  failure_code: ['text', ({ next }) => next.failureCode],
  failure_message: ['text', ({ next }) => next.failureMessage],
  event_id: ['uuid', ({ event }) => event?.id ?? null],
  event_type: ['text', ({ event }) => event?.type ?? null],
  event_body: ['text', ({ event }) => event?.body ?? null],
};
const accountColumn: Columns<Transition> = { account: ['text', ({ account }) => account ?? null] };

/** The compare-and-set itself. `more` is assigned too. */
const advance = (from: string, more = '', where = '') => `
  UPDATE payments p SET
    version = p.version + 1, status = t.status,${more}
    -- Who has no lease leaves the query that another may have under way, and has the next one wait for it.
    due_at = CASE WHEN t.lease IS NULL AND t.due_at < p.asking_until THEN p.asking_until ELSE t.due_at END,
    asking_until = CASE WHEN t.lease IS NULL THEN p.asking_until END,
    sent_at = GREATEST(p.sent_at, t.sent_at), updated_at = t.updated_at
  FROM ${from}
  WHERE p.tenant_id = t.tenant_id AND p.id = t.id AND p.version = t.seen_version
    AND (t.lease IS NULL OR p.due_at = t.lease)${where}`;

/** Transitions of payments that stay open have no event and no postings, and count nowhere. */
const stepStatement = (hasRecords: boolean) =>
  prepare({
    name: `payments.step${hasRecords ? '_recorded' : ''}`,
    given: { transitions: rowsOf({ ...stepColumns, ...(hasRecords && recordColumns) }, 't') },
    text: (given) =>
      hasRecords
        ? `
WITH moved AS (${advance(given.transitions)}
  RETURNING ${recordedOfPayment}, ${Object.keys(recordColumns)
    .map((name) => `t.${name}`)
    .join(', ')}
),
${recordDebits}
SELECT id FROM moved`
        : `${advance(given.transitions)}
RETURNING p.id`,
  });

const steps = stepStatement(false);
const recordedSteps = stepStatement(true);

interface EndShape {
  /** For batches with attempts: the end of an attempt releases the slot of its checkout session. */
  hasCheckoutPayments: boolean;
  /** For batches with transactions of real operators: each is booked once. */
  hasBookings: boolean;
}

const endStatement = ({ hasCheckoutPayments, hasBookings }: EndShape) =>
  prepare({
    name: `payments.end${hasCheckoutPayments ? '_attempts' : ''}${hasBookings ? '_booking' : ''}`,
    given: {
      deliveriesDueAtMs: 'timestamptz',
      transitions: rowsOf({ ...stepColumns, ...endColumns, ...(hasBookings && accountColumn) }),
      postings: postingRows,
      ...givenSessions(hasCheckoutPayments),
    },
    text: (given) => `
WITH transition AS (SELECT * FROM ${given.transitions}),${hasBookings ? bookTransitions : ''}
moved AS (${advance(
      'transition t',
      `
    operator_tx_id = t.operator_tx_id, failure_code = t.failure_code, failure_message = t.failure_message,`,
      hasBookings ? ` AND ${isBookedWhereItMustBe}` : '',
    )}
  RETURNING p.tenant_id, p.id, p.version, p.checkout_session_id, ${countedOfPayment},
    t.event_id, t.event_type, t.event_body
),${hasCheckoutPayments ? `${releaseSlot},` : ''}
new_event AS (
  SELECT tenant_id, event_id AS id, event_type AS type, id AS object_id, version AS sequence,
    event_body AS body, updated_at AS created_at
  FROM moved WHERE event_id IS NOT NULL${hasCheckoutPayments ? ofSessions(given.sessionEvents) : ''}
),
${appendEvents(1)},
${newPostings(given.postings, 'moved')},
${appendPostings},${countPayments}
${writtenRows(hasCheckoutPayments ? changedWithSessions : 'moved')}`,
  });

/** PostgreSQL cannot infer the type of a parameter that a statement does not name. */
const givenSessions = (hasCheckoutPayments: boolean) =>
  (hasCheckoutPayments ? { sessionEvents: eventRows } : {}) as { sessionEvents: typeof eventRows };

const ofSessions = (events: string) => `
  UNION ALL
  SELECT given_event.* FROM ${events}
  JOIN session ON session.tenant_id = given_event.tenant_id AND session.id = given_event.object_id`;

const changedWithSessions = '(SELECT id FROM moved UNION ALL SELECT id FROM session) AS changed';

/** Indexed by whether there are attempts, then by whether there are bookings. */
const endStatements = [false, true].map((hasCheckoutPayments) =>
  [false, true].map((hasBookings) => endStatement({ hasCheckoutPayments, hasBookings })),
);

/**
 * Writes transitions in one statement, with the events, deliveries and postings of those that end a payment and their
 * deltas of the totals. A transition is a compare-and-set: if the payment has moved on, the lease has passed to
 * another worker, or the operator's transaction is booked for something else, the transition is left out of the
 * result and nothing of it is written.
 * @throws Error if the transition table lacks one of them, or if some end a payment and others do not
 */
export async function transitionPayments(
  database: Queryable,
  transitions: readonly Transition[],
  deliveriesDueAtMs: number,
): Promise<Written> {
  for (const { seen, next } of transitions) {
    requireTransition(paymentTransitions, seen.status, next.status);
  }
  if (transitions.every(isStep)) return writeSteps(database, transitions);
  if (transitions.some(isStep)) throw new Error('steps and ends of payments are written apart');
  const hasCheckoutPayments = transitions.some(({ next }) => next.checkoutSessionId !== null);
  const hasBookings = transitions.some(({ account = null }) => account !== null);
  const sessionEvents = transitions.flatMap(({ sessionEvent }) => sessionEvent ?? []);
  const postings = transitions.flatMap((transition) => transition.postings);
  const statement = endStatements[+hasCheckoutPayments]![+hasBookings]!;
  const given = { deliveriesDueAtMs, transitions, postings, sessionEvents };
  return written(await statement.run(database, given));
}

/** Whether the payment stays open: then only the payment and the record of its request are written. */
export const isStep = ({ next }: Pick<Transition, 'next'>): boolean => isOpen(next.status);

async function writeSteps(
  database: Queryable,
  transitions: readonly Transition[],
): Promise<Written> {
  const statement = transitions.some(({ record }) => record) ? recordedSteps : steps;
  const rows = await statement.run<{ id: string }>(database, { transitions });
  return { ids: new Set(rows.map(({ id }) => id)), subscriptions: [] };
}
