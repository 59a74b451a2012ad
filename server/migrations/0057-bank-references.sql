-- Oldest program: 0.1.0
-- The bank's own reference of a payout, which people record or a bank statement tells.
ALTER TABLE settlements ADD COLUMN bank_reference text;
ALTER TABLE settlements ADD CONSTRAINT settlements_bank_reference CHECK (length(bank_reference) <= 140);
