-- Oldest program: 0.1.0
-- The operator told of a success that is not what we asked for: such a payment does not expire before it is clear.
ALTER TABLE payments ADD COLUMN mismatched boolean NOT NULL DEFAULT false;
