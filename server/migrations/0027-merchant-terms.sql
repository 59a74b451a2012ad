-- Oldest program: 0.1.0
-- What the company that runs the gateway agrees with a merchant.
ALTER TABLE merchants
  -- Not null: takes nothing new.
  ADD COLUMN suspended_at timestamptz,
  -- {"ALL" | operator: {"basisPoints": 150, "fixedMinor": "500"}}; an operator that is not named pays as configured.
  ADD COLUMN fees jsonb NOT NULL DEFAULT '{}',
  -- Of one payment, in minor units of whichever currency.
  ADD COLUMN max_payment_minor bigint CHECK (max_payment_minor > 0);
