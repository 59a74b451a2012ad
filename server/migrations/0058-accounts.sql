-- Oldest program: 0.1.0
-- Bank statements, matched with the payouts of this cell. Only lines about payouts are kept, and no texts of others.
CREATE TABLE bank_statements (
  id uuid PRIMARY KEY,
  format text NOT NULL CHECK (format IN ('camt.053', 'CSV')),
  file_name text NOT NULL,
  file_digest bytea NOT NULL UNIQUE,
  line_count integer NOT NULL,
  first_day text,
  last_day text,
  uploaded_by text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE bank_statement_lines (
  statement_id uuid NOT NULL,
  line integer NOT NULL,
  kind text NOT NULL
    CHECK (kind IN ('EXACT', 'BY_AMOUNT', 'AMOUNT_DIFFERS', 'TWICE', 'RETURNED', 'NO_PAYOUT')),
  day text,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  bank_reference text NOT NULL CHECK (length(bank_reference) <= 140),
  tenant_id uuid,
  settlement_id uuid,
  confirmed_by text,
  confirmed_at timestamptz,
  PRIMARY KEY (statement_id, line)
);

-- Statements of our fees for closed months: of a row, nothing ever changes.
CREATE TABLE fee_statements (
  tenant_id uuid NOT NULL,
  month text NOT NULL,
  currency text NOT NULL,
  number text NOT NULL,
  content text NOT NULL,
  issued_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, month, currency)
);
