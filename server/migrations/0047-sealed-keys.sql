-- Oldest program: 0.1.0
-- Whether idempotency keys of payments may have been sealed, since they named a phone that was erased: only then does a
-- new payment look for its key in that form, too. Nobody knows this of the tenants that are here already.
ALTER TABLE tenants ADD COLUMN may_have_sealed_keys boolean NOT NULL DEFAULT true;
ALTER TABLE tenants ALTER COLUMN may_have_sealed_keys SET DEFAULT false;
