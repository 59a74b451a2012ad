-- Oldest program: 0.1.0
-- Links that are paid again and again: each use makes a checkout session.
CREATE TABLE payment_links (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  description text NOT NULL,
  product_id uuid,
  amount_minor bigint CHECK (amount_minor > 0),
  min_amount_minor bigint CHECK (min_amount_minor > 0),
  max_amount_minor bigint,
  currency text NOT NULL,
  return_url text,
  completion_url text,
  metadata text,
  active boolean NOT NULL,
  uses integer NOT NULL,
  max_uses integer CHECK (max_uses > 0),
  expires_at timestamptz,
  created_by_key uuid,
  idempotency_key text,
  request_hash bytea,
  -- What a repetition of the request is answered with, since a link can be changed.
  original_answer text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  -- A product at its price, a fixed amount, or one that the customer chooses within bounds.
  CHECK ((product_id IS NOT NULL)::integer + (amount_minor IS NOT NULL)::integer + (min_amount_minor IS NOT NULL)::integer = 1),
  CHECK ((min_amount_minor IS NULL) = (max_amount_minor IS NULL) AND min_amount_minor <= max_amount_minor),
  CHECK (max_uses IS NULL OR uses <= max_uses)
);
CREATE UNIQUE INDEX payment_links_idempotency_key ON payment_links (tenant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
