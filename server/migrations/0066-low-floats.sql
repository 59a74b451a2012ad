-- Oldest program: 0.1.0
-- FLOAT_LOW: our account at an operator holds too little for the disbursements through it.
ALTER TABLE notices DROP CONSTRAINT notices_kind_check;
ALTER TABLE notices ADD CONSTRAINT notices_kind_check CHECK (kind IN ('ENDPOINT_DISABLED', 'SETTLEMENT_FAILED',
  'REVIEW_WAITING', 'APPROVAL_ASKED', 'OPERATOR_DOWN', 'BALANCE_WRONG', 'BANK_ACCOUNT_CHANGED', 'ALERT', 'FLOAT_LOW'))
  NOT VALID;
