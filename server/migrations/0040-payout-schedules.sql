-- Oldest program: 0.1.0
-- When a merchant is paid out to by itself. A program of before goes on doing it every day.
ALTER TABLE merchants ADD COLUMN payout_schedule text NOT NULL DEFAULT 'DAILY'
  CHECK (payout_schedule ~ '^(DAILY|MANUAL|WEEKLY_(MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY)|MONTHLY_([1-9]|1[0-9]|2[0-8]))$');
