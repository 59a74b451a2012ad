-- Oldest program: 0.1.0
-- Personal data: who may read phones, and what has been erased or is going to be.

-- Keys of before go on reading phones.
UPDATE api_keys SET permissions = array_append(permissions, 'phones:read')
WHERE NOT 'phones:read' = ANY (permissions);

-- Persons who have asked to be forgotten. The digest is keyed: it tells nobody the phone, and finds it again
-- in a backup that was made before.
CREATE TABLE erasures (
  id uuid PRIMARY KEY,
  -- Names the secret key that the digest is made with.
  key_id bytea NOT NULL,
  phone_digest bytea NOT NULL,
  -- What was there at this instant is meant; what comes later has come with a new consent.
  requested_at timestamptz NOT NULL,
  -- When everything had been looked through; null while that is to be done, as after a restore.
  applied_at timestamptz
);

-- Payments whose personal data go when nothing needs them any more; the row is the job.
CREATE TABLE erasing_payments (
  tenant_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  -- Null: nobody has asked, they are old.
  erasure_id uuid,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, payment_id)
);
CREATE INDEX erasing_payments_due ON erasing_payments (due_at);

-- How far the retention of personal data has come in each tenant, so that nothing is looked at twice.
CREATE TABLE personal_data_walks (
  tenant_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('PAYMENTS', 'SESSIONS', 'EVENTS')),
  through uuid NOT NULL,
  PRIMARY KEY (tenant_id, kind)
);
