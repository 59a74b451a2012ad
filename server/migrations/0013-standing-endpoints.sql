-- Oldest program: 0.1.0
-- Endpoints that were deleted stay as rows: whoever makes and deletes many must not slow down every event of his.
CREATE INDEX webhook_endpoints_standing ON webhook_endpoints (tenant_id, id) WHERE deleted_at IS NULL;
