-- Rotation of secrets, endpoints that disable themselves, and what became of each attempt.

ALTER TABLE webhook_endpoints
  -- During a rotation: the new secret, and when the old one ends.
  ADD COLUMN next_secret_box bytea,
  ADD COLUMN next_secret_from timestamptz,
  -- Since when every attempt has failed; null once one succeeds.
  ADD COLUMN failing_since timestamptz,
  ADD COLUMN disabled_reason text CHECK (disabled_reason IN ('GONE', 'FAILING')),
  ADD CHECK ((next_secret_box IS NULL) = (next_secret_from IS NULL)),
  ADD CHECK (disabled_reason IS NULL OR status = 'DISABLED');

-- An attempt is told of with the delivery only, so it needs no row of its own.
ALTER TABLE deliveries ADD COLUMN attempts jsonb NOT NULL DEFAULT '[]';
