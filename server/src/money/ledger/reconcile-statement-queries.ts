import { canonicalNameIn } from '../../integrations/operators/transaction-ids.ts';

/** The statements of a reconciliation, on temporary tables of its transaction. */

export const createTables = [
  `CREATE TEMPORARY TABLE listed (
  line integer, transaction_id text, reference text, reference_id uuid, type text, amount_minor bigint,
  currency text, status text, completed_at timestamptz
) ON COMMIT DROP`,
  `CREATE TEMPORARY TABLE differences (
  position integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text, line integer, type text, reference text, reference_id uuid, transaction_id text,
  listed_minor bigint, listed_currency text, listed_status text, tenant_id uuid,
  booked_minor bigint, booked_currency text, booked_status text, at timestamptz
) ON COMMIT DROP`,
  `CREATE TEMPORARY TABLE known (
  is_debit boolean, tenant_id uuid, id uuid, status text, amount_minor bigint, currency text
) ON COMMIT DROP`,
];

export const insertListed = `
INSERT INTO listed SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::uuid[], $5::text[],
  $6::bigint[], $7::text[], $8::text[], $9::timestamptz[])`;

export const period = `
SELECT min(completed_at) AS "fromMs", max(completed_at) AS "untilMs" FROM listed
WHERE status = 'COMPLETED'`;

/** The operator's ($1) movements according to the ledger, for tenants of a mode ($2) and a merchant ($3). */
const booked = `
  SELECT 'DEBIT' AS type, d.tenant_id, d.source_id AS reference_id,
    coalesce(p.operator_tx_id, '') AS transaction_id, d.amount_minor, d.currency, d.at
  FROM (
    SELECT tenant_id, source_id, currency, sum(amount_minor)::bigint AS amount_minor,
      min(created_at) AS at
    FROM postings
    WHERE tenant_id IN (SELECT id FROM scope) AND kind IN ('debit_net', 'debit_fee')
      AND from_account = 'operator:' || $1
    GROUP BY tenant_id, source_id, currency
  ) AS d
  JOIN payments p ON p.tenant_id = d.tenant_id AND p.id = d.source_id
  UNION ALL
  SELECT 'DEBIT', o.tenant_id, r.payment_id, r.operator_tx_id, o.amount_minor, o.currency, o.created_at
  FROM postings o
  JOIN reversals r ON r.tenant_id = o.tenant_id AND r.id = o.source_id
  WHERE o.tenant_id IN (SELECT id FROM scope) AND o.kind = 'suspense_in'
    AND o.from_account = 'operator:' || $1
  UNION ALL
  SELECT CASE kind WHEN 'suspense_out' THEN 'REVERSAL' ELSE 'REFUND' END, tenant_id, source_id, '',
    amount_minor, currency, created_at
  FROM postings
  WHERE tenant_id IN (SELECT id FROM scope) AND to_account = 'operator:' || $1
    AND kind IN ('suspense_out', 'refund_done', 'refund_after_failure')
  UNION ALL
  SELECT 'DISBURSEMENT', o.tenant_id, d.reference, '', o.amount_minor, o.currency, o.created_at
  FROM postings o
  JOIN disbursements d ON d.tenant_id = o.tenant_id AND d.id = o.source_id
  WHERE o.tenant_id IN (SELECT id FROM scope) AND o.to_account = 'operator:' || $1
    AND o.kind IN ('disbursement_done', 'disbursement_after_failure')`;

const scope = `
  SELECT id FROM tenants WHERE mode = $2 AND ($3::uuid IS NULL OR merchant_id = $3)`;

/**
 * Records the differences. A debit is identified by its reference and the operator's transaction, since one reference
 * may have been debited twice; what went out by its reference, whatever the operator calls it: a refund, a reversal or a
 * disbursement. Of identical lines only one matches; the others are listed as duplicates if they name the same
 * transaction too.
 */
export const compare = `
WITH scope AS (${scope}),
entry AS (
  SELECT *, type = 'DEBIT' AS is_debit,
    CASE WHEN type = 'DEBIT' THEN ${canonicalNameIn('transaction_id')} ELSE '' END AS debit_id, 1::bigint AS occurrence
  FROM (${booked}) AS booked
  WHERE $4::text IS NULL OR currency = $4
),
row AS (
  SELECT *, row_number() OVER (
    PARTITION BY is_debit, reference_id, debit_id ORDER BY (status = 'COMPLETED') DESC, line
  ) AS occurrence, row_number() OVER (
    PARTITION BY is_debit, coalesce(reference_id::text, reference), ${canonicalNameIn('transaction_id')}, status ORDER BY line
  ) AS copy
  FROM (
    SELECT *, type = 'DEBIT' AS is_debit,
      CASE WHEN type = 'DEBIT' THEN ${canonicalNameIn('transaction_id')} ELSE '' END AS debit_id
    FROM listed
  ) AS listed
)
INSERT INTO differences (kind, line, type, reference, reference_id, transaction_id, listed_minor,
  listed_currency, listed_status, tenant_id, booked_minor, booked_currency, booked_status, at)
SELECT
  CASE
    WHEN row.line IS NULL THEN 'MISSING_IN_STATEMENT'
    WHEN entry.reference_id IS NULL AND row.status = 'COMPLETED' AND row.copy > 1 THEN 'LISTED_TWICE'
    WHEN entry.reference_id IS NULL AND row.status = 'COMPLETED' THEN 'MISSING_IN_LEDGER'
    WHEN entry.reference_id IS NULL THEN 'WITHOUT_MONEY'
    WHEN row.status <> 'COMPLETED' THEN 'DIFFERENT_STATUS'
    ELSE 'DIFFERENT_AMOUNT'
  END,
  row.line, coalesce(row.type, entry.type), row.reference,
  coalesce(row.reference_id, entry.reference_id), coalesce(row.transaction_id, entry.transaction_id),
  row.amount_minor, row.currency, row.status, entry.tenant_id, entry.amount_minor, entry.currency,
  CASE WHEN entry.reference_id IS NOT NULL THEN 'COMPLETED' END, entry.at
FROM row
FULL JOIN entry ON entry.reference_id = row.reference_id AND entry.is_debit = row.is_debit
  AND entry.debit_id = row.debit_id AND entry.occurrence = row.occurrence
WHERE CASE
  WHEN row.line IS NULL THEN entry.at >= $5 AND entry.at < $6
  ELSE (entry.amount_minor, entry.currency, 'COMPLETED')
    IS DISTINCT FROM (row.amount_minor, row.currency, row.status)
END
ORDER BY row.line, entry.at, entry.reference_id`;

/**
 * Our records of the references of lines that the ledger lacks. A query of its own: Citus cannot join its tables in
 * the UPDATE of a temporary table.
 */
export const findKnown = `
INSERT INTO known
WITH scope AS (${scope})
SELECT known.* FROM differences d
JOIN (
  SELECT true AS is_debit, tenant_id, id, status, amount_minor, currency FROM payments
  WHERE operator = $1 AND status NOT IN ('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED')
  UNION ALL
  SELECT false, tenant_id, id, status, amount_minor, currency FROM refunds
  WHERE operator = $1 AND status <> 'SUCCEEDED'
  UNION ALL
  SELECT false, tenant_id, id, status, amount_minor, currency FROM reversals
  WHERE operator = $1 AND status <> 'SUCCEEDED'
  UNION ALL
  SELECT false, tenant_id, reference, status, amount_minor, currency FROM disbursements
  WHERE operator = $1 AND status <> 'SUCCEEDED'
) AS known ON known.id = d.reference_id AND known.is_debit = (d.type = 'DEBIT')
WHERE d.kind = 'MISSING_IN_LEDGER' AND known.tenant_id IN (SELECT id FROM scope)`;

/** There the statuses differ. */
export const nameStatuses = `
UPDATE differences d SET kind = 'DIFFERENT_STATUS', booked_status = known.status,
  tenant_id = known.tenant_id, booked_minor = known.amount_minor, booked_currency = known.currency
FROM known
WHERE d.kind = 'MISSING_IN_LEDGER' AND known.id = d.reference_id AND known.is_debit = (d.type = 'DEBIT')`;

export const countDifferences = `
SELECT kind, count(*)::integer AS count FROM differences GROUP BY kind`;

/**
 * Postings missing before the first or after the last completed line of the statement: a part of the statement may be
 * missing.
 */
export const missingAtEdges = `
SELECT count(*) FILTER (WHERE at < edge.first)::integer AS "beforeFirstLine",
  count(*) FILTER (WHERE at > edge.last)::integer AS "afterLastLine"
FROM differences, (
  SELECT min(completed_at) AS first, max(completed_at) AS last FROM listed WHERE status = 'COMPLETED'
) AS edge
WHERE kind = 'MISSING_IN_STATEMENT'`;

export const listDifferences = `
SELECT position, kind, line, type, reference, reference_id AS "referenceId",
  nullif(transaction_id, '') AS "transactionId", listed_minor AS "listedMinor",
  listed_currency AS "listedCurrency", listed_status AS "listedStatus", tenant_id AS "tenantId",
  booked_minor AS "bookedMinor", booked_currency AS "bookedCurrency",
  booked_status AS "bookedStatus", at AS "atMs"
FROM differences WHERE position > $1 AND kind <> 'WITHOUT_MONEY' ORDER BY position LIMIT $2`;
