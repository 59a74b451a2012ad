-- Oldest program: 0.1.0
-- Why the last try to hand a payout over failed; null while one is under way. So it can be seen, and failed.
ALTER TABLE settlements ADD COLUMN payout_error text;
