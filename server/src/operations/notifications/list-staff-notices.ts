import type { NoticeKind } from '../../platform/notices/notice.ts';
import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { NoticeScope } from './audience.ts';
import { type StaffNotice, staffNoticeColumns } from './notice-view.ts';

interface ToldFilter {
  kind?: NoticeKind | undefined;
  merchantId?: string | undefined;
  /** True: only ended notices. False: only ongoing ones. */
  isEnded?: boolean | undefined;
}

/**
 * Lists the staff's notices of the kinds in a scope, newest first. The statement reads at most a page of each kind;
 * one row above the limit shows whether more exist.
 */
export function listToldToStaff(
  database: Queryable,
  { kinds, approvals }: NoticeScope,
  { kind, merchantId, isEnded }: ToldFilter,
  { limit, startingAfter }: { limit: number; startingAfter: string | undefined },
): Promise<StaffNotice[]> {
  const asked = new Conditions([kinds, approvals, limit + 1]);
  asked.where('n.kind = ?', kind);
  asked.where('n.tenant_id IN (SELECT id FROM tenants WHERE merchant_id = ?)', merchantId);
  asked.where('(n.ended_at IS NOT NULL) = ?', isEnded);
  asked.where('n.id < ?', startingAfter);
  const text = `
SELECT ${staffNoticeColumns}
FROM unnest($1::text[]) AS heard (kind) CROSS JOIN LATERAL (
  SELECT * FROM notices n
  WHERE n.kind = heard.kind AND n.staff_told_at IS NOT NULL
    AND (n.kind <> 'APPROVAL_ASKED' OR n.detail ->> 'approval' = ANY ($2::text[]))
    AND ${asked.text}
  ORDER BY n.id DESC LIMIT $3
) n
LEFT JOIN tenants t ON t.id = n.tenant_id
ORDER BY n.id DESC LIMIT $3`;
  return database.query<StaffNotice>({ text }, asked.values);
}
