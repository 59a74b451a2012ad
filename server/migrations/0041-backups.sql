-- Oldest program: 0.1.0
-- What was backed up, where to, and whether it was tried. A restore empties this table: a restored database neither
-- counts nor deletes what another has made.
CREATE TABLE backups (
  id uuid PRIMARY KEY,
  began_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- BACKUP_TO of that time. Null: a person named the file, and nothing removes it.
  place text,
  -- In that place, or the file that was named.
  name text NOT NULL,
  bytes bigint,
  is_encrypted boolean NOT NULL,
  -- Null: it was not tried.
  verified_at timestamptz,
  -- Why there is none, or it is of no use, in words.
  error text,
  -- When it was removed, being old.
  removed_at timestamptz,
  CHECK (ended_at IS NOT NULL OR (error IS NULL AND bytes IS NULL))
);

CREATE INDEX backups_by_begin ON backups (began_at);
