-- Oldest program: 0.1.0
-- Single sign-on: who a person is at the provider of OpenID Connect.
CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  -- One identity never belongs to two accounts.
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_person ON identities (person_id);

ALTER TABLE person_sessions DROP CONSTRAINT person_sessions_signed_in_with_check;
ALTER TABLE person_sessions ADD CONSTRAINT person_sessions_signed_in_with_check CHECK (
  signed_in_with IN ('PASSKEY', 'PASSWORD', 'RECOVERY_CODE', 'INVITATION', 'FIRST_LINK', 'SSO')
);

-- Of a session that the provider vouches for. All are null otherwise.
ALTER TABLE person_sessions
  ADD COLUMN sso_issuer text,
  ADD COLUMN sso_subject text,
  -- Its session at the provider, where it tells.
  ADD COLUMN sso_sid text,
  -- The token that the provider is asked with whether the person is still there; encrypted, and gone with the session.
  ADD COLUMN sso_box bytea,
  ADD COLUMN sso_asked_at timestamptz,
  -- While a process asks.
  ADD COLUMN sso_asking_until timestamptz,
  -- When the provider last said that the person is still there.
  ADD COLUMN sso_reached_at timestamptz,
  ADD CONSTRAINT person_sessions_sso CHECK (
    (signed_in_with = 'SSO') = (
      sso_issuer IS NOT NULL AND sso_subject IS NOT NULL
      AND sso_asked_at IS NOT NULL AND sso_reached_at IS NOT NULL
    )
  );
CREATE INDEX person_sessions_sso_subject ON person_sessions (sso_subject) WHERE sso_subject IS NOT NULL;
CREATE INDEX person_sessions_sso_sid ON person_sessions (sso_sid) WHERE sso_sid IS NOT NULL;
