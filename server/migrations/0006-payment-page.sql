-- How a merchant looks on the payment page, and the attempts on one phone.

ALTER TABLE merchants
  -- What customers know the shop by; without it, the merchant's name.
  ADD COLUMN brand_name text,
  ADD COLUMN brand_colour text CHECK (brand_colour ~ '^#[0-9a-f]{6}$'),
  ADD COLUMN brand_logo bytea,
  ADD COLUMN brand_logo_type text CHECK (brand_logo_type IN ('image/svg+xml', 'image/png')),
  ADD CHECK ((brand_logo IS NULL) = (brand_logo_type IS NULL));

-- Only attempts on the payment page are in it, so payments over the API do not pay for it.
CREATE INDEX payments_attempts_of_phone ON payments (tenant_id, operator_phone, created_at)
  WHERE checkout_session_id IS NOT NULL;
