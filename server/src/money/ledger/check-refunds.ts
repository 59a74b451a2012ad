import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { LedgerProblem } from './check.ts';

/** Payments whose own sums or status disagree with the sum of their refunds. */
const wrongSums = {
  text: `
SELECT p.tenant_id AS "tenantId", p.id, p.status, p.amount_minor::text AS amount,
  p.refund_reserved_minor::text AS reserved, p.refunded_minor::text AS refunded,
  coalesce(r.reserved, 0)::text AS "dueReserved", coalesce(r.refunded, 0)::text AS "dueRefunded"
FROM payments p
LEFT JOIN (
  SELECT tenant_id, payment_id, sum(amount_minor) FILTER (WHERE status <> 'FAILED') AS reserved,
    sum(amount_minor) FILTER (WHERE status = 'SUCCEEDED') AS refunded
  FROM refunds GROUP BY tenant_id, payment_id
) AS r ON r.tenant_id = p.tenant_id AND r.payment_id = p.id
WHERE p.refund_reserved_minor <> coalesce(r.reserved, 0) OR p.refunded_minor <> coalesce(r.refunded, 0)
  OR coalesce(r.reserved, 0) > p.amount_minor
  OR (p.status = 'REFUNDED') <> (p.refunded_minor = p.amount_minor)
  OR (p.status = 'PARTIALLY_REFUNDED') <> (p.refunded_minor > 0 AND p.refunded_minor < p.amount_minor)
ORDER BY 1, 2`,
};

/**
 * Payments that do not reserve an amount that was returned after its refund had FAILED, or by a return that waits for
 * a person, so that it could be returned again.
 */
const wrongLate = {
  text: `
SELECT p.tenant_id AS "tenantId", p.id, p.late_refund_minor::text AS late, coalesce(r.late, 0)::text AS "dueLate"
FROM payments p
LEFT JOIN (
  SELECT tenant_id, payment_id, sum(minor) AS late FROM (
    SELECT tenant_id, payment_id, amount_minor AS minor FROM refunds
    WHERE status = 'FAILED' AND operator_refund_id IS NOT NULL
    UNION ALL
    SELECT tenant_id, (detail -> 'reserved' ->> 'paymentId')::uuid,
      (detail -> 'reserved' ->> 'amountMinor')::bigint
    FROM review_items WHERE closed_at IS NULL AND detail -> 'reserved' IS NOT NULL
  ) AS returned
  GROUP BY tenant_id, payment_id
) AS r ON r.tenant_id = p.tenant_id AND r.payment_id = p.id
WHERE p.late_refund_minor <> coalesce(r.late, 0)
ORDER BY 1, 2`,
};

/** Debits of which a simulated operator has refunded more than it debited. */
const overRefunded = {
  text: `
SELECT r.tenant_id AS "tenantId", r.operator, r.reversed_tx_id AS transaction,
  r.refunded::text AS refunded, coalesce(d.amount_minor, 0)::text AS debited
FROM (
  SELECT tenant_id, operator, reversed_tx_id, sum(amount_minor) AS refunded
  FROM simulator_transactions WHERE kind = 'REFUND' AND status = 'SUCCEEDED'
  GROUP BY tenant_id, operator, reversed_tx_id
) AS r
LEFT JOIN simulator_transactions d
  ON d.tenant_id = r.tenant_id AND d.operator_tx_id = r.reversed_tx_id AND d.operator = r.operator
    AND d.kind = 'DEBIT' AND d.status = 'SUCCEEDED'
WHERE r.refunded > coalesce(d.amount_minor, 0)
ORDER BY 1, 3`,
};

interface WrongSums {
  tenantId: string;
  id: string;
  status: string;
  amount: string;
  reserved: string;
  refunded: string;
  dueReserved: string;
  dueRefunded: string;
}

interface WrongLate {
  tenantId: string;
  id: string;
  late: string;
  dueLate: string;
}

interface OverRefunded {
  tenantId: string;
  operator: string;
  transaction: string;
  refunded: string;
  debited: string;
}

/** Compares payments with their refunds, and the refunds of simulated operators with their debits. */
export async function refundProblems(snapshot: Queryable): Promise<LedgerProblem[]> {
  const sums = await snapshot.query<WrongSums>(wrongSums);
  const late = await snapshot.query<WrongLate>(wrongLate);
  const over = await snapshot.query<OverRefunded>(overRefunded);
  return [
    ...sums.map((row): LedgerProblem => {
      const { tenantId, id, status, amount, reserved, refunded, dueReserved, dueRefunded } = row;
      const said = `${status} of ${amount} with ${reserved} reserved and ${refunded} refunded`;
      const due = `${dueReserved} and ${dueRefunded}`;
      const message = `payment ${formatId('pi', id)} is ${said}, but its refunds add up to ${due}`;
      return { check: 'refund', tenantId, message };
    }),
    ...late.map((row): LedgerProblem => {
      const said = `payment ${formatId('pi', row.id)} says that ${row.late} came back late`;
      const message = `${said}, but its refunds add up to ${row.dueLate}`;
      return { check: 'refund', tenantId: row.tenantId, message };
    }),
    ...over.map((row): LedgerProblem => {
      const { tenantId, operator, transaction, refunded, debited } = row;
      const message = `${operator} refunded ${refunded} of ${transaction}, which is a debit of ${debited}`;
      return { check: 'operator', tenantId, message };
    }),
  ];
}
