-- Oldest program: 0.1.0
-- How much settlements leave in a merchant's balance, in minor units by currency: {"CVE": "100000"}.
ALTER TABLE merchants ADD COLUMN keep_balances jsonb NOT NULL DEFAULT '{}';

-- What a settlement left, which counts as disbursed in it and as come back in the next one.
ALTER TABLE settlements ADD COLUMN kept_minor bigint NOT NULL DEFAULT 0;
ALTER TABLE settlements ADD CONSTRAINT settlements_kept_minor CHECK (kept_minor >= 0) NOT VALID;
