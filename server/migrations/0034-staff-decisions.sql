-- Oldest program: 0.1.0
-- Closing a review may need a second person, as resolving it does.
ALTER TABLE approvals DROP CONSTRAINT approvals_kind_check;
ALTER TABLE approvals ADD CONSTRAINT approvals_kind_check CHECK (kind IN ('REFUND', 'SETTLEMENT_COMPLETE',
  'SETTLEMENT_FAIL', 'REVIEW_RESOLVE', 'REVIEW_CLOSE', 'LIVE_KEY', 'BANK_ACCOUNT'));

-- How often the effect of an approved one was tried in vain.
ALTER TABLE approvals ADD COLUMN try_count integer NOT NULL DEFAULT 0;
-- Why the last try went wrong; of a DONE one, what a person must see to, as a code.
ALTER TABLE approvals ADD COLUMN remark text;

-- What the staff decide: lists of all tenants, of which only a page is read.
CREATE INDEX approvals_of_kind ON approvals (kind, asked_at DESC, id DESC);
CREATE INDEX approvals_open ON approvals (kind, asked_at, id) WHERE status IN ('PENDING', 'APPROVED');
CREATE INDEX settlements_of_all ON settlements (id);
CREATE INDEX settlements_of_all_by_status ON settlements (status, id);
CREATE INDEX reversals_of_all ON reversals (created_at, id);
CREATE INDEX reversals_open ON reversals (created_at, id) WHERE status <> 'SUCCEEDED';
CREATE INDEX refunds_late ON refunds (updated_at, id) WHERE status = 'FAILED' AND operator_refund_id IS NOT NULL;
CREATE INDEX review_items_of_all ON review_items (id);
