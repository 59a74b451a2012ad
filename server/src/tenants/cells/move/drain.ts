import type { Queryable } from '../../../platform/postgres/database.ts';
import type { Owner } from './catalog.ts';

/** Requests to operators that may be under way: their intent is committed before, together with a lease. */
const underWayText = `
SELECT count(*)::integer AS count FROM (
  SELECT FROM payments WHERE tenant_id = ANY ($1::uuid[]) AND due_at > clock_timestamp()
    AND status = 'OPERATOR_PENDING' AND sent_at > clock_timestamp() - $2 * interval '1 millisecond'
  UNION ALL
  SELECT FROM refunds WHERE tenant_id = ANY ($1::uuid[]) AND due_at > clock_timestamp()
    AND status = 'PROCESSING' AND sent_at > clock_timestamp() - $2 * interval '1 millisecond'
  UNION ALL
  SELECT FROM reversals WHERE tenant_id = ANY ($1::uuid[]) AND due_at > clock_timestamp()
    AND status = 'PROCESSING' AND sent_at > clock_timestamp() - $2 * interval '1 millisecond'
  UNION ALL
  SELECT FROM settlements WHERE tenant_id = ANY ($1::uuid[]) AND due_at > clock_timestamp()
    AND status = 'PROCESSING' AND payout_error IS NULL
) AS under_way`;

/** @param callMs how long a request may take, from its commit to its answer */
export async function callsUnderWay(
  source: Queryable,
  { tenantIds }: Owner,
  callMs: number,
): Promise<number> {
  const values = [tenantIds, callMs];
  return (await source.query<{ count: number }>({ text: underWayText }, values))[0]!.count;
}
