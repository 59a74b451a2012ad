-- Oldest program: 0.1.0
-- Which person charged at the till, and what was sold. A row is written with its payment, which is made by a person and
-- thus off the hot path.
CREATE TABLE till_charges (
  tenant_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  person_id uuid NOT NULL,
  -- Products with their quantities and prices of the day; null for an amount alone.
  items jsonb,
  PRIMARY KEY (tenant_id, payment_id)
);

-- A day that somebody counted: what the gateway had at that moment, and what the operators' phones showed.
CREATE TABLE till_closings (
  tenant_id uuid NOT NULL,
  -- Begins with the instant of the closing.
  id uuid NOT NULL,
  day date NOT NULL,
  -- Whose charges were counted; null for everybody's.
  person_id uuid,
  closed_by uuid NOT NULL,
  -- By operator and currency.
  lines jsonb NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
