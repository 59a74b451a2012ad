-- Oldest program: 0.1.0
-- What of the alert rules holds now, and since when: it is told as a notice once it has held for long enough.
CREATE TABLE alerts (
  rule text NOT NULL,
  -- An operator, a currency, a kind of work; empty where there is only one.
  subject text NOT NULL,
  since timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (rule, subject)
);

-- What a process has counted lately: all together they say how many requests fail.
ALTER TABLE running_processes ADD COLUMN figures jsonb;

ALTER TABLE notices DROP CONSTRAINT notices_kind_check;
ALTER TABLE notices ADD CONSTRAINT notices_kind_check CHECK (kind IN ('ENDPOINT_DISABLED', 'SETTLEMENT_FAILED',
  'REVIEW_WAITING', 'APPROVAL_ASKED', 'OPERATOR_DOWN', 'BALANCE_WRONG', 'BANK_ACCOUNT_CHANGED', 'ALERT'));
-- When those who were told were reminded that it still is so.
ALTER TABLE notices ADD COLUMN reminded_at timestamptz;
-- The mail that waits says that it is over.
ALTER TABLE notice_recipients ADD COLUMN is_over boolean NOT NULL DEFAULT false;
