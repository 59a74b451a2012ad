-- Oldest program: 0.1.0
-- When the next attempt was planned for. due_at is the lease of whoever makes the attempt meanwhile, which
-- says nothing to merchants. Null where a delivery was due at once: at updated_at.
ALTER TABLE deliveries ADD COLUMN planned_at timestamptz;

-- Sessions that have had all their attempts are EXPIRED with the last of them. Those of before are due now,
-- so that they are told of as well.
UPDATE checkout_sessions SET due_at = now()
WHERE status = 'OPEN' AND attempt_count >= 10 AND NOT attempt_in_flight;
