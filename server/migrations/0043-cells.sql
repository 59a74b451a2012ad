-- Oldest program: 0.1.0
-- Cells: schemas or databases that hold whole merchants. The first one, the home, is where these tables have rows;
-- with one cell they have none. What is of a cell alone stands at the end.

CREATE TABLE cells (
  name text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_]{0,30}$' AND name <> 'home'),
  -- The URL of its database, encrypted; null where it is a schema in the database of the home.
  url_box bytea,
  schema_name text NOT NULL,
  engine text NOT NULL CHECK (engine IN ('POSTGRESQL', 'CITUS')),
  created_at timestamptz NOT NULL
);

-- The directory. A tenant or a key that is not in it is asked for in each cell, once.
CREATE TABLE cell_tenants (
  tenant_id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  cell text NOT NULL
);
CREATE INDEX cell_tenants_merchant ON cell_tenants (merchant_id);
CREATE TABLE cell_keys (
  key_hash bytea PRIMARY KEY,
  tenant_id uuid NOT NULL
);

-- What the console calls merchants of further cells.
CREATE TABLE cell_merchants (
  merchant_id uuid PRIMARY KEY,
  name text NOT NULL
);

-- Merchants on their way, for the gateways: HOLDING, requests wait until holds_until; SWITCHED, they go to to_cell.
CREATE TABLE cell_moves (
  merchant_id uuid PRIMARY KEY,
  -- Of this run of the mover.
  move_id uuid NOT NULL,
  from_cell text NOT NULL,
  to_cell text NOT NULL,
  state text NOT NULL CHECK (state IN ('COPYING', 'HOLDING', 'SWITCHED', 'DONE')),
  holds_until timestamptz,
  began_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL
);
CREATE INDEX cell_moves_changed ON cell_moves (changed_at);

-- In each cell: merchants that leave it or come to it. Triggers that exist only meanwhile check each write against it.
CREATE TABLE moving_merchants (
  merchant_id uuid PRIMARY KEY,
  move_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('COPYING', 'DRAINING', 'STOPPED', 'GONE', 'ARRIVING')),
  -- STOPPED ends by itself then, so that a mover that died stops nobody for long.
  stopped_until timestamptz
);
-- Rows of these merchants that were written while they were copied.
CREATE TABLE moving_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  merchant_id uuid NOT NULL,
  table_name text NOT NULL,
  row_key jsonb NOT NULL
);
-- Which cell this schema is, of the installation whose key of digests it has; no row where there is one cell.
CREATE TABLE this_cell (
  name text NOT NULL,
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
);
