-- Oldest program: 0.1.0
-- What the merchant calls the order that a session is for; its payments carry it.
ALTER TABLE checkout_sessions ADD COLUMN external_id text;
