-- Oldest program: 0.1.0
-- The gateways that run on this database: each writes down once a minute that it is there, so that all
-- can tell whether their settings agree. Secrets stand here as keyed digests only.
CREATE TABLE running_processes (
  id uuid PRIMARY KEY,
  role text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  settings jsonb NOT NULL,
  clock_offset_ms double precision NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);
