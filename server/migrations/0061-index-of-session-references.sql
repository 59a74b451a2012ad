-- Oldest program: 0.1.0
-- Concurrently
-- Sessions can be found by it; most have none.
CREATE INDEX CONCURRENTLY checkout_sessions_external ON checkout_sessions (tenant_id, external_id, id)
  WHERE external_id IS NOT NULL;
