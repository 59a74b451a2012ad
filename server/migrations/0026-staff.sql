-- Oldest program: 0.1.0
-- The staff of the gateway: people of the company that runs it, and the keys of /admin/v1.
CREATE TABLE staff (
  person_id uuid PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('ADMIN', 'OPERATIONS', 'FINANCE', 'AUDITOR')),
  created_at timestamptz NOT NULL
);

-- An invitation leads to a merchant or to the staff; a RESET to neither.
ALTER TABLE invitations ADD COLUMN staff_role text
  CHECK (staff_role IN ('ADMIN', 'OPERATIONS', 'FINANCE', 'AUDITOR'));
ALTER TABLE invitations DROP CONSTRAINT invitations_check;
ALTER TABLE invitations ADD CONSTRAINT invitations_leads_somewhere CHECK (
  (merchant_id IS NULL) = (role IS NULL)
  AND (kind = 'RESET') = (merchant_id IS NULL AND staff_role IS NULL)
  AND NOT (merchant_id IS NOT NULL AND staff_role IS NOT NULL)
);

CREATE TABLE admin_keys (
  id uuid PRIMARY KEY,
  label text NOT NULL,
  -- SHA-256: who reads this table can call nothing.
  key_hash bytea NOT NULL UNIQUE,
  last4 text NOT NULL,
  permissions text[] NOT NULL,
  allowed_addresses text[] NOT NULL,
  -- Who made it, as the audit log names them.
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
