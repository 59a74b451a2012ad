-- Oldest program: 0.1.0
-- The operator's transactions by which money went out to a customer, each booked once. operator_transactions has
-- those by which it came in; it stays as it is, since an operator may number both alike, and older programs take
-- every row there for a debit (docs/decisions/0019).
CREATE TABLE outgoing_transactions (
  operator text NOT NULL,
  -- Our account there; '' where it was booked before this table was there, and then it is that of any.
  account text NOT NULL,
  operator_tx_id text NOT NULL,
  tenant_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('REFUND', 'REVERSAL', 'DISBURSEMENT')),
  -- The refund or reversal.
  subject_id uuid NOT NULL,
  PRIMARY KEY (operator, account, operator_tx_id)
);
CREATE INDEX outgoing_transactions_subject ON outgoing_transactions (tenant_id, subject_id);

-- That its transaction was entered there, or was found to be another's and listed; programs of before leave it false.
ALTER TABLE refunds ADD COLUMN transaction_entered boolean NOT NULL DEFAULT false;
ALTER TABLE reversals ADD COLUMN transaction_entered boolean NOT NULL DEFAULT false;

-- Rows that are there obey the narrower rules of before, so none of them is read.
ALTER TABLE operator_callbacks DROP CONSTRAINT operator_callbacks_kind_check;
ALTER TABLE operator_callbacks ADD CONSTRAINT operator_callbacks_kind_check
  CHECK (kind IN ('DEBIT', 'REFUND', 'REVERSAL', 'DISBURSEMENT')) NOT VALID;
ALTER TABLE simulator_transactions DROP CONSTRAINT simulator_transactions_kind_check;
ALTER TABLE simulator_transactions ADD CONSTRAINT simulator_transactions_kind_check
  CHECK (kind IN ('DEBIT', 'REVERSAL', 'REFUND', 'DISBURSEMENT')) NOT VALID;
ALTER TABLE approvals DROP CONSTRAINT approvals_kind_check;
ALTER TABLE approvals ADD CONSTRAINT approvals_kind_check CHECK (kind IN ('REFUND', 'SETTLEMENT_COMPLETE',
  'SETTLEMENT_FAIL', 'REVIEW_RESOLVE', 'REVIEW_CLOSE', 'LIVE_KEY', 'BANK_ACCOUNT',
  'DISBURSEMENT', 'DISBURSEMENT_BATCH', 'TOP_UP')) NOT VALID;

-- MISMATCH: a success that is not what we asked for. UNKNOWN_RETURN: the operator gave back of a payment, and our
-- records know no refund of it; what it gave back stays reserved until a person closes the item.
ALTER TABLE review_items DROP CONSTRAINT review_items_kind_check;
ALTER TABLE review_items ADD CONSTRAINT review_items_kind_check CHECK (kind IN ('UNCLEAR', 'CLASH', 'CONTRADICTION',
  'UNKNOWN_REFERENCE', 'MISMATCH', 'UNKNOWN_RETURN')) NOT VALID;
ALTER TABLE review_items DROP CONSTRAINT review_items_subject_kind_check;
ALTER TABLE review_items ADD CONSTRAINT review_items_subject_kind_check
  CHECK (subject_kind IN ('PAYMENT', 'REFUND', 'REVERSAL', 'DISBURSEMENT')) NOT VALID;
ALTER TABLE review_items ADD COLUMN reserved_minor bigint;
ALTER TABLE review_items ADD CONSTRAINT review_items_reserved_minor CHECK (reserved_minor > 0) NOT VALID;
