-- Oldest program: 0.1.0
-- What a key is for, how long and from where it may be used, how much it may move, and when it was used last.
ALTER TABLE api_keys
  ADD COLUMN label text,
  ADD COLUMN expires_at timestamptz,
  -- Addresses and networks; empty: from everywhere.
  ADD COLUMN allowed_addresses text[] NOT NULL DEFAULT '{}',
  ADD COLUMN max_payment_minor bigint CHECK (max_payment_minor > 0),
  ADD COLUMN max_refunded_per_day_minor bigint CHECK (max_refunded_per_day_minor >= 0),
  ADD COLUMN last_used_at timestamptz,
  -- The key that took its place.
  ADD COLUMN rolled_to uuid;

-- Which key made it. Null: of before, and of what no key asked for.
ALTER TABLE payments ADD COLUMN created_by_key uuid;
ALTER TABLE refunds ADD COLUMN created_by_key uuid;
ALTER TABLE checkout_sessions ADD COLUMN created_by_key uuid;

-- What a key with a limit has asked to refund on a day (UTC); keys without one leave no rows.
CREATE TABLE api_key_refund_days (
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  amount_minor bigint NOT NULL,
  PRIMARY KEY (tenant_id, key_id, day, currency)
);
