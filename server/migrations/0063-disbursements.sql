-- Oldest program: 0.1.0
-- Disbursements: a merchant's money on its way out to a wallet, singly or in batches.
CREATE TABLE disbursements (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  batch_id uuid,
  -- In its batch, from 0.
  batch_row integer,
  -- Its name at the operator, derived from tenant, route, idempotency key and row: a request that is repeated after
  -- a restore, or after its key was erased, gets the same name and is paid once.
  reference uuid NOT NULL,
  version integer NOT NULL,
  status text NOT NULL CHECK (status IN ('CREATED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  fee_minor bigint NOT NULL CHECK (fee_minor >= 0),
  currency text NOT NULL,
  operator text NOT NULL,
  -- Null once it is erased.
  operator_phone text,
  -- Of a disbursement that FAILED: the sign that it succeeded after all.
  operator_tx_id text,
  transaction_entered boolean NOT NULL DEFAULT false,
  failure_code text,
  failure_message text,
  external_id text,
  customer_id text,
  description text,
  statement_descriptor text,
  metadata text,
  idempotency_key text,
  request_hash bytea,
  -- The key or the person that created it.
  created_by_key uuid,
  created_by_person uuid,
  rendering smallint NOT NULL DEFAULT 1,
  ask_count integer NOT NULL DEFAULT 0,
  due_at timestamptz,
  asking_until timestamptz,
  sent_at timestamptz,
  by_hand boolean NOT NULL DEFAULT false,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((batch_id IS NULL) = (batch_row IS NULL))
);
CREATE UNIQUE INDEX disbursements_idempotency_key ON disbursements (tenant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX disbursements_reference ON disbursements (tenant_id, reference);
CREATE UNIQUE INDEX disbursements_batch ON disbursements (tenant_id, batch_id, batch_row) WHERE batch_id IS NOT NULL;
CREATE INDEX disbursements_due ON disbursements (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX disbursements_status ON disbursements (tenant_id, status, id);
CREATE INDEX disbursements_late ON disbursements (updated_at, id)
  WHERE status IN ('FAILED', 'CANCELLED') AND operator_tx_id IS NOT NULL;

CREATE TABLE disbursement_batches (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  -- CREATED: rows are being written; PROCESSING: all are; COMPLETED: each has ended.
  status text NOT NULL CHECK (status IN ('CREATED', 'PROCESSING', 'COMPLETED')),
  external_id text,
  description text,
  -- The rows as they were asked for, until all of them are written.
  items text,
  item_count integer NOT NULL CHECK (item_count BETWEEN 1 AND 1000),
  written_count integer NOT NULL DEFAULT 0,
  -- Digest of the rows, to tell the same file again.
  items_digest bytea NOT NULL,
  -- Amounts and fees of all rows by currency, as JSON.
  totals text NOT NULL,
  -- The batch whose failed rows it tries again.
  retry_of uuid,
  -- An earlier batch with the same rows.
  duplicate_of uuid,
  idempotency_key text NOT NULL,
  request_hash bytea,
  created_by_key uuid,
  created_by_person uuid,
  rendering smallint NOT NULL DEFAULT 1,
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  completed_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX disbursement_batches_idempotency_key ON disbursement_batches (tenant_id, idempotency_key);
CREATE INDEX disbursement_batches_digest ON disbursement_batches (tenant_id, items_digest);
CREATE INDEX disbursement_batches_retry ON disbursement_batches (tenant_id, retry_of) WHERE retry_of IS NOT NULL;
CREATE INDEX disbursement_batches_due ON disbursement_batches (due_at) WHERE due_at IS NOT NULL;

-- What went out on a day (UTC), for the caps: of the merchant (scope_key ''), of a key (its UUID) and of a wallet (a
-- keyed digest of the phone, in hexadecimal).
CREATE TABLE disbursement_days (
  tenant_id uuid NOT NULL,
  currency text NOT NULL,
  day date NOT NULL,
  scope text NOT NULL CHECK (scope IN ('MERCHANT', 'KEY', 'WALLET')),
  scope_key text NOT NULL,
  amount_minor bigint NOT NULL,
  item_count integer NOT NULL,
  PRIMARY KEY (tenant_id, currency, day, scope, scope_key)
);
-- Old days of all tenants are removed together.
CREATE INDEX disbursement_days_day ON disbursement_days (day);

-- Whether a merchant may disburse with live keys, and how much; null: no limit beside the installation's.
ALTER TABLE merchants
  ADD COLUMN disbursements_allowed boolean NOT NULL DEFAULT false,
  ADD COLUMN max_disbursement_minor bigint,
  ADD COLUMN max_disbursed_per_day_minor bigint,
  ADD COLUMN max_disbursed_per_wallet_and_day_minor bigint;
ALTER TABLE merchants ADD CONSTRAINT merchants_disbursement_limits CHECK (max_disbursement_minor > 0
  AND max_disbursed_per_day_minor >= 0 AND max_disbursed_per_wallet_and_day_minor >= 0);
ALTER TABLE api_keys
  ADD COLUMN max_disbursement_minor bigint,
  ADD COLUMN max_disbursed_per_day_minor bigint;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_disbursement_limits
  CHECK (max_disbursement_minor > 0 AND max_disbursed_per_day_minor >= 0);

-- Amounts out less what came back; the fees of disbursements count among the fees. Programs of before leave 0, and
-- nothing is disbursed while one of them runs. If one is started later, the check refuses its settlements of a balance
-- out of which something was disbursed: it would pay that amount a second time.
ALTER TABLE unsettled ADD COLUMN disbursement_minor numeric(39, 0) NOT NULL DEFAULT 0;
ALTER TABLE unsettled ADD CONSTRAINT unsettled_disbursement_minor
  CHECK (item_count > 0 OR disbursement_minor = 0);
ALTER TABLE payable_hours ADD COLUMN disbursement_minor numeric(39, 0) NOT NULL DEFAULT 0;
ALTER TABLE settlements ADD COLUMN disbursement_minor numeric(39, 0) NOT NULL DEFAULT 0;
ALTER TABLE settlements DROP CONSTRAINT settlements_check;
ALTER TABLE settlements ADD CONSTRAINT settlements_check CHECK (
  net_minor > 0 AND net_minor = gross_minor - fee_minor - refund_minor - disbursement_minor
) NOT VALID;

-- The personal data of old disbursements goes like that of old payments.
ALTER TABLE personal_data_walks DROP CONSTRAINT personal_data_walks_kind_check;
ALTER TABLE personal_data_walks ADD CONSTRAINT personal_data_walks_kind_check
  CHECK (kind IN ('PAYMENTS', 'DISBURSEMENTS', 'SESSIONS', 'EVENTS')) NOT VALID;

-- Test keys that may do everything else may disburse too; live keys need to name the permission.
UPDATE api_keys k SET permissions = k.permissions || '{disbursements:read,disbursements:write}'::text[]
FROM tenants t
WHERE t.id = k.tenant_id AND t.mode = 'test' AND NOT 'disbursements:write' = ANY (k.permissions)
  AND k.permissions @> '{payments:read,payments:write,refunds:read,refunds:write,checkout:read,checkout:write,products:read,products:write,webhooks:read,webhooks:write,events:read,settlements:read,settlements:write,phones:read}'::text[];
