import { isBookedForNothing } from '../../integrations/operators/bookings.ts';
import { bookOutgoing } from '../../integrations/operators/outgoing-bookings.ts';
import type { Addressed } from '../../integrations/operators/queue.ts';
import { rowLeases } from '../../integrations/operators/row-leases.ts';
import { spellingsIn } from '../../integrations/operators/transaction-ids.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import { isAllowed } from '../../platform/values/transitions.ts';
import { appendPostings, newPostings, postingRows } from '../ledger/append.ts';
import type { Posting } from '../ledger/postings.ts';
import { type Reversal, reversalTransitions } from './reversal.ts';

const reversals = table<Reversal>(
  {
    tenantId: 'uuid',
    id: 'uuid',
    paymentId: 'uuid',
    reason: 'text',
    status: 'text',
    amountMinor: 'bigint',
    currency: 'text',
    operator: 'text',
    operatorTxId: 'text',
    operatorReversalId: 'text',
    failureCode: 'text',
    queryCount: 'integer',
    dueAtMs: 'timestamptz',
    sentAtMs: 'timestamptz',
    byHand: 'boolean',
    createdAtMs: 'timestamptz',
  },
  { queryCount: 'ask_count' },
);

export const reversalColumns = reversals.columns;

// The statement itself sets values that are the same for every new reversal.
const newReversals = reversals.rowsWithout(
  'operatorReversalId',
  'failureCode',
  'queryCount',
  'sentAtMs',
  'byHand',
);

const insertStatement = prepare({
  name: 'reversals.insert',
  given: { reversals: newReversals, account: 'text', postings: postingRows },
  text: (given) => `
WITH new_reversal AS (
  SELECT *, ${given.account} AS account, ${spellingsIn('operator_tx_id')} AS spellings
  FROM ${given.reversals}
),
booked AS (
  INSERT INTO operator_transactions (operator, account, operator_tx_id, tenant_id, payment_id, kind)
  SELECT operator, account, spellings[1], tenant_id, payment_id, 'REVERSAL' FROM new_reversal n
  WHERE account IS NOT NULL AND ${isBookedForNothing('n')}
  ON CONFLICT DO NOTHING
  RETURNING payment_id
),
created AS (
  INSERT INTO reversals (${newReversals.names}, ask_count, updated_at)
  SELECT ${newReversals.names}, 0, created_at FROM new_reversal
  WHERE account IS NULL OR EXISTS (SELECT FROM booked)
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, id
),
${newPostings(given.postings, 'created')},
${appendPostings}
SELECT id FROM created`,
});

/**
 * Writes a reversal and books its debit to suspense; false if that had been done before, or if the operator's
 * transaction is booked for something else: then nothing is written.
 * @param account ours at the operator; null: simulated
 */
export async function insertReversal(
  database: Queryable,
  reversal: Reversal,
  posting: Posting,
  account: string | null,
): Promise<boolean> {
  const given = { reversals: [reversal], account, postings: [posting] };
  return (await insertStatement.run(database, given)).length > 0;
}

/** With the mode of its tenant, which decides who processes it. */
export type DueReversal = Reversal & Addressed;

const due = rowLeases<Reversal>({
  table: 'reversals',
  columns: reversals.columns,
  bytes: '0',
  isVersioned: false,
});

export const {
  claim: claimDueReversals,
  take: takeReversal,
  renew: renewReversal,
  markByHand: markReversalByHand,
} = due;

/** The reversal, or undefined if the tenant has none with this id. */
export const findReversal = rowQuery<Reversal, [tenantId: string, id: string]>({
  name: 'reversals.find',
  text: `SELECT ${reversals.columns} FROM reversals WHERE tenant_id = $1 AND id = $2`,
});

/** Wrong debits of a payment, oldest first. */
export const reversalsOf = rowsQuery<Reversal, [tenantId: string, paymentId: string]>({
  name: 'reversals.of_payment',
  text: `SELECT ${reversals.columns} FROM reversals WHERE tenant_id = $1 AND payment_id = $2 ORDER BY created_at LIMIT 100`,
});

const moving = {
  tenantId: 'uuid',
  id: 'uuid',
  leaseMs: 'timestamptz',
  status: 'text',
  failureCode: 'text',
  operatorReversalId: 'text',
  dueAtMs: 'timestamptz',
  sentAtMs: 'timestamptz',
  nowMs: 'timestamptz',
  postings: postingRows,
} as const;

/** The condition of a transition, on a row of reversals. */
type GivenMove = Record<'tenantId' | 'id' | 'leaseMs' | 'status', string>;
const isMovable = ({ tenantId, id, leaseMs, status }: GivenMove) => `
  tenant_id = ${tenantId} AND id = ${id} AND ${isUnderLease('due_at', leaseMs)}
    AND (status = ${status} OR ${isAllowed(reversalTransitions, 'status', status)})`;

const seen = (given: GivenMove & Record<'account' | 'operatorReversalId', string>) => `
seen AS (
  SELECT * FROM (
    SELECT tenant_id, id, operator, ${given.account} AS account, ${spellingsIn(given.operatorReversalId)} AS spellings
    FROM reversals WHERE ${isMovable(given)} FOR UPDATE
  ) AS reversal
),`;

const moveText = (given: Record<keyof typeof moving, string>, booking = '', isBooked = '') => `
WITH ${booking}
moved AS (
  UPDATE reversals SET status = ${given.status}, failure_code = ${given.failureCode},
    operator_reversal_id = ${given.operatorReversalId}, due_at = ${given.dueAtMs}, sent_at = ${given.sentAtMs},
    updated_at = ${given.nowMs}, ask_count = ask_count + 1, asking_until = NULL,
    transaction_entered = transaction_entered OR (operator_reversal_id IS NULL AND ${given.operatorReversalId} IS NOT NULL)
  WHERE ${isMovable(given)}${isBooked}
  RETURNING tenant_id, id
),
${newPostings(given.postings, 'moved')},
${appendPostings}
SELECT id FROM moved`;

const moveStatement = prepare({
  name: 'reversals.move',
  given: moving,
  text: (given) => moveText(given),
});

const bookingMoveStatement = prepare({
  name: 'reversals.move_booking',
  given: { ...moving, account: 'text' },
  text: (given) =>
    moveText(given, seen(given) + bookOutgoing('REVERSAL'), ' AND EXISTS (SELECT FROM booked)'),
});
/** The fields that a transition may change; all others stay as read. */
export type ReversalChange = Partial<
  Pick<Reversal, 'status' | 'failureCode' | 'sentAtMs' | 'operatorReversalId'>
> & { dueAtMs: number | null; nowMs: number };

/**
 * Moves a reversal under the lease that is its `dueAtMs`, with its postings; false if the lease had passed to another
 * worker, or if the operator's transaction is booked for something else. A FAILED reversal has no lease, and moves
 * when it turns out to have succeeded.
 * @param account ours at the operator, where the returning transaction is booked; null: none is
 */
export async function transitionReversal(
  database: Queryable,
  reversal: Reversal,
  change: ReversalChange,
  postings: Posting[],
  account: string | null = null,
): Promise<boolean> {
  const given = { ...reversal, ...change, leaseMs: reversal.dueAtMs, postings };
  if (account === null) return (await moveStatement.run(database, given)).length > 0;
  return (await bookingMoveStatement.run(database, { ...given, account })).length > 0;
}
