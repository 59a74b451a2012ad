-- Oldest program: 0.1.0
-- The idempotency keys of requests that do something to what is there: cancel, confirm, expire, redeliver, test, rotate.
-- Written in the transaction of the act, and removed after 30 days.
CREATE TABLE act_keys (
  tenant_id uuid NOT NULL,
  -- Of the route and the key, keyed: a key may name a phone.
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  -- The payment, session, endpoint or event that the act is about.
  subject_id uuid NOT NULL,
  -- What the answer is made from again. No secret stands in it.
  answer jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key_hash)
);
CREATE INDEX act_keys_subject ON act_keys (tenant_id, subject_id);
CREATE INDEX act_keys_created ON act_keys (created_at);
