import { numberOf, referenceOf } from '../../../operator-simulator/src/representations.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { formatId } from '../../src/platform/values/ids.ts';

export interface BookedPayment {
  id: string;
  status: string;
  amountMinor: bigint;
  /** The operator's debit that made the payment a success, or null. */
  operatorTxId: string | null;
}

export interface BookedRefund {
  id: string;
  status: string;
  amountMinor: bigint;
  currency: string;
  operatorRefundId: string | null;
}

/** A debit that was booked to suspense and is being returned. */
export interface BookedReversal {
  id: string;
  paymentId: string;
  status: string;
  amountMinor: bigint;
  currency: string;
  operatorTxId: string;
}

export interface BookedDisbursement {
  id: string;
  /** Its name at the operator. */
  reference: string;
  status: string;
  amountMinor: bigint;
  /** The operator's transaction; of a FAILED disbursement, which is booked all the same, against suspense. */
  operatorTxId: string | null;
}

/** The records in the gateway's database. */
export interface Ledger {
  payments: BookedPayment[];
  refunds: BookedRefund[];
  reversals: BookedReversal[];
  disbursements: BookedDisbursement[];
  /** Items that the gateway still queries, or that are under review because their outcome is unknown or contradictory. */
  listed: ReadonlySet<string>;
  /** Items with a transaction that the operator also reported for another request: a person sees both. */
  clashed: ReadonlySet<string>;
  /** What CVMOVEL owes us, in minor units, by currency. */
  owedMinor: ReadonlyMap<string, bigint>;
}

export async function readLedger(database: Database): Promise<Ledger> {
  const rows = <Row>(text: string) => database.query<Row>({ text });
  const owed = await rows<{ currency: string; minor: string }>(
    `SELECT currency, (-sum(balance_minor))::text AS minor FROM balances
     WHERE account = 'operator:CVMOVEL' GROUP BY currency`,
  );
  const payments = await rows<BookedPayment>(
    `SELECT id, status, amount_minor AS "amountMinor", operator_tx_id AS "operatorTxId" FROM payments`,
  );
  const reversals = await rows<BookedReversal>(
    `SELECT id, payment_id AS "paymentId", status, amount_minor AS "amountMinor", currency,
       operator_tx_id AS "operatorTxId" FROM reversals`,
  );
  const clashed = await rows<{ id: string }>(
    `SELECT coalesce(detail->'booked'->>'subjectId', detail->'booked'->>'paymentId') AS id
     FROM review_items WHERE closed_at IS NULL AND kind = 'CLASH'`,
  );
  const listed = await listedFor(database);
  const queried = await rows<{ id: string }>(queriedOn);
  return {
    payments: payments.map((row) => ({ ...row, operatorTxId: ownName(row.operatorTxId) })),
    refunds: await rows(
      `SELECT id, status, amount_minor AS "amountMinor", currency, operator_refund_id AS "operatorRefundId" FROM refunds`,
    ),
    disbursements: await rows(
      `SELECT id, reference, status, amount_minor AS "amountMinor", operator_tx_id AS "operatorTxId" FROM disbursements`,
    ),
    reversals: reversals.map((row) => ({ ...row, operatorTxId: ownName(row.operatorTxId) })),
    clashed: new Set(clashed.map(({ id }) => id)),
    listed: new Set([...listed, ...queried].map(({ id }) => id)),
    owedMinor: new Map(owed.map(({ currency, minor }) => [currency, BigInt(minor)])),
  };
}

/** The simulator's original id of a transaction, which it may report under a strange id. */
function ownName<Name extends string | null>(shown: Name): Name | string {
  const number = shown === null ? undefined : numberOf(shown);
  return number === undefined ? shown : referenceOf(number);
}

interface Listed {
  id: string;
  kind: string;
}

/**
 * A contradiction excuses nothing, because the ledger must stay right. Unclear or clashing
 * transactions are not booked, and a person knows of them.
 */
async function listedFor(database: Database): Promise<Listed[]> {
  const text = `
    SELECT subject_id AS id, kind FROM review_items
    WHERE closed_at IS NULL AND kind IN ('UNCLEAR', 'MISMATCH', 'CLASH', 'UNKNOWN_REFERENCE')`;
  return (await hasReviews(database)) ? database.query<Listed>({ text }) : [];
}

/** Older gateways without that table can run here too. */
async function hasReviews(database: Database): Promise<boolean> {
  const text = `SELECT to_regclass('review_items') IS NOT NULL AS "isThere"`;
  return (await database.query<{ isThere: boolean }>({ text }))[0]!.isThere;
}

const openStatuses = `('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING', 'PENDING', 'PROCESSING')`;

/** A callback about an object that has ended: the gateway queries the operator for up to an hour. */
const isQueriedOn = `(c.look_count BETWEEN 4 AND 11 OR c.outcome = 'excess') AND c.reference NOT IN (
  SELECT id FROM payments WHERE due_at IS NOT NULL OR status IN ${openStatuses}
  UNION ALL SELECT id FROM refunds WHERE status IN ${openStatuses}
  UNION ALL SELECT id FROM reversals WHERE status IN ${openStatuses}
  UNION ALL SELECT reference FROM disbursements WHERE status IN ${openStatuses})`;

const queriedOn = `
  SELECT coalesce(d.id, c.reference) AS id FROM operator_callbacks c
  LEFT JOIN disbursements d ON d.tenant_id = c.tenant_id AND d.reference = c.reference
  WHERE c.due_at IS NOT NULL AND ${isQueriedOn}`;

const stillDue = `
  SELECT 'payment' AS what, id, status, due_at FROM payments
  WHERE due_at IS NOT NULL OR status IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING')
  UNION ALL SELECT 'refund', id, status, due_at FROM refunds
  WHERE due_at IS NOT NULL OR status IN ('PENDING', 'PROCESSING')
  UNION ALL SELECT 'reversal', id, status, due_at FROM reversals
  WHERE due_at IS NOT NULL OR status IN ('PENDING', 'PROCESSING')
  UNION ALL SELECT 'disbursement', id, status, due_at FROM disbursements
  WHERE due_at IS NOT NULL OR status IN ('CREATED', 'PROCESSING')
  -- That there were too many makes the gateway query again, perhaps hours later; the object is here by itself. A person
  -- is asked about a disbursement by its id, which is not its reference.
  UNION ALL SELECT 'callback', coalesce(d.id, c.reference), 'kept', c.due_at FROM operator_callbacks c
  LEFT JOIN disbursements d ON d.tenant_id = c.tenant_id AND d.reference = c.reference
  WHERE c.due_at IS NOT NULL AND c.outcome <> 'excess' AND NOT (${isQueriedOn})`;

interface Due {
  what: 'payment' | 'refund' | 'reversal' | 'disbursement' | 'callback';
  id: string;
  status: string;
  dueAtMs: number | null;
}

/** Everything unfinished, in words. Items under review need not finish. */
export async function unfinished(database: Database): Promise<string[]> {
  const found = await listedFor(database);
  const listed = new Set(found.map(({ id }) => id));
  // Queried until the operator, or a person, provides the outcome.
  const unmatched = new Set(found.flatMap(({ id, kind }) => (kind === 'MISMATCH' ? id : [])));
  const due = await database.query<Due>({
    text: `SELECT what, id, status, due_at AS "dueAtMs" FROM (${stillDue}) AS due`,
  });
  const left = due.filter(({ what, id, dueAtMs }) => {
    const isLeftToPerson = listed.has(id) && (dueAtMs === null || what === 'callback');
    if (unmatched.has(id)) return false;
    return !isLeftToPerson;
  });
  return left.map(({ what, id, status, dueAtMs }) => {
    const dueAt = dueAtMs === null ? 'never' : new Date(dueAtMs).toISOString();
    return `${what} ${nameOf(what, id)} is ${status}, due ${dueAt}`;
  });
}

function nameOf(what: Due['what'], id: string): string {
  if (what === 'payment') return formatId('pi', id);
  if (what === 'disbursement') return formatId('di', id);
  return what === 'refund' ? formatId('re', id) : id;
}

/** What is left to people, and how much: a run that leaves much proves little. */
export async function leftToPeople(database: Database): Promise<string[]> {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  if (await hasReviews(database)) {
    const text = `
      SELECT concat_ws(' ', kind, 'of a', subject_kind, '(' || (detail->>'lastAnswer') || ')') AS what
      FROM review_items WHERE closed_at IS NULL`;
    for (const { what } of await database.query<{ what: string }>({ text })) count(what);
  }
  const text = "SELECT reason FROM reversals WHERE status IN ('FAILED', 'HELD')";
  const held = await database.query<{ reason: string }>({ text });
  for (const { reason } of held) count(`${reason} in suspense`);
  return [...counts].map(([what, times]) => `${times} ${what}`);
}
