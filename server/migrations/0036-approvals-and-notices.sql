-- Oldest program: 0.1.0
-- What reading approvals needs has a name of its own; keys that could read them may go on.
UPDATE admin_keys SET permissions = permissions || '{approvals.read}'
WHERE 'reviews.read' = ANY (permissions) AND NOT 'approvals.read' = ANY (permissions);

-- What the staff were told, for programs: of each kind no more than a page is read.
CREATE INDEX notices_of_staff ON notices (kind, id) WHERE staff_told_at IS NOT NULL;

-- Where a merchant is paid out to has changed.
ALTER TABLE notices DROP CONSTRAINT notices_kind_check;
ALTER TABLE notices ADD CONSTRAINT notices_kind_check CHECK (kind IN ('ENDPOINT_DISABLED', 'SETTLEMENT_FAILED',
  'REVIEW_WAITING', 'APPROVAL_ASKED', 'OPERATOR_DOWN', 'BALANCE_WRONG', 'BANK_ACCOUNT_CHANGED'));
