-- Oldest program: 0.1.0
-- From where something was done, and what it changed.
ALTER TABLE audit_records
  ADD COLUMN origin text,
  ADD COLUMN before jsonb,
  ADD COLUMN after jsonb;
CREATE INDEX audit_records_subject ON audit_records (subject, id);

-- What is written, but not sealed yet: a record enters with the transaction that writes it, whenever that
-- commits, so that none is missed however late.
CREATE TABLE audit_unsealed (record_id uuid PRIMARY KEY);
INSERT INTO audit_unsealed (record_id) SELECT id FROM audit_records;

-- Each seal covers some records and the seal before it (docs/decisions/0024).
CREATE TABLE audit_seals (
  number bigint PRIMARY KEY,
  sealed_at timestamptz NOT NULL,
  record_ids uuid[] NOT NULL,
  record_digests bytea[] NOT NULL,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  CHECK (cardinality(record_ids) = cardinality(record_digests))
);

-- Append-only for the gateway, which owns the tables: a right that is taken from an owner does not bind a
-- superuser, and a trigger binds both.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_records_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_records
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
REVOKE UPDATE, DELETE, TRUNCATE ON audit_records, audit_seals FROM CURRENT_USER;
