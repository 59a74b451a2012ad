-- Oldest program: 0.1.0
-- As payments and sessions have it (0017): which fields the answer to a creation had, so that a repetition
-- under the same idempotency key gives the bytes of its day. What an older program makes has the first.
ALTER TABLE refunds ADD COLUMN rendering smallint NOT NULL DEFAULT 1;
ALTER TABLE settlements ADD COLUMN rendering smallint NOT NULL DEFAULT 1;
