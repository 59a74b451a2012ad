-- Oldest program: 0.1.0
-- Concurrently
-- Finds two requests to which an operator gave one id.
CREATE INDEX CONCURRENTLY operator_requests_id ON operator_requests (operator, lower(request_id))
  WHERE request_id IS NOT NULL;
