-- Oldest program: 0.1.0
-- One amount fits bigint, but sums of them need not: a few hundred of the largest checkout sessions
-- would overflow, and with them every further debit of the tenant. These tables are small (a row for
-- each account, currency or settlement), so that rewriting them is quick.
ALTER TABLE balances ALTER COLUMN balance_minor TYPE numeric(39, 0);
ALTER TABLE unsettled
  ALTER COLUMN gross_minor TYPE numeric(39, 0),
  ALTER COLUMN fee_minor TYPE numeric(39, 0),
  ALTER COLUMN refund_minor TYPE numeric(39, 0);
ALTER TABLE settlements
  ALTER COLUMN gross_minor TYPE numeric(39, 0),
  ALTER COLUMN fee_minor TYPE numeric(39, 0),
  ALTER COLUMN refund_minor TYPE numeric(39, 0),
  ALTER COLUMN net_minor TYPE numeric(39, 0);
