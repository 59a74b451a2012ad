-- Oldest program: 0.1.0
-- Where merchants are paid out to. Of a row only valid_until changes: settlements and the audit log name it for ever.
CREATE TABLE bank_accounts (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  currency text NOT NULL,
  -- An IBAN, or a NIB of 21 digits; without spaces, in capital letters.
  account_number text NOT NULL,
  holder text NOT NULL,
  bic text,
  valid_from timestamptz NOT NULL,
  -- Null: it holds.
  valid_until timestamptz,
  PRIMARY KEY (merchant_id, id)
);
CREATE UNIQUE INDEX bank_accounts_current ON bank_accounts (merchant_id, currency) WHERE valid_until IS NULL;

-- The account that held at the cut; null where there was none.
ALTER TABLE settlements ADD COLUMN bank_account_id uuid;
