-- Oldest program: 0.1.0
-- The short address of a payment link: `/l/` and the code in base32. Links made by older programs get theirs when
-- somebody first asks for it.
CREATE TABLE short_links (
  tenant_id uuid NOT NULL,
  payment_link_id uuid NOT NULL,
  -- 128 random bits. Its index has no tenant, because the address names none.
  code uuid NOT NULL,
  PRIMARY KEY (tenant_id, payment_link_id)
);
CREATE UNIQUE INDEX short_links_code ON short_links (code);

-- The sessions that a payment link made, to show who paid by it. Written with the session.
CREATE TABLE payment_link_uses (
  tenant_id uuid NOT NULL,
  payment_link_id uuid NOT NULL,
  session_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, payment_link_id, session_id)
);
