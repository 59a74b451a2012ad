-- Oldest program: 0.1.0
-- What merchants see of a day or a quarter, without reading its payments: sums by the hour of creation.
-- Whoever moves a payment to its outcome, or a refund to SUCCEEDED, appends what that adds in the same
-- statement; a worker folds the deltas into the totals. Programs of before append nothing:
-- "zimbo ledger recount" makes up for them once none of these runs any more.

CREATE TABLE payment_totals (
  tenant_id uuid NOT NULL,
  -- When the payment or the refund was created.
  hour timestamptz NOT NULL,
  operator text NOT NULL,
  currency text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED', 'REFUNDED')),
  -- Empty where nothing failed.
  failure_code text NOT NULL,
  -- How long a payment that SUCCEEDED took, counted from 1 (totals/confirm-time.ts); 0 for the others.
  confirm_bucket smallint NOT NULL,
  item_count bigint NOT NULL,
  amount_minor numeric(39, 0) NOT NULL,
  fee_minor numeric(39, 0) NOT NULL,
  PRIMARY KEY (tenant_id, hour, operator, currency, outcome, failure_code, confirm_bucket)
) WITH (fillfactor = 80);

-- The same by days as people in Cape Verde and in Angola have them, an hour after and an hour before those of UTC: a
-- quarter is read from these. Which day it is shows by the hour at which it begins.
CREATE TABLE payment_day_totals (
  tenant_id uuid NOT NULL,
  day_start timestamptz NOT NULL,
  operator text NOT NULL,
  currency text NOT NULL,
  outcome text NOT NULL,
  failure_code text NOT NULL,
  confirm_bucket smallint NOT NULL,
  item_count bigint NOT NULL,
  amount_minor numeric(39, 0) NOT NULL,
  fee_minor numeric(39, 0) NOT NULL,
  PRIMARY KEY (tenant_id, day_start, operator, currency, outcome, failure_code, confirm_bucket)
) WITH (fillfactor = 80);

-- Without an index, since it stays small: appending is all that payments pay for.
CREATE TABLE payment_total_deltas (
  tenant_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  operator text NOT NULL,
  currency text NOT NULL,
  outcome text NOT NULL,
  failure_code text NOT NULL,
  confirm_bucket smallint NOT NULL,
  item_count bigint NOT NULL,
  amount_minor numeric(39, 0) NOT NULL,
  fee_minor numeric(39, 0) NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Nothing moves between the count of what is there and the end of this migration.
LOCK TABLE refunds, payments IN SHARE MODE;

-- Payments of a phone, newest first. It serves the limit of attempts on the payment page as well, so that the
-- index of these attempts makes room for one by their session.
CREATE INDEX payments_phone ON payments (tenant_id, operator_phone, id);
DROP INDEX payments_attempts_of_phone;
CREATE INDEX payments_session ON payments (tenant_id, checkout_session_id, id)
  WHERE checkout_session_id IS NOT NULL;

INSERT INTO payment_totals
SELECT p.tenant_id, date_trunc('hour', p.created_at, 'UTC'), p.operator, p.currency, outcome.name,
  CASE WHEN outcome.name = 'SUCCEEDED' THEN '' ELSE coalesce(p.failure_code, '') END,
  CASE WHEN outcome.name = 'SUCCEEDED' THEN
    coalesce(1 + width_bucket(extract(epoch FROM d.created_at - p.created_at)::float8,
      '{0.5,1,1.5,2,3,4,6,8,12,16,24,32,48,64,96,128,192,256,384,512}'::float8[]), 0)
  ELSE 0 END,
  count(*), sum(p.amount_minor), sum(p.fee_minor)
FROM payments p
CROSS JOIN LATERAL (SELECT CASE
  WHEN p.status IN ('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED') THEN 'SUCCEEDED'
  ELSE p.status END AS name) AS outcome
LEFT JOIN postings d ON d.tenant_id = p.tenant_id AND d.source_id = p.id AND d.kind = 'debit_net'
WHERE outcome.name IN ('SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED')
GROUP BY 1, 2, 3, 4, 5, 6, 7;

INSERT INTO payment_totals
SELECT tenant_id, date_trunc('hour', created_at, 'UTC'), operator, currency, 'REFUNDED', '', 0,
  count(*), sum(amount_minor), 0
FROM refunds WHERE status = 'SUCCEEDED'
GROUP BY 1, 2, 3, 4;

INSERT INTO payment_day_totals
SELECT tenant_id, day_start, operator, currency, outcome, failure_code, confirm_bucket,
  sum(item_count), sum(amount_minor), sum(fee_minor)
FROM payment_totals
CROSS JOIN LATERAL (VALUES
  (date_trunc('day', hour - INTERVAL '1 hour', 'UTC') + INTERVAL '1 hour'),
  (date_trunc('day', hour + INTERVAL '1 hour', 'UTC') - INTERVAL '1 hour')
) AS day (day_start)
GROUP BY 1, 2, 3, 4, 5, 6, 7;
