-- Oldest program: 0.1.0
-- Four eyes: what one person asked for and another has to approve. The request never changes.
CREATE TABLE approvals (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL
    CHECK (kind IN ('REFUND', 'SETTLEMENT_COMPLETE', 'SETTLEMENT_FAIL', 'REVIEW_RESOLVE', 'LIVE_KEY', 'BANK_ACCOUNT')),
  status text NOT NULL
    CHECK (status IN ('PENDING', 'APPROVED', 'DONE', 'FAILED', 'REJECTED', 'CANCELLED', 'EXPIRED')),
  -- What it is about: the payment, settlement or review item; of a key the merchant.
  subject_id uuid NOT NULL,
  -- What of the subject must not have changed until the approval.
  subject_state text NOT NULL,
  -- Canonical JSON.
  request text NOT NULL,
  asked_by uuid NOT NULL,
  -- Lower case, without +tag. Gone with the person, as is the identity.
  asked_mailbox text,
  -- Issuer and subject of a single sign-on.
  asked_identity text,
  asked_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  decided_by uuid,
  decided_at timestamptz,
  -- Of an approved one: when its effect is tried again, or the end of the lease.
  due_at timestamptz,
  ended_at timestamptz,
  -- What came of it: the refund, or the key.
  result_id uuid,
  -- Why it is FAILED, as a code.
  failure text,
  PRIMARY KEY (tenant_id, id),
  CHECK ((status = 'APPROVED') = (due_at IS NOT NULL)),
  CHECK ((status IN ('PENDING', 'APPROVED')) = (ended_at IS NULL))
);

-- What waits: for the worker, which goes by time, and for the list of a tenant.
CREATE INDEX approvals_due ON approvals (due_at) WHERE status = 'APPROVED';
CREATE INDEX approvals_expiring ON approvals (expires_at) WHERE status = 'PENDING';
CREATE INDEX approvals_of_tenant ON approvals (tenant_id, asked_at DESC, id DESC);
