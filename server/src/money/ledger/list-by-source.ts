import { rowsQuery } from '../../platform/postgres/query.ts';
import { idsOfTenant } from '../../platform/postgres/tenant-ids.ts';
import type { Posting } from './postings.ts';

/** The postings of a payment and of its refunds and reversals, oldest first. */
export const postingsOf = rowsQuery<Posting, [tenantId: string, sourceIds: readonly string[]]>({
  name: 'postings.of_sources',
  text: `
SELECT tenant_id AS "tenantId", source_id AS "sourceId", kind, from_account AS "from", to_account AS "to",
  currency, amount_minor AS "amountMinor", created_at AS "createdAtMs"
FROM postings JOIN ${idsOfTenant('$1', '$2')}
  ON tenant_id = wanted_tenant_id AND source_id = wanted_id
ORDER BY created_at, source_id, kind`,
});
