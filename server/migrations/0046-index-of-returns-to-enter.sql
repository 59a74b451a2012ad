-- Oldest program: 0.1.0
-- Concurrently
CREATE INDEX CONCURRENTLY refunds_to_enter ON refunds (tenant_id, id)
  WHERE operator_refund_id IS NOT NULL AND NOT transaction_entered;
CREATE INDEX CONCURRENTLY reversals_to_enter ON reversals (tenant_id, id)
  WHERE operator_reversal_id IS NOT NULL AND NOT transaction_entered;
