-- Products and checkout sessions, refunds, settlements.

ALTER TABLE payments
  -- What pending and succeeded refunds take together: reserved before a refund is written, so that
  -- refunds can never exceed the payment, however many are made at once.
  ADD COLUMN refund_reserved_minor bigint NOT NULL DEFAULT 0,
  ADD COLUMN refunded_minor bigint NOT NULL DEFAULT 0,
  -- The checkout session whose attempt this payment is.
  ADD COLUMN checkout_session_id uuid,
  ADD CHECK (refund_reserved_minor BETWEEN 0 AND amount_minor),
  ADD CHECK (refunded_minor BETWEEN 0 AND refund_reserved_minor);

CREATE TABLE products (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  price_minor bigint NOT NULL CHECK (price_minor >= 0),
  currency text NOT NULL,
  active boolean NOT NULL,
  metadata text,
  idempotency_key text,
  request_hash bytea,
  -- What a repetition of the request is answered with, since a product can be changed.
  original_answer text,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX products_idempotency_key ON products (tenant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

-- The attempt slot: while attempt_in_flight is true, latest_payment_id is the one attempt under way.
CREATE TABLE checkout_sessions (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  status text NOT NULL CHECK (status IN ('OPEN', 'COMPLETED', 'EXPIRED')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  items text NOT NULL,
  customer_id text,
  return_url text,
  completion_url text,
  metadata text,
  -- Makes the link unguessable.
  link_secret bytea NOT NULL,
  latest_payment_id uuid,
  attempt_in_flight boolean NOT NULL,
  attempt_count integer NOT NULL,
  idempotency_key text,
  request_hash bytea,
  due_at timestamptz,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX checkout_sessions_idempotency_key ON checkout_sessions (tenant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX checkout_sessions_due ON checkout_sessions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX checkout_sessions_status ON checkout_sessions (tenant_id, status, id);

CREATE TABLE refunds (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  payment_id uuid NOT NULL,
  version integer NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  operator text NOT NULL,
  -- The operator's transaction that is refunded.
  operator_tx_id text NOT NULL,
  operator_refund_id text,
  reason text,
  failure_code text,
  failure_message text,
  metadata text,
  idempotency_key text,
  request_hash bytea,
  ask_count integer NOT NULL,
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX refunds_idempotency_key ON refunds (tenant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX refunds_due ON refunds (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX refunds_payment ON refunds (tenant_id, payment_id, id);
CREATE INDEX refunds_status ON refunds (tenant_id, status, id);

-- A settlement takes whole periods. Every posting that touches "payable" is stamped with the period
-- that is open when it is written, so that a cut is one row, however many postings it takes.
ALTER TABLE postings ADD COLUMN period integer;
CREATE INDEX postings_period ON postings (tenant_id, currency, period, source_id) WHERE period IS NOT NULL;
-- A debit whose fee is all of it still belongs to a settlement.
ALTER TABLE postings DROP CONSTRAINT postings_amount_minor_check;
ALTER TABLE postings ADD CHECK (amount_minor > 0 OR (kind = 'debit_net' AND amount_minor = 0));

-- What is payable and taken by no settlement; its net is the balance of "payable".
CREATE TABLE unsettled (
  tenant_id uuid NOT NULL,
  currency text NOT NULL,
  period integer NOT NULL,
  gross_minor bigint NOT NULL,
  fee_minor bigint NOT NULL,
  refund_minor bigint NOT NULL,
  item_count bigint NOT NULL,
  first_item_at timestamptz,
  first_debit_at timestamptz,
  last_run_at timestamptz,
  PRIMARY KEY (tenant_id, currency)
) WITH (fillfactor = 50);

CREATE TABLE settlements (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  merchant_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  currency text NOT NULL,
  gross_minor bigint NOT NULL,
  fee_minor bigint NOT NULL,
  refund_minor bigint NOT NULL,
  net_minor bigint NOT NULL CHECK (net_minor > 0 AND net_minor = gross_minor - fee_minor - refund_minor),
  item_count bigint NOT NULL,
  payout_ref text,
  idempotency_key text,
  request_hash bytea,
  period_start timestamptz NOT NULL,
  period_end timestamptz NOT NULL,
  -- How far the payments of a completed settlement have been told of.
  told_period integer,
  told_through uuid,
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  processed_at timestamptz,
  completed_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX settlements_idempotency_key ON settlements (tenant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX settlements_open ON settlements (tenant_id, currency)
  WHERE status IN ('PENDING', 'PROCESSING');
CREATE INDEX settlements_due ON settlements (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX settlements_status ON settlements (tenant_id, status, id);

-- Which settlement has taken a closed period; a settlement that FAILED lets go of its periods.
CREATE TABLE settlement_periods (
  tenant_id uuid NOT NULL,
  currency text NOT NULL,
  period integer NOT NULL,
  settlement_id uuid,
  started_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, currency, period)
);
CREATE INDEX settlement_periods_settlement ON settlement_periods (tenant_id, settlement_id);

-- The answer to the creation, encrypted since it holds the secret: an endpoint can be changed now,
-- and a repetition under the same idempotency key gets the original answer all the same.
ALTER TABLE webhook_endpoints ADD COLUMN answer_box bytea;
-- What waits for its endpoint to be enabled; nearly always empty, and no work on the way of a delivery.
CREATE INDEX deliveries_waiting ON deliveries (tenant_id, endpoint_id)
  WHERE status = 'PENDING' AND due_at IS NULL;

-- For lists of one type. The two types that every payment has are left out: they are the bulk of all
-- writes, and so frequent that a walk along the primary key finds them soon enough.
CREATE INDEX events_type ON events (tenant_id, type, id)
  WHERE type NOT IN ('payment.created', 'payment.debited');
