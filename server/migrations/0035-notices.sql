-- Oldest program: 0.1.0
-- What people must hear of, who is to hear it, and the mails that tell them.
CREATE TABLE notices (
  -- Begins with the instant.
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('ENDPOINT_DISABLED', 'SETTLEMENT_FAILED', 'REVIEW_WAITING',
    'APPROVAL_ASKED', 'OPERATOR_DOWN', 'BALANCE_WRONG')),
  -- Whom it is about; null: the whole gateway.
  tenant_id uuid,
  -- The UUID of the endpoint, settlement, review item or approval; the operator; what of the balances.
  subject text NOT NULL,
  detail jsonb NOT NULL,
  -- Grows when it is over, and when it comes again.
  version integer NOT NULL DEFAULT 1,
  at timestamptz NOT NULL,
  -- When it was last seen.
  last_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- When it was decided who hears of it, and when they did: the members of the merchant, and the staff.
  told_at timestamptz,
  merchant_told_at timestamptz,
  staff_told_at timestamptz,
  -- How many others of its kind are only counted here.
  merchant_more integer NOT NULL DEFAULT 0,
  staff_more integer NOT NULL DEFAULT 0,
  -- The company's webhook: when to try, which version it has, how often it failed since.
  post_due_at timestamptz,
  posted_version integer,
  post_failures integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX notices_open ON notices (kind, subject, tenant_id) NULLS NOT DISTINCT WHERE ended_at IS NULL;
CREATE INDEX notices_subject ON notices (subject, kind, id);
CREATE INDEX notices_untold ON notices (id) WHERE told_at IS NULL;
CREATE INDEX notices_told_merchant ON notices (tenant_id, kind, merchant_told_at) WHERE merchant_told_at IS NOT NULL;
CREATE INDEX notices_told_staff ON notices (kind, staff_told_at) WHERE staff_told_at IS NOT NULL;
CREATE INDEX notices_posts ON notices (post_due_at) WHERE post_due_at IS NOT NULL;

CREATE TABLE notice_recipients (
  person_id uuid NOT NULL,
  -- On whose pages it stands.
  place text NOT NULL CHECK (place IN ('MERCHANT', 'STAFF')),
  notice_id uuid NOT NULL,
  tenant_id uuid,
  kind text NOT NULL,
  read_at timestamptz,
  -- When it may go into a mail; null: it does not, or has.
  mail_due_at timestamptz,
  mail_id uuid,
  PRIMARY KEY (person_id, place, notice_id),
  CHECK (place = 'STAFF' OR tenant_id IS NOT NULL)
);
CREATE INDEX notice_recipients_list ON notice_recipients (person_id, place, tenant_id, notice_id);
CREATE INDEX notice_recipients_unread ON notice_recipients (person_id, place, tenant_id) WHERE read_at IS NULL;
CREATE INDEX notice_recipients_notice ON notice_recipients (notice_id);
CREATE INDEX notice_recipients_mail_due ON notice_recipients (mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE INDEX notice_recipients_mail ON notice_recipients (mail_id) WHERE mail_id IS NOT NULL;

-- One message to one person. What it says is decided when it is sent.
CREATE TABLE notice_mails (
  -- Begins with the instant, and makes the Message-ID.
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'SENT', 'DROPPED', 'FAILED')),
  -- When it is tried, or the end of the lease.
  due_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  -- Whether a mail server may have it already.
  is_uncertain boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- Why it could not be sent last.
  error text,
  CHECK ((status = 'PENDING') = (due_at IS NOT NULL)),
  CHECK ((status = 'PENDING') = (ended_at IS NULL))
);
CREATE INDEX notice_mails_due ON notice_mails (due_at) WHERE status = 'PENDING';
CREATE INDEX notice_mails_person ON notice_mails (person_id);

-- What a person has chosen; without a row all is as usual.
CREATE TABLE notice_settings (
  person_id uuid PRIMARY KEY,
  -- By kind: NOTHING, CONSOLE, MAIL, or MAIL_ALWAYS, which quiet hours do not hold up.
  choices jsonb NOT NULL,
  -- Minutes of the day in the time zone; null: no quiet hours.
  quiet_from integer CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_until integer CHECK (quiet_until BETWEEN 0 AND 1439),
  time_zone text NOT NULL,
  CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
);
