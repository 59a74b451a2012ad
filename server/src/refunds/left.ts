import { rowQuery } from '../postgres/query.ts';
import type { Refund } from './refund.ts';

/**
 * What of a payment no refund has taken, in minor units, as it is at this moment: for whoever is about to ask for one.
 * Whether it may be had is decided when it is asked for.
 */
export const findLeft = rowQuery<
  { leftMinor: bigint },
  [tenantId: Refund['tenantId'], paymentId: string]
>({
  name: 'refunds.left',
  text: `
SELECT greatest(amount_minor - refund_reserved_minor - late_refund_minor, 0) AS "leftMinor"
FROM payments WHERE tenant_id = $1 AND id = $2`,
});
