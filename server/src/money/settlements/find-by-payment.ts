import { rowQuery } from '../../platform/postgres/query.ts';
import type { Settlement } from './settlement.ts';

/** The settlement that includes a payment; undefined if there is none, or if it has failed. */
export const findSettlementOf = rowQuery<
  Pick<Settlement, 'id' | 'status' | 'createdAtMs' | 'completedAtMs'>,
  [tenantId: string, paymentId: string]
>({
  name: 'settlements.of_payment',
  text: `
SELECT s.id, s.status, s.created_at AS "createdAtMs", s.completed_at AS "completedAtMs"
FROM postings o
JOIN settlement_periods sp
  ON sp.tenant_id = o.tenant_id AND sp.currency = o.currency AND sp.period = o.period
JOIN settlements s ON s.tenant_id = sp.tenant_id AND s.id = sp.settlement_id
WHERE o.tenant_id = $1 AND o.source_id = $2 AND o.kind = 'debit_net'`,
});
