-- Oldest program: 0.1.0
-- Every payment has a phone, so the condition leaves none out. It keeps the index for questions that name a phone: while a
-- table has no statistics yet, PostgreSQL 18 takes an index that skips over phones for as good as the primary key.
CREATE INDEX payments_of_phone ON payments (tenant_id, operator_phone, id) WHERE operator_phone IS NOT NULL;
DROP INDEX payments_phone;
