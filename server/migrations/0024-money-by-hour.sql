-- Oldest program: 0.1.0
-- What moved a merchant's balance, by the hour of booking: a statement of a year reads thousands of rows, and
-- not millions of postings. Whoever appends postings adds to it in the same statement. Programs of before do
-- not: "zimbo ledger recount" makes up for them once none of these runs any more.

-- One row is updated by every batch: the free space keeps these updates within the page.
CREATE TABLE payable_hours (
  tenant_id uuid NOT NULL,
  currency text NOT NULL,
  hour timestamptz NOT NULL,
  gross_minor numeric(39, 0) NOT NULL,
  fee_minor numeric(39, 0) NOT NULL,
  -- Out to customers less what came back, and so with payouts.
  refund_minor numeric(39, 0) NOT NULL,
  payout_minor numeric(39, 0) NOT NULL,
  PRIMARY KEY (tenant_id, currency, hour)
) WITH (fillfactor = 50);

-- Nothing is booked between the sums of what is there and the end of this migration.
-- PostgreSQL 15 lets only those lock who may change rows, which nobody may here before or after.
GRANT UPDATE ON postings TO CURRENT_USER;
LOCK TABLE postings IN SHARE MODE;
REVOKE UPDATE ON postings FROM CURRENT_USER;

INSERT INTO payable_hours
SELECT tenant_id, currency, date_trunc('hour', created_at, 'UTC'),
  coalesce(sum(amount_minor) FILTER (WHERE kind IN ('debit_net', 'debit_fee')), 0),
  coalesce(sum(amount_minor) FILTER (WHERE kind = 'debit_fee'), 0),
  coalesce(sum(CASE kind WHEN 'refund_out' THEN amount_minor WHEN 'refund_back' THEN -amount_minor END), 0),
  coalesce(sum(CASE WHEN to_account = 'payouts_in_transit' THEN amount_minor
    WHEN from_account = 'payouts_in_transit' THEN -amount_minor END), 0)
FROM postings
WHERE from_account = 'payable' OR to_account = 'payable' OR kind = 'debit_fee'
GROUP BY 1, 2, 3;

-- The audit log of a merchant is read along it.
CREATE INDEX audit_records_tenant ON audit_records (tenant_id, id) WHERE tenant_id IS NOT NULL;
-- What is of a merchant as a whole names it in one of two places.
CREATE INDEX audit_records_merchant ON audit_records
  (coalesce(detail ->> 'merchant', subject), id) WHERE tenant_id IS NULL;
