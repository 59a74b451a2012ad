import type { OperatorName } from '../../integrations/operators/operator.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { undecidedDisbursement } from '../ledger/check-queries.ts';
import type { SubjectKind } from './review-item.ts';

/** The owner of the ledger entries. */
export interface Owner {
  merchantId: string;
  merchantName: string;
  mode: 'live' | 'test';
}

/** The present state of a payment, refund, reversal or disbursement, with the fields that a person needs. */
export interface ReviewSubject extends Owner {
  kind: SubjectKind;
  tenantId: string;
  id: string;
  /** Its name at the operator: the id, but for a disbursement. */
  reference: string;
  /** Null for a disbursement. */
  paymentId: string | null;
  status: string;
  amountMinor: bigint;
  currency: string;
  operator: OperatorName;
  /** The operator's transaction that is booked for it: the debit, the return, or what was paid out. */
  operatorTxId: string | null;
  /** For a refund or reversal: the operator's transaction that it returns. */
  debitTxId: string | null;
  /** Of a payment or a disbursement. */
  phone: string | null;
  /** For a reversal: why the debit goes back. */
  reason: string | null;
  failureCode: string | null;
  byHand: boolean;
  /** For a disbursement: it succeeded after it was given back, and no person has decided who bears it. */
  isLate: boolean;
  queryCount: number;
  dueAtMs: number | null;
  sentAtMs: number | null;
  createdAtMs: number;
}

const common = `
  x.tenant_id AS "tenantId", t.merchant_id AS "merchantId", m.name AS "merchantName", t.mode, x.id,
  x.status, x.amount_minor AS "amountMinor", x.currency, x.operator, x.failure_code AS "failureCode",
  x.by_hand AS "byHand", x.ask_count AS "queryCount", x.due_at AS "dueAtMs", x.sent_at AS "sentAtMs",
  x.created_at AS "createdAtMs"`;

const columnsOf: Record<SubjectKind, string> = {
  PAYMENT: `x.id AS reference, x.id AS "paymentId", x.operator_tx_id AS "operatorTxId", NULL::text AS "debitTxId",
  x.operator_phone AS phone, NULL::text AS reason, false AS "isLate"`,
  REFUND: `x.id AS reference, x.payment_id AS "paymentId", x.operator_refund_id AS "operatorTxId",
  x.operator_tx_id AS "debitTxId", NULL::text AS phone, NULL::text AS reason, false AS "isLate"`,
  REVERSAL: `x.id AS reference, x.payment_id AS "paymentId", x.operator_reversal_id AS "operatorTxId",
  x.operator_tx_id AS "debitTxId", NULL::text AS phone, x.reason, false AS "isLate"`,
  DISBURSEMENT: `x.reference, NULL::uuid AS "paymentId", x.operator_tx_id AS "operatorTxId",
  NULL::text AS "debitTxId", x.operator_phone AS phone, NULL::text AS reason,
  ${undecidedDisbursement} AS "isLate"`,
};

const tableOf: Record<SubjectKind, string> = {
  PAYMENT: 'payments',
  REFUND: 'refunds',
  REVERSAL: 'reversals',
  DISBURSEMENT: 'disbursements',
};

/** @param condition on `x`, the row, and `t`, its tenant */
const select = (kind: SubjectKind, condition: string) => `
SELECT '${kind}' AS kind, ${common}, ${columnsOf[kind]}
FROM tenants t JOIN merchants m ON m.id = t.merchant_id JOIN ${tableOf[kind]} x ON x.tenant_id = t.id
WHERE ${condition}`;

const kinds = Object.keys(tableOf) as SubjectKind[];
const everyKind = (condition: string) =>
  kinds.map((kind) => select(kind, condition)).join('\nUNION ALL\n');

const findText = `${everyKind('x.id = $1')}
UNION ALL
${select('DISBURSEMENT', 'x.reference = $1')}`;

/**
 * By id alone, or by the name of a disbursement at the operator, across tenants: a user of the command line does not
 * know the tenant.
 */
export const findSubject = rowQuery<ReviewSubject, [id: string]>({ text: findText });

const listText = everyKind('(x.tenant_id, x.id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))');

/** The subjects with these ids; ids that our records lack are left out. */
export async function findSubjects(
  database: Queryable,
  ids: readonly { tenantId: string; id: string }[],
): Promise<Map<string, ReviewSubject>> {
  const rows = await database.query<ReviewSubject>({ text: listText }, [
    uuidArray(ids, ({ tenantId }) => tenantId),
    uuidArray(ids, ({ id }) => id),
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

const referenceOf = (kind: SubjectKind) => (kind === 'DISBURSEMENT' ? 'x.reference' : 'x.id');

const byReferenceText = kinds
  .map((kind) => select(kind, `t.mode = 'live' AND ${referenceOf(kind)} = ANY ($1::uuid[])`))
  .join('\nUNION ALL\n');

/** The same for live tenants by the names that operators know. */
export async function findLiveSubjects(
  database: Queryable,
  references: readonly string[],
): Promise<Map<string, ReviewSubject>> {
  if (references.length === 0) return new Map();
  const values = [uuidArray(references)];
  const rows = await database.query<ReviewSubject>({ text: byReferenceText }, values);
  return new Map(rows.map((row) => [row.reference, row]));
}

/** For a payment `x`: sent before $1, and the operator has said nothing definite since. */
export const isUnanswered = `x.due_at IS NOT NULL AND x.sent_at < $1
  AND x.status IN ('OPERATOR_PENDING', 'USER_CONFIRMING', 'CANCELLED', 'EXPIRED', 'FAILED')`;

const unansweredText = select('PAYMENT', isUnanswered);

/** The payments that were sent before an instant, and of which the operator has said nothing definite since. */
export function unansweredPayments(
  database: Queryable,
  sentBeforeMs: number,
): Promise<ReviewSubject[]> {
  return database.query({ text: unansweredText }, [timestamp(sentBeforeMs)]);
}

const idleReversalsText = select(
  'REVERSAL',
  `x.status = 'HELD' OR x.status = 'FAILED' AND NOT x.by_hand`,
);

/** Disbursements that succeeded after they were given back, and that no person has decided. */
export const lateDisbursements = rowsQuery<ReviewSubject, []>({
  text: select('DISBURSEMENT', undecidedDisbursement),
});

/** Wrong debits that do not go back automatically, and that no person has decided. */
export const idleReversals = rowsQuery<ReviewSubject, []>({ text: idleReversalsText });
