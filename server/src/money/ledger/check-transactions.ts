import { canonicalNameIn, spellingsIn } from '../../integrations/operators/transaction-ids.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { LedgerProblem } from './check.ts';

/** The transactions of real operators in live merchants' ledgers: rightful debits, and debits on their way back. */
const held = `
  SELECT p.tenant_id, p.id AS payment_id, p.operator, p.operator_tx_id, 'DEBIT' AS kind
  FROM payments p JOIN tenants t ON t.id = p.tenant_id AND t.mode = 'live'
  WHERE p.operator_tx_id IS NOT NULL AND p.operator <> 'MOCK'
  UNION ALL
  SELECT r.tenant_id, r.payment_id, r.operator, r.operator_tx_id, 'REVERSAL'
  FROM reversals r JOIN tenants t ON t.id = r.tenant_id AND t.mode = 'live'
  WHERE r.operator <> 'MOCK'`;

/** Rows have a transaction id as the operator wrote it; bookings have its canonical spelling. */
const isSameTransaction = (booking: string, row: string) => `
  ${booking}.operator = ${row}.operator
  AND ${canonicalNameIn(`${booking}.operator_tx_id`)} = ${canonicalNameIn(`${row}.operator_tx_id`)}`;

const isBookingOf = (booking: string, source: string) => `
  ${isSameTransaction(booking, source)}
  AND ${booking}.tenant_id = ${source}.tenant_id AND ${booking}.payment_id = ${source}.payment_id
  AND ${booking}.kind = ${source}.kind`;

/**
 * In the ledger, but not booked: then the transaction may be booked for another object, and is in the ledger twice.
 * Transactions that a person has already reviewed, such as those found by a migration, are not reported again.
 */
const unbooked = {
  text: `
SELECT held.tenant_id AS "tenantId", held.kind, held.payment_id AS "paymentId", held.operator,
  held.operator_tx_id AS transaction, other.kind AS "otherKind", other.payment_id AS "otherPaymentId"
FROM (${held}) AS held
LEFT JOIN LATERAL (
  SELECT o.kind, o.payment_id FROM operator_transactions o
  WHERE o.operator = held.operator AND o.operator_tx_id = ANY (${spellingsIn('held.operator_tx_id')})
  ORDER BY o.account LIMIT 1
) AS other ON true
WHERE NOT EXISTS (SELECT FROM operator_transactions booking WHERE ${isBookingOf('booking', 'held')})
  AND NOT EXISTS (
    SELECT FROM review_items i
    WHERE i.tenant_id = held.tenant_id AND i.subject_id = held.payment_id AND i.kind = 'CLASH'
      AND i.detail->>'operatorTxId' = held.operator_tx_id AND i.closed_at IS NOT NULL)
ORDER BY 1, 3, 2`,
};

/** Booked, but not in the ledger: the booking keeps another payment from being debited by this transaction. */
const unheld = {
  text: `
SELECT booking.tenant_id AS "tenantId", booking.kind, booking.payment_id AS "paymentId", booking.operator,
  booking.operator_tx_id AS transaction
FROM operator_transactions booking
WHERE NOT EXISTS (SELECT FROM (${held}) AS held WHERE ${isBookingOf('booking', 'held')})
ORDER BY 1, 3, 2`,
};

/**
 * Returns to a customer, and disbursements that may have been sent, that have no outcome, are not being queried, and are
 * not listed for a person either. For open payments, a constraint of the database ensures that they are due.
 */
const forgotten = {
  text: `
SELECT open.tenant_id AS "tenantId", open.subject, open.id, open.status FROM (
  SELECT tenant_id, 'refund' AS subject, id, status FROM refunds
  WHERE status IN ('PENDING', 'PROCESSING') AND due_at IS NULL
  UNION ALL
  SELECT tenant_id, 'reversal', id, status FROM reversals
  WHERE status IN ('PENDING', 'PROCESSING') AND due_at IS NULL
  UNION ALL
  SELECT tenant_id, 'disbursement', id, status FROM disbursements
  WHERE status = 'PROCESSING' AND due_at IS NULL
) AS open
WHERE NOT EXISTS (
  SELECT FROM review_items i
  WHERE i.tenant_id = open.tenant_id AND i.subject_id = open.id AND i.closed_at IS NULL)
ORDER BY 1, 3`,
};

/** What real operators paid out according to live merchants' ledgers, as far as it is booked as outgoing. */
const heldOut = `
  SELECT r.tenant_id, r.id AS subject_id, r.operator, r.operator_refund_id AS operator_tx_id, 'REFUND' AS kind
  FROM refunds r JOIN tenants t ON t.id = r.tenant_id AND t.mode = 'live'
  WHERE r.operator_refund_id IS NOT NULL AND r.transaction_entered AND r.operator <> 'MOCK'
  UNION ALL
  SELECT r.tenant_id, r.id, r.operator, r.operator_reversal_id, 'REVERSAL'
  FROM reversals r JOIN tenants t ON t.id = r.tenant_id AND t.mode = 'live'
  WHERE r.operator_reversal_id IS NOT NULL AND r.transaction_entered AND r.operator <> 'MOCK'
  UNION ALL
  SELECT d.tenant_id, d.id, d.operator, d.operator_tx_id, 'DISBURSEMENT'
  FROM disbursements d JOIN tenants t ON t.id = d.tenant_id AND t.mode = 'live'
  WHERE d.operator_tx_id IS NOT NULL AND d.transaction_entered AND d.operator <> 'MOCK'`;

const isOutOf = `
  ${isSameTransaction('booking', 'held')}
  AND booking.tenant_id = held.tenant_id AND booking.subject_id = held.subject_id AND booking.kind = held.kind`;

/**
 * The same for outgoing transactions: a return or disbursement by a transaction that is booked for something else, or
 * not booked at all.
 */
const unbookedOut = {
  text: `
SELECT held.tenant_id AS "tenantId", held.kind, held.subject_id AS "subjectId", held.operator,
  held.operator_tx_id AS transaction
FROM (${heldOut}) AS held
WHERE NOT EXISTS (SELECT FROM outgoing_transactions booking WHERE ${isOutOf})
  AND NOT EXISTS (
    SELECT FROM review_items i
    WHERE i.tenant_id = held.tenant_id AND i.subject_id = held.subject_id AND i.kind = 'CLASH'
      AND i.closed_at IS NOT NULL)
ORDER BY 1, 3, 2`,
};

/** Booked, but paid out for nothing: the booking keeps another refund from succeeding by this transaction. */
const unheldOut = {
  text: `
SELECT booking.tenant_id AS "tenantId", booking.kind, booking.subject_id AS "subjectId", booking.operator,
  booking.operator_tx_id AS transaction
FROM outgoing_transactions booking
WHERE NOT EXISTS (
  SELECT FROM refunds r
  WHERE booking.kind = 'REFUND' AND r.tenant_id = booking.tenant_id AND r.id = booking.subject_id
    AND ${canonicalNameIn('r.operator_refund_id')} = ${canonicalNameIn('booking.operator_tx_id')}
  UNION ALL
  SELECT FROM reversals r
  WHERE booking.kind = 'REVERSAL' AND r.tenant_id = booking.tenant_id AND r.id = booking.subject_id
    AND ${canonicalNameIn('r.operator_reversal_id')} = ${canonicalNameIn('booking.operator_tx_id')}
  UNION ALL
  SELECT FROM disbursements d
  WHERE booking.kind = 'DISBURSEMENT' AND d.tenant_id = booking.tenant_id AND d.id = booking.subject_id
    AND ${canonicalNameIn('d.operator_tx_id')} = ${canonicalNameIn('booking.operator_tx_id')})
ORDER BY 1, 3, 2`,
};

/**
 * Booked both as incoming and as outgoing, so that one of the two never happened. From before outgoing transactions
 * were stored, an answer that repeats the debit of its own payment does not count.
 */
const bothWays = {
  text: `
SELECT went.tenant_id AS "tenantId", went.kind, went.subject_id AS "subjectId", went.operator,
  went.operator_tx_id AS transaction, came.kind AS "otherKind", came.payment_id AS "otherPaymentId"
FROM outgoing_transactions went
JOIN operator_transactions came ON ${isSameTransaction('came', 'went')}
  AND (came.account = went.account OR '' IN (came.account, went.account))
WHERE NOT (went.account = '' AND EXISTS (
    SELECT FROM refunds r WHERE r.tenant_id = went.tenant_id AND r.id = went.subject_id AND r.payment_id = came.payment_id
    UNION ALL
    SELECT FROM reversals r
    WHERE r.tenant_id = went.tenant_id AND r.id = went.subject_id AND r.payment_id = came.payment_id))
  AND NOT EXISTS (
    SELECT FROM review_items i
    WHERE i.kind = 'CLASH' AND i.closed_at IS NOT NULL AND (i.tenant_id, i.subject_id)
      IN ((went.tenant_id, went.subject_id), (came.tenant_id, came.payment_id)))
ORDER BY 1, 3, 2`,
};

interface BookedOut {
  tenantId: string;
  kind: 'REFUND' | 'REVERSAL' | 'DISBURSEMENT';
  subjectId: string;
  operator: string;
  transaction: string;
}

interface Booked {
  tenantId: string;
  kind: 'DEBIT' | 'REVERSAL';
  paymentId: string;
  operator: string;
  transaction: string;
}

type BothWays = BookedOut & { otherKind: Booked['kind']; otherPaymentId: string };
type Unbooked = Booked & { otherKind: Booked['kind'] | null; otherPaymentId: string | null };

interface Forgotten {
  tenantId: string;
  subject: 'refund' | 'reversal' | 'disbursement';
  id: string;
  status: string;
}

const paymentName = (id: string) => `payment ${formatId('pi', id)}`;
const nameOf = (kind: Booked['kind'], paymentId: string) =>
  kind === 'DEBIT'
    ? `the debit of ${paymentName(paymentId)}`
    : `a wrong debit of ${paymentName(paymentId)}`;

function nameOfOutgoing(kind: BookedOut['kind'], id: string): string {
  if (kind === 'REVERSAL') return `reversal ${id}`;
  return kind === 'REFUND' ? `refund ${formatId('re', id)}` : `disbursement ${formatId('di', id)}`;
}

/** The verb for an outgoing transaction: a disbursement gives nothing back. */
const didOf = (kind: BookedOut['kind']) => (kind === 'DISBURSEMENT' ? 'paid out' : 'gave back');

/**
 * Compares the operators' transactions in live merchants' ledgers with the bookings, of which each transaction has
 * one.
 */
export async function transactionProblems(snapshot: Queryable): Promise<LedgerProblem[]> {
  const problem = (tenantId: string, message: string): LedgerProblem => ({
    check: 'transaction',
    tenantId,
    message,
  });
  const notBooked = (await snapshot.query<Unbooked>(unbooked)).map((row) => {
    const { tenantId, kind, paymentId, operator, transaction, otherKind, otherPaymentId } = row;
    const isFree = otherKind === null || otherPaymentId === null;
    const booked = isFree
      ? 'is booked for nothing'
      : `is booked as ${nameOf(otherKind, otherPaymentId)}`;
    return problem(
      tenantId,
      `${operator}'s ${transaction} is ${nameOf(kind, paymentId)}, and ${booked}`,
    );
  });
  const notHeld = (await snapshot.query<Booked>(unheld)).map((row) => {
    const { tenantId, kind, paymentId, operator, transaction } = row;
    const booked = `${operator}'s ${transaction} is booked as ${nameOf(kind, paymentId)}`;
    return problem(tenantId, `${booked}, which the ledger does not have`);
  });
  const lost = (await snapshot.query<Forgotten>(forgotten)).map(
    ({ tenantId, subject, id, status }) => {
      const name = nameOfOutgoing(subject.toUpperCase() as BookedOut['kind'], id);
      return problem(tenantId, `${name} is ${status}, and nobody asks about it or is told of it`);
    },
  );
  const out = (rows: BookedOut[], is: string) =>
    rows.map(({ tenantId, kind, subjectId, operator, transaction }) => {
      const what = `${didOf(kind)} ${nameOfOutgoing(kind, subjectId)}`;
      return problem(tenantId, `${operator}'s ${transaction} ${is.replace('…', what)}`);
    });
  const both = (await snapshot.query<BothWays>(bothWays)).map((row) => {
    const { tenantId, kind, subjectId, operator, transaction, otherKind, otherPaymentId } = row;
    const out = `${operator}'s ${transaction} is booked as what ${didOf(kind)} ${nameOfOutgoing(kind, subjectId)}`;
    return problem(tenantId, `${out}, and as ${nameOf(otherKind, otherPaymentId)}`);
  });
  const outNotBooked = await snapshot.query<BookedOut>(unbookedOut);
  const outNotHeld = await snapshot.query<BookedOut>(unheldOut);
  return [
    ...notBooked,
    ...notHeld,
    ...both,
    ...out(outNotBooked, '…, and is booked for another, or for nothing'),
    ...out(outNotHeld, 'is booked as what …, which the ledger does not have'),
    ...lost,
  ];
}
