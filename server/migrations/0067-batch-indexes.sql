-- Oldest program: 0.1.0
-- The tenant comes second: an index that begins with it looks as cheap as the primary key to a planner without statistics.
DROP INDEX disbursement_batches_idempotency_key;
CREATE UNIQUE INDEX disbursement_batches_idempotency_key ON disbursement_batches (idempotency_key, tenant_id);
DROP INDEX disbursement_batches_digest;
CREATE INDEX disbursement_batches_digest ON disbursement_batches (items_digest, tenant_id);
