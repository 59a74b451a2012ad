-- Oldest program: 0.1.0
-- Who bears a disbursement that succeeded after it was given back, as a person decided: CHARGED or WRITTEN_OFF.
ALTER TABLE disbursements ADD COLUMN late_outcome text;

-- What a merchant, or somebody for it, paid into our bank account for its balance.
CREATE TABLE top_ups (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  currency text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  -- What the bank's statement says. Each transfer is booked once.
  bank_reference text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX top_ups_bank_reference ON top_ups (currency, bank_reference);
