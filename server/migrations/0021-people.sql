-- Oldest program: 0.1.0
-- People who work in the console: who they are, how they sign in, and where they may do what.
CREATE TABLE people (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  language text NOT NULL CHECK (language IN ('pt', 'en')),
  -- As a PHC string. Null: signs in with passkeys only.
  password_hash text,
  -- The secret of one-time codes. A password is of no use without it.
  totp_box bytea,
  -- The step of the last code that was taken, so that each works once.
  totp_last_step bigint,
  created_at timestamptz NOT NULL,
  disabled_at timestamptz,
  CHECK (password_hash IS NULL OR totp_box IS NOT NULL)
);
CREATE UNIQUE INDEX people_email ON people (lower(email));

CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  credential_id bytea NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX passkeys_person ON passkeys (person_id);

-- For whoever has lost the device with the one-time codes.
CREATE TABLE recovery_codes (
  person_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (person_id, code_hash)
);

CREATE TABLE memberships (
  merchant_id uuid NOT NULL,
  person_id uuid NOT NULL,
  role text NOT NULL CHECK (role IN ('OWNER', 'FINANCE', 'SUPPORT', 'DEVELOPER', 'VIEWER')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, person_id)
);
CREATE INDEX memberships_person ON memberships (person_id);

-- Links that let somebody in once: to a merchant, back into a lost account, or at the first start.
CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('INVITATION', 'RESET', 'FIRST')),
  -- Of a RESET they are null.
  merchant_id uuid,
  role text CHECK (role IN ('OWNER', 'FINANCE', 'SUPPORT', 'DEVELOPER', 'VIEWER')),
  email text NOT NULL,
  -- Who invited, as the audit log names them.
  invited_by text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz,
  CHECK ((kind = 'RESET') = (merchant_id IS NULL) AND (merchant_id IS NULL) = (role IS NULL))
);
CREATE INDEX invitations_merchant ON invitations (merchant_id, id);
CREATE INDEX invitations_expiry ON invitations (expires_at);

CREATE TABLE person_sessions (
  -- SHA-256 of the token in the cookie: who reads this table is not signed in.
  token_hash bytea PRIMARY KEY,
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  -- When they last proved who they are.
  reauthenticated_at timestamptz NOT NULL,
  signed_in_with text NOT NULL
    CHECK (signed_in_with IN ('PASSKEY', 'PASSWORD', 'RECOVERY_CODE', 'INVITATION', 'FIRST_LINK')),
  address text,
  user_agent text,
  ended_at timestamptz
);
CREATE INDEX person_sessions_person ON person_sessions (person_id, id);
CREATE INDEX person_sessions_created ON person_sessions (created_at);

-- Challenges of passkeys are signed, not stored; one that was answered comes here, so that it works once.
CREATE TABLE used_challenges (
  challenge bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_challenges_expiry ON used_challenges (expires_at);

-- Tries to sign in with a password, by a keyed digest of the e-mail: also of e-mails that nobody has.
CREATE TABLE sign_in_tries (
  account_digest bytea PRIMARY KEY,
  tries integer NOT NULL,
  next_at timestamptz NOT NULL,
  forgotten_at timestamptz NOT NULL
);
CREATE INDEX sign_in_tries_forgotten ON sign_in_tries (forgotten_at);
