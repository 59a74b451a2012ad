-- Oldest program: 0.1.0
-- Cashiers, roles that owners put together, and PINs on shared phones.
CREATE TABLE merchant_roles (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  permissions text[] NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, id)
);
CREATE UNIQUE INDEX merchant_roles_name ON merchant_roles (merchant_id, lower(name));

-- A member with the role CUSTOM has the permissions of a merchant's own role; older programs grant them nothing.
ALTER TABLE memberships ADD COLUMN role_id uuid;
ALTER TABLE memberships DROP CONSTRAINT memberships_role_check;
ALTER TABLE memberships ADD CONSTRAINT memberships_role_check CHECK (
  role IN ('OWNER', 'FINANCE', 'SUPPORT', 'DEVELOPER', 'VIEWER', 'CASHIER', 'CUSTOM')
  AND (role = 'CUSTOM') = (role_id IS NOT NULL)
);

-- People who joined by a QR code have no e-mail. They are cashiers, and sign in with a PIN or a passkey.
ALTER TABLE people ALTER COLUMN email DROP NOT NULL;
-- Like password_hash, as a PHC string.
ALTER TABLE people ADD COLUMN pin_hash text;
-- Tries since the last right PIN or full sign-in; null in the copies that cells have.
ALTER TABLE people ADD COLUMN pin_tries integer DEFAULT 0;

-- Null: the link is in a QR code, for somebody without e-mail.
ALTER TABLE invitations ALTER COLUMN email DROP NOT NULL;
ALTER TABLE invitations ADD COLUMN role_id uuid;
-- The member without e-mail who chooses a new PIN by the QR code.
ALTER TABLE invitations ADD COLUMN person_id uuid;
ALTER TABLE invitations DROP CONSTRAINT invitations_role_check;
ALTER TABLE invitations ADD CONSTRAINT invitations_role_check CHECK (
  role IN ('OWNER', 'FINANCE', 'SUPPORT', 'DEVELOPER', 'VIEWER', 'CASHIER', 'CUSTOM')
  AND (role = 'CUSTOM') = (role_id IS NOT NULL)
);
ALTER TABLE invitations ADD CONSTRAINT invitations_qr_check CHECK (
  email IS NOT NULL OR (kind = 'INVITATION' AND role = 'CASHIER' AND merchant_id IS NOT NULL)
);
ALTER TABLE invitations ADD CONSTRAINT invitations_person_check CHECK (person_id IS NULL OR email IS NULL);

-- Phones that several people of a shop share.
CREATE TABLE till_devices (
  -- SHA-256 of the token in the cookie: who reads this table has no till.
  token_hash bytea PRIMARY KEY,
  id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  enrolled_by uuid NOT NULL,
  -- What the browser calls itself.
  label text NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX till_devices_merchant ON till_devices (merchant_id, id);
CREATE INDEX till_devices_person ON till_devices (enrolled_by);

-- Of a session by PIN: the phone on which it began, and whose end ends it.
ALTER TABLE person_sessions ADD COLUMN till_device_id uuid;
ALTER TABLE person_sessions DROP CONSTRAINT person_sessions_signed_in_with_check;
ALTER TABLE person_sessions ADD CONSTRAINT person_sessions_signed_in_with_check CHECK (
  signed_in_with IN ('PASSKEY', 'PASSWORD', 'RECOVERY_CODE', 'INVITATION', 'FIRST_LINK', 'SSO', 'PIN')
  AND (signed_in_with = 'PIN') = (till_device_id IS NOT NULL)
);
CREATE INDEX person_sessions_till ON person_sessions (till_device_id) WHERE till_device_id IS NOT NULL;
