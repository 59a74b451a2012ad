-- A payment on its way changes its status with every step: as an entry for each step, this index was
-- the dearest of the table. Payments on their way are few, and all of them are due some time, so a
-- list of them walks payments_due.
DROP INDEX payments_status;
CREATE INDEX payments_closed_status ON payments (tenant_id, status, id)
  WHERE status NOT IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING');
ALTER TABLE payments ADD CONSTRAINT payments_open_is_due
  CHECK (due_at IS NOT NULL OR status NOT IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING'));
