-- Oldest program: 0.1.0
-- Operators that lie, clocks that differ, backups that forget: what keeps the money right all the same.

ALTER TABLE payments
  -- Until when somebody asks the operator about it: one question at a time, whoever asks.
  ADD COLUMN asking_until timestamptz,
  -- A person said what became of it: the first different word of the operator stops for a person.
  ADD COLUMN by_hand boolean NOT NULL DEFAULT false,
  -- What the operator gave back although we had called the refund FAILED: it cannot be refunded again.
  ADD COLUMN late_refund_minor bigint NOT NULL DEFAULT 0;

-- sent_at is set, and committed, before a request may leave; it is null again only where the connection was
-- certainly never made.
ALTER TABLE refunds
  ADD COLUMN sent_at timestamptz,
  ADD COLUMN asking_until timestamptz,
  ADD COLUMN by_hand boolean NOT NULL DEFAULT false;
UPDATE refunds SET sent_at = updated_at WHERE status = 'PROCESSING';
UPDATE payments p SET late_refund_minor = late.minor
FROM (
  SELECT tenant_id, payment_id, sum(amount_minor)::bigint AS minor FROM refunds
  WHERE status = 'FAILED' AND operator_refund_id IS NOT NULL
  GROUP BY tenant_id, payment_id
) AS late
WHERE p.tenant_id = late.tenant_id AND p.id = late.payment_id;

ALTER TABLE reversals
  ADD COLUMN sent_at timestamptz,
  ADD COLUMN asking_until timestamptz,
  ADD COLUMN by_hand boolean NOT NULL DEFAULT false,
  -- The operator's own id of the reversal: a second one would be a second gift.
  ADD COLUMN operator_reversal_id text,
  DROP CONSTRAINT reversals_reason_check,
  DROP CONSTRAINT reversals_status_check;
ALTER TABLE reversals
  ADD CONSTRAINT reversals_reason_check
    CHECK (reason IN ('LATE_DEBIT', 'SECOND_DEBIT', 'WRONG_AMOUNT', 'UNKNOWN_REFERENCE')),
  -- HELD: in suspense until a person says what becomes of it.
  ADD CONSTRAINT reversals_status_check
    CHECK (status IN ('HELD', 'PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED'));
UPDATE reversals SET sent_at = updated_at WHERE status = 'PROCESSING';

-- How often a callback was looked at: it makes us ask, until the operator's own answer is known.
ALTER TABLE operator_callbacks ADD COLUMN look_count integer NOT NULL DEFAULT 0;

-- A transaction of an operator is booked once, whichever merchant it is for. The one table of money that
-- is not keyed by the tenant, since merchants share the account at the operator (docs/decisions/0018).
-- Of test tenants it holds nothing.
CREATE TABLE operator_transactions (
  operator text NOT NULL,
  -- Our account there; '' where it was booked before accounts were kept, and then it is that of any.
  account text NOT NULL,
  operator_tx_id text NOT NULL,
  tenant_id uuid NOT NULL,
  -- The payment, whether the transaction paid it or is on its way back.
  payment_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('DEBIT', 'REVERSAL')),
  PRIMARY KEY (operator, account, operator_tx_id)
);

-- What a person must look at. Its id is derived from what it is about, so that it is listed once.
CREATE TABLE review_items (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('UNCLEAR', 'CLASH', 'CONTRADICTION', 'UNKNOWN_REFERENCE')),
  subject_kind text NOT NULL CHECK (subject_kind IN ('PAYMENT', 'REFUND', 'REVERSAL')),
  subject_id uuid NOT NULL,
  operator text NOT NULL,
  -- Both sides: what our books say, and what the operator said.
  detail jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  closed_by text,
  reason text,
  PRIMARY KEY (tenant_id, id),
  CHECK ((closed_at IS NULL) = (closed_by IS NULL))
);
CREATE INDEX review_items_open ON review_items (created_at) WHERE closed_at IS NULL;
CREATE INDEX review_items_subject ON review_items (tenant_id, subject_id);

-- What was booked before: the oldest booking of a transaction counts, and each other is listed for a person.
INSERT INTO operator_transactions (operator, account, operator_tx_id, tenant_id, payment_id, kind)
SELECT operator, '', operator_tx_id, tenant_id, payment_id, kind
FROM (
  SELECT p.operator, p.operator_tx_id, p.tenant_id, p.id AS payment_id, 'DEBIT' AS kind, p.created_at
  FROM payments p JOIN tenants t ON t.id = p.tenant_id AND t.mode = 'live'
  WHERE p.operator_tx_id IS NOT NULL
  UNION ALL
  SELECT r.operator, r.operator_tx_id, r.tenant_id, r.payment_id, 'REVERSAL', r.created_at
  FROM reversals r JOIN tenants t ON t.id = r.tenant_id AND t.mode = 'live'
) AS booked
ORDER BY created_at, payment_id, kind
ON CONFLICT DO NOTHING;

INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
SELECT booked.tenant_id, md5(booked.payment_id || booked.kind || booked.operator_tx_id)::uuid, 'CLASH', 'PAYMENT',
  booked.payment_id, booked.operator,
  jsonb_build_object('operatorTxId', booked.operator_tx_id, 'bookedAs', first.kind, 'bookedFor', first.payment_id,
    'told', jsonb_build_object('as', booked.kind), 'found', 'by a migration'),
  now()
FROM (
  SELECT p.operator, p.operator_tx_id, p.tenant_id, p.id AS payment_id, 'DEBIT' AS kind
  FROM payments p JOIN tenants t ON t.id = p.tenant_id AND t.mode = 'live'
  WHERE p.operator_tx_id IS NOT NULL
  UNION ALL
  SELECT r.operator, r.operator_tx_id, r.tenant_id, r.payment_id, 'REVERSAL'
  FROM reversals r JOIN tenants t ON t.id = r.tenant_id AND t.mode = 'live'
) AS booked
JOIN operator_transactions first
  ON first.operator = booked.operator AND first.operator_tx_id = booked.operator_tx_id
WHERE (first.tenant_id, first.payment_id, first.kind) <> (booked.tenant_id, booked.payment_id, booked.kind)
ON CONFLICT DO NOTHING;
