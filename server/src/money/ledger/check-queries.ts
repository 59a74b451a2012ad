import { maxPostingMinor } from './postings.ts';

/** The statements of the ledger check: over all tenants, each in one go, on tables of any size. */

/** Balances that differ from the sum of their postings, and accounts that have postings but no balance. */
export const wrongBalances = {
  text: `
SELECT coalesce(p.tenant_id, b.tenant_id) AS "tenantId", coalesce(p.account, b.account) AS account,
  coalesce(p.currency, b.currency) AS currency, coalesce(p.posted, 0)::text AS posted,
  b.balance_minor::text AS balance
FROM (
  SELECT tenant_id, account, currency, sum(change) AS posted
  FROM (
    SELECT tenant_id, from_account AS account, currency, -amount_minor AS change FROM postings
    UNION ALL SELECT tenant_id, to_account, currency, amount_minor FROM postings
  ) AS movement
  GROUP BY tenant_id, account, currency
) AS p
FULL JOIN balances b
  ON b.tenant_id = p.tenant_id AND b.account = p.account AND b.currency = p.currency
WHERE b.balance_minor IS NULL OR b.balance_minor <> coalesce(p.posted, 0)
ORDER BY 1, 3, 2`,
};

const debited = `('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED')`;

/** A refund that FAILED first, and then succeeded at the operator after all. */
export const lateRefund = `status = 'FAILED' AND operator_refund_id IS NOT NULL`;

/** A disbursement that was given back first, and then succeeded at the operator after all. */
export const lateDisbursement = `status IN ('FAILED', 'CANCELLED') AND operator_tx_id IS NOT NULL`;

/** The same, while no person has decided who bears it. */
export const undecidedDisbursement = `${lateDisbursement} AND late_outcome IS NULL`;

/** A row of a batch that the balance did not cover: nothing was taken from it, and nothing came back. */
const uncovered = `failure_code IS NOT DISTINCT FROM 'INSUFFICIENT_BALANCE'`;

/** The postings of disbursements; one without a fee has none for the fee. */
const expectedOfDisbursements = `
  SELECT tenant_id, id AS source_id, kind, from_account, to_account, currency, part_minor AS amount_minor
  FROM disbursements
  CROSS JOIN LATERAL (VALUES
    ('disbursement_out', 'payable', 'disbursements_in_transit', amount_minor, NOT ${uncovered}),
    ('disbursement_fee', 'payable', 'fees', fee_minor, NOT ${uncovered}),
    ('disbursement_done', 'disbursements_in_transit', 'operator:' || operator, amount_minor,
      status = 'SUCCEEDED'),
    ('disbursement_back', 'disbursements_in_transit', 'payable', amount_minor,
      status IN ('FAILED', 'CANCELLED') AND NOT ${uncovered}),
    ('disbursement_fee_back', 'fees', 'payable', fee_minor,
      status IN ('FAILED', 'CANCELLED') AND NOT ${uncovered}),
    ('disbursement_after_failure', 'suspense', 'operator:' || operator, amount_minor, ${lateDisbursement}),
    ('disbursement_charge', 'payable', 'suspense', amount_minor, late_outcome = 'CHARGED'),
    ('disbursement_charge_fee', 'payable', 'fees', fee_minor, late_outcome = 'CHARGED'),
    ('disbursement_write_off', 'fees', 'suspense', amount_minor, late_outcome = 'WRITTEN_OFF')
  ) AS part (kind, from_account, to_account, part_minor, is_due)
  WHERE is_due AND part_minor > 0`;

/** Settlements by the parts of their net, each of which fits into one posting. */
const payouts = `settlements
  CROSS JOIN LATERAL generate_series(1, div(net_minor - 1, ${maxPostingMinor})::integer + 1) AS part
  CROSS JOIN LATERAL (VALUES (
    CASE part WHEN 1 THEN '' ELSE '_' || part END,
    least(net_minor - (part - 1) * ${maxPostingMinor}::numeric, ${maxPostingMinor})
  )) AS payout (suffix, part_minor)`;

/**
 * The postings that top-ups, and the statuses of payments, reversals, refunds, disbursements and settlements demand
 * (ledger/postings.ts).
 */
const expectedPostings = `
  SELECT tenant_id, id AS source_id, kind, 'operator:' || operator AS from_account,
    to_account, currency, part_minor AS amount_minor
  FROM payments
  CROSS JOIN LATERAL (VALUES
    ('debit_net', 'payable', amount_minor - fee_minor),
    ('debit_fee', 'fees', fee_minor)) AS part (kind, to_account, part_minor)
  WHERE status IN ${debited} AND (kind = 'debit_net' OR part_minor > 0)
  UNION ALL
  SELECT tenant_id, id, 'suspense_in', 'operator:' || operator, 'suspense', currency, amount_minor
  FROM reversals
  UNION ALL
  SELECT tenant_id, id, 'suspense_out', 'suspense', 'operator:' || operator, currency, amount_minor
  FROM reversals WHERE status = 'SUCCEEDED'
  UNION ALL
  SELECT tenant_id, id, 'refund_out', 'payable', 'refunds_in_transit', currency, amount_minor
  FROM refunds
  UNION ALL
  SELECT tenant_id, id, 'refund_done', 'refunds_in_transit', 'operator:' || operator, currency, amount_minor
  FROM refunds WHERE status = 'SUCCEEDED'
  UNION ALL
  SELECT tenant_id, id, 'refund_back', 'refunds_in_transit', 'payable', currency, amount_minor
  FROM refunds WHERE status = 'FAILED'
  UNION ALL
  SELECT tenant_id, id, 'refund_after_failure', 'suspense', 'operator:' || operator, currency, amount_minor
  FROM refunds WHERE ${lateRefund}
  UNION ALL
  ${expectedOfDisbursements}
  UNION ALL
  SELECT tenant_id, id, 'top_up', 'bank', 'payable', currency, amount_minor
  FROM top_ups
  UNION ALL
  SELECT tenant_id, id, kind, from_account, to_account, currency, kept_minor
  FROM settlements
  CROSS JOIN (VALUES ('kept_out', 'payable', 'kept'), ('kept_in', 'kept', 'payable'))
    AS part (kind, from_account, to_account)
  WHERE kept_minor > 0
  UNION ALL
  SELECT tenant_id, id, 'payout_out' || suffix, 'payable', 'payouts_in_transit', currency, part_minor
  FROM ${payouts}
  UNION ALL
  SELECT tenant_id, id, 'payout_done' || suffix, 'payouts_in_transit', 'bank', currency, part_minor
  FROM ${payouts} WHERE status = 'COMPLETED'
  UNION ALL
  SELECT tenant_id, id, 'payout_back' || suffix, 'payouts_in_transit', 'payable', currency, part_minor
  FROM ${payouts} WHERE status = 'FAILED'`;

const described = (row: string) =>
  `${row}.from_account || ' → ' || ${row}.to_account || ' ' || ${row}.amount_minor || ' ' || ${row}.currency`;

/** Postings that are missing, that nothing explains, or that move another amount or between other accounts. */
export const wrongPostings = {
  text: `
SELECT coalesce(p.tenant_id, e.tenant_id) AS "tenantId", coalesce(p.source_id, e.source_id) AS "sourceId",
  coalesce(p.kind, e.kind) AS kind, ${described('e')} AS expected, ${described('p')} AS found
FROM (${expectedPostings}) AS e
FULL JOIN postings p ON p.tenant_id = e.tenant_id AND p.source_id = e.source_id AND p.kind = e.kind
WHERE p.tenant_id IS NULL OR e.tenant_id IS NULL OR p.amount_minor <> e.amount_minor
  OR p.from_account <> e.from_account OR p.to_account <> e.to_account OR p.currency <> e.currency
ORDER BY 1, 2, 3`,
};

/**
 * Successes of simulated operators that match no debited payment, reversal, refund or disbursement of ours. They are in
 * flight if we are still going to query the operator: the debit of a payment that was sent and is open or due, the
 * reversal, refund or disbursement that is being processed. CREATED means not sent, and PENDING not requested: an
 * operator cannot know of these.
 */
const unheardTransactions = `
  SELECT s.tenant_id, s.reference, s.kind, s.operator, s.currency, s.amount_minor, p.status,
    coalesce(p.status IN ('OPERATOR_PENDING', 'USER_CONFIRMING')
      OR p.due_at IS NOT NULL AND p.status <> 'CREATED' AND p.status NOT IN ${debited},
      false) AS in_flight
  FROM simulator_transactions s
  LEFT JOIN payments p ON p.tenant_id = s.tenant_id AND p.id = s.reference
  WHERE s.kind = 'DEBIT' AND s.status = 'SUCCEEDED'
    AND NOT (p.status IS NOT NULL AND p.status IN ${debited} AND p.operator_tx_id = s.operator_tx_id)
    AND NOT EXISTS (
      SELECT FROM reversals r
      WHERE r.tenant_id = s.tenant_id AND r.payment_id = s.reference AND r.operator_tx_id = s.operator_tx_id)
  UNION ALL
  SELECT s.tenant_id, s.reference, s.kind, s.operator, s.currency, s.amount_minor, r.status,
    coalesce(r.status = 'PROCESSING' AND r.due_at IS NOT NULL, false)
  FROM simulator_transactions s
  LEFT JOIN reversals r ON r.tenant_id = s.tenant_id AND r.id = s.reference
  WHERE s.kind = 'REVERSAL' AND s.status = 'SUCCEEDED' AND r.status IS DISTINCT FROM 'SUCCEEDED'
  UNION ALL
  SELECT s.tenant_id, s.reference, s.kind, s.operator, s.currency, s.amount_minor, r.status,
    coalesce(r.status = 'PROCESSING' AND r.due_at IS NOT NULL, false)
  FROM simulator_transactions s
  LEFT JOIN refunds r ON r.tenant_id = s.tenant_id AND r.id = s.reference
  WHERE s.kind = 'REFUND' AND s.status = 'SUCCEEDED'
    AND r.operator_refund_id IS DISTINCT FROM s.operator_tx_id
  UNION ALL
  SELECT s.tenant_id, coalesce(d.id, s.reference), s.kind, s.operator, s.currency, s.amount_minor, d.status,
    coalesce(d.status = 'PROCESSING' AND d.due_at IS NOT NULL, false)
  FROM simulator_transactions s
  LEFT JOIN disbursements d ON d.tenant_id = s.tenant_id AND d.reference = s.reference
  WHERE s.kind = 'DISBURSEMENT' AND s.status = 'SUCCEEDED'
    AND d.operator_tx_id IS DISTINCT FROM s.operator_tx_id`;

export const unexplainedTransactions = {
  text: `
SELECT tenant_id AS "tenantId", kind, reference, operator, currency, amount_minor::text AS amount, status
FROM (${unheardTransactions}) AS unheard
WHERE NOT in_flight
ORDER BY 1, 3`,
};

export const inFlight = {
  text: `
SELECT tenant_id AS "tenantId", operator, currency, count(*)::integer AS count,
  sum(CASE kind WHEN 'DEBIT' THEN amount_minor ELSE -amount_minor END) AS "amountMinor"
FROM (${unheardTransactions}) AS unheard
WHERE in_flight
GROUP BY tenant_id, operator, currency
ORDER BY 1, 2, 3`,
};

/** Debits that were returned twice or with another amount, and reversals of debits that never happened. */
export const wrongReversals = {
  text: `
SELECT r.tenant_id AS "tenantId", r.operator, r.reversed_tx_id AS transaction, r.count,
  r.reversed::text AS reversed, d.amount_minor::text AS debited
FROM (
  SELECT tenant_id, operator, reversed_tx_id, count(*)::integer AS count, sum(amount_minor) AS reversed
  FROM simulator_transactions
  WHERE kind = 'REVERSAL' AND status = 'SUCCEEDED'
  GROUP BY tenant_id, operator, reversed_tx_id
) AS r
LEFT JOIN simulator_transactions d
  ON d.tenant_id = r.tenant_id AND d.operator_tx_id = r.reversed_tx_id AND d.operator = r.operator
    AND d.kind = 'DEBIT' AND d.status = 'SUCCEEDED'
WHERE r.count > 1 OR r.reversed IS DISTINCT FROM d.amount_minor
ORDER BY 1, 3`,
};

/** Test tenants whose operator accounts differ from the operators' own records, less amounts in flight. */
export const operatorDifferences = {
  text: `
SELECT tenant_id AS "tenantId", operator, currency, sum(collected)::text AS collected,
  sum(in_flight)::text AS "inFlight", sum(booked)::text AS booked
FROM (
  SELECT tenant_id, operator, currency, 0::numeric AS booked, 0::numeric AS in_flight,
    CASE kind WHEN 'DEBIT' THEN amount_minor ELSE -amount_minor END AS collected
  FROM simulator_transactions WHERE status = 'SUCCEEDED'
  UNION ALL
  SELECT tenant_id, operator, currency, 0,
    CASE kind WHEN 'DEBIT' THEN amount_minor ELSE -amount_minor END, 0
  FROM (${unheardTransactions}) AS unheard WHERE in_flight
  UNION ALL
  SELECT tenant_id, substr(account, length('operator:') + 1), currency, -balance_minor, 0, 0
  FROM balances
  WHERE account LIKE 'operator:%' AND tenant_id IN (SELECT id FROM tenants WHERE mode = 'test')
) AS side
GROUP BY tenant_id, operator, currency
HAVING sum(collected) - sum(in_flight) <> sum(booked)
ORDER BY 1, 2, 3`,
};
