-- Oldest program: 0.1.0
-- What came of comparing an operator's statement with the ledger, and what people made of each difference.
CREATE TABLE reconciliations (
  id uuid PRIMARY KEY,
  status text NOT NULL CHECK (status IN ('COMPARING', 'OPEN', 'MATCHED', 'FAILED')),
  operator text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  -- Null: of all merchants.
  merchant_id uuid,
  -- Null: all.
  currency text,
  -- The period that was asked for; null: that of the statement.
  asked_from timestamptz,
  asked_until timestamptz,
  file_name text NOT NULL,
  -- SHA-256 of the file as it came.
  file_digest bytea NOT NULL,
  file_bytes bigint NOT NULL,
  -- False once the lines are too old: then nothing can be compared again.
  has_lines boolean NOT NULL,
  uploaded_by text NOT NULL,
  -- Who asked for the latest comparison, and from where.
  asked_by text NOT NULL,
  asked_origin text,
  asked_at timestamptz NOT NULL,
  -- Of one that is to be compared: since when, or the end of the lease.
  due_at timestamptz,
  -- Comparisons that were begun and did not end.
  tries integer NOT NULL DEFAULT 0,
  -- Of the latest comparison.
  compared_at timestamptz,
  from_at timestamptz,
  until_at timestamptz,
  line_count integer NOT NULL,
  matched_count integer NOT NULL DEFAULT 0,
  without_money_count integer NOT NULL DEFAULT 0,
  -- Differences of now and before, and how many of them nobody has dealt with.
  difference_count integer NOT NULL DEFAULT 0,
  open_count integer NOT NULL DEFAULT 0,
  -- Why it is FAILED, as a code.
  failure text,
  closed_by text,
  closed_at timestamptz,
  created_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (file_digest, operator, mode, merchant_id, currency, asked_from, asked_until),
  CHECK ((status = 'COMPARING') = (due_at IS NOT NULL)),
  CHECK ((status = 'FAILED') = (failure IS NOT NULL)),
  CHECK ((status = 'MATCHED') = (closed_at IS NOT NULL))
);

CREATE INDEX reconciliations_due ON reconciliations (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX reconciliations_with_lines ON reconciliations (asked_at) WHERE has_lines;

-- The lines of a statement, compressed, in parts of up to a MiB.
CREATE TABLE reconciliation_lines (
  reconciliation_id uuid NOT NULL,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (reconciliation_id, part)
);
ALTER TABLE reconciliation_lines ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE reconciliation_differences (
  reconciliation_id uuid NOT NULL,
  -- In the order of the statement, as far as they were found at once.
  id uuid NOT NULL,
  -- SHA-256 of what makes it the same difference when it is found again.
  identity bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('OPEN', 'SOLVED', 'EXPLAINED')),
  kind text NOT NULL CHECK (kind IN ('MISSING_IN_STATEMENT', 'MISSING_IN_LEDGER', 'LISTED_TWICE', 'DIFFERENT_AMOUNT', 'DIFFERENT_STATUS')),
  line integer,
  type text NOT NULL,
  reference text,
  reference_id uuid,
  transaction_id text,
  listed_minor bigint,
  listed_currency text,
  listed_status text,
  -- Whose it is in the ledger.
  booked_tenant_id uuid,
  booked_minor bigint,
  booked_currency text,
  booked_status text,
  booked_at timestamptz,
  -- Of one that is EXPLAINED.
  reason text,
  note text,
  operator_reference text,
  -- Who explained it, or asked for the comparison that solved it.
  decided_by text,
  decided_at timestamptz,
  -- When somebody had the operator asked; due until that is done.
  asked_at timestamptz,
  due_at timestamptz,
  -- Where a person decides about it.
  review_id uuid,
  PRIMARY KEY (reconciliation_id, id),
  UNIQUE (reconciliation_id, identity),
  CHECK ((status = 'EXPLAINED') <= (reason IS NOT NULL)),
  CHECK ((status = 'OPEN') = (decided_at IS NULL))
);

CREATE INDEX reconciliation_differences_due ON reconciliation_differences (due_at) WHERE due_at IS NOT NULL;
