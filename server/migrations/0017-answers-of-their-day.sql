-- Oldest program: 0.1.0
-- Which fields the answer to a creation had: a repetition under the same idempotency key gives the bytes of
-- its day, although objects gain fields. What was made before this column, or by an older program, has the first.
ALTER TABLE payments ADD COLUMN rendering smallint NOT NULL DEFAULT 1;
ALTER TABLE checkout_sessions
  ADD COLUMN rendering smallint NOT NULL DEFAULT 1,
  -- What is paid for, in the merchant's words; its payments carry it.
  ADD COLUMN description text;

-- Sessions can be found by customer. References of before could be longer than an index takes.
CREATE INDEX checkout_sessions_customer ON checkout_sessions (tenant_id, customer_id, id)
  WHERE length(customer_id) <= 255;
