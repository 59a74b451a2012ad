-- Merchants, their two tenants (live and test), and the keys that select one.

CREATE TABLE merchants (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE tenants (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants (id),
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  created_at timestamptz NOT NULL,
  UNIQUE (merchant_id, mode)
);

CREATE TABLE api_keys (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  key_hash bytea NOT NULL,
  last4 text NOT NULL,
  permissions text[] NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
-- The look-up of a key is one of the three queries that start without a tenant.
CREATE INDEX api_keys_hash ON api_keys (key_hash);

CREATE TABLE audit_records (
  id uuid PRIMARY KEY,
  tenant_id uuid,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  detail jsonb NOT NULL
);

-- The row is the job: due_at says when a payment needs attention next, and is the lease of whoever attends to it.
-- version counts transitions; each is a compare-and-set on it.
CREATE TABLE payments (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  status text NOT NULL CHECK (status IN (
    'CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING', 'DEBITED', 'SETTLED', 'FAILED', 'EXPIRED',
    'REFUNDED', 'PARTIALLY_REFUNDED', 'CANCELLED')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  fee_minor bigint NOT NULL CHECK (fee_minor BETWEEN 0 AND amount_minor),
  currency text NOT NULL,
  operator text NOT NULL,
  operator_phone text NOT NULL,
  operator_tx_id text,
  failure_code text,
  failure_message text,
  external_id text,
  customer_id text,
  description text,
  statement_descriptor text,
  metadata text,
  idempotency_key text,
  request_hash bytea,
  ask_count integer NOT NULL,
  due_at timestamptz,
  sent_at timestamptz,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
-- A key never charges twice, ever: it lives as long as its payment.
CREATE UNIQUE INDEX payments_idempotency_key ON payments (tenant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payments_status ON payments (tenant_id, status, id);
CREATE INDEX payments_customer ON payments (tenant_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX payments_external ON payments (tenant_id, external_id, id) WHERE external_id IS NOT NULL;

-- Debits that came too late, twice or with another amount, on their way back to the customer.
-- id is derived from the payment and the operator's transaction, so that one debit is reversed once.
CREATE TABLE reversals (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  payment_id uuid NOT NULL,
  reason text NOT NULL CHECK (reason IN ('LATE_DEBIT', 'SECOND_DEBIT', 'WRONG_AMOUNT')),
  status text NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  operator text NOT NULL,
  operator_tx_id text NOT NULL,
  failure_code text,
  ask_count integer NOT NULL,
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX reversals_due ON reversals (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX reversals_payment ON reversals (tenant_id, payment_id);

-- A posting moves an amount from one account to another: balanced by construction.
-- Its key is what it stands for, so that nothing can be posted twice.
CREATE TABLE postings (
  tenant_id uuid NOT NULL,
  source_id uuid NOT NULL,
  kind text NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  currency text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, source_id, kind),
  CHECK (from_account <> to_account)
);

-- One row is updated by every batch: the free space keeps these updates within the page.
CREATE TABLE balances (
  tenant_id uuid NOT NULL,
  account text NOT NULL,
  currency text NOT NULL,
  balance_minor bigint NOT NULL,
  PRIMARY KEY (tenant_id, account, currency)
) WITH (fillfactor = 50);

-- Append-only: mistakes are reversed, never edited. (A superuser is not bound by this; do not run the gateway as one.)
REVOKE UPDATE, DELETE, TRUNCATE ON postings FROM CURRENT_USER;

-- sequence grows per object, so that a receiver can order events of one object.
CREATE TABLE events (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  object_id uuid NOT NULL,
  sequence integer NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

CREATE TABLE webhook_endpoints (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  status text NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED')),
  description text,
  secret_box bytea NOT NULL,
  idempotency_key text,
  request_hash bytea,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX webhook_endpoints_idempotency_key ON webhook_endpoints (tenant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

-- One event is delivered to one endpoint by one row, however many attempts that takes.
CREATE TABLE deliveries (
  tenant_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'SUCCEEDED', 'FAILED')),
  attempt_count integer NOT NULL,
  due_at timestamptz,
  last_status_code integer,
  last_error text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, endpoint_id, event_id)
);
CREATE INDEX deliveries_due ON deliveries (due_at) WHERE due_at IS NOT NULL;

-- What the simulated operators did: one row per reference, so that it can be compared with the ledger.
CREATE TABLE simulator_transactions (
  tenant_id uuid NOT NULL,
  reference uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('DEBIT', 'REVERSAL', 'REFUND')),
  operator text NOT NULL,
  phone text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'PROMPTED', 'SUCCEEDED', 'FAILED')),
  failure_code text,
  operator_tx_id text NOT NULL,
  reversed_tx_id text,
  decide_at timestamptz,
  expires_at timestamptz NOT NULL,
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, reference)
);
CREATE INDEX simulator_transactions_due ON simulator_transactions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX simulator_transactions_operator_tx ON simulator_transactions (tenant_id, operator_tx_id);
