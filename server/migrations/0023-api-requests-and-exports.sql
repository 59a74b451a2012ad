-- Oldest program: 0.1.0
-- What the requests to the API were, and which files of payments were taken away.

-- A row holds many requests, as deflated JSON: one row for each would cost as much as a payment.
CREATE TABLE api_request_chunks (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  -- Failures have chunks of their own, since they are kept for longer.
  failed boolean NOT NULL,
  requests integer NOT NULL,
  -- How many came that found no room, so that they are not in it.
  dropped integer NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  entries bytea NOT NULL,
  PRIMARY KEY (tenant_id, last_at, id)
);
-- It would be compressed a second time for nothing.
ALTER TABLE api_request_chunks ALTER COLUMN entries SET STORAGE EXTERNAL;

CREATE TABLE exports (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  actor text NOT NULL,
  format text NOT NULL CHECK (format IN ('CSV', 'XLSX')),
  state text NOT NULL CHECK (state IN ('RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  -- Null until they are counted.
  rows_total bigint,
  rows_written bigint NOT NULL,
  -- While it runs: of the few places that a tenant has.
  slot integer NOT NULL,
  created_at timestamptz NOT NULL,
  -- While it runs, it says so every few seconds: one that does not has ended with its process.
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX exports_running ON exports (tenant_id, slot) WHERE state = 'RUNNING';
