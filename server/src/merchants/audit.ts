import type { Clock } from '../platform/clock.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import type { Ids } from '../platform/ids.ts';

/** Who does something, and with what. */
export interface Administration {
  clock: Clock;
  ids: Ids;
  /** For the audit records; for example `cli:maria`. Without one it was the gateway itself. */
  actor?: string;
}

export interface AuditRecord {
  tenantId: string | null;
  action:
    | 'merchant.created'
    | 'merchant.branded'
    | 'api_key.issued'
    | 'api_key.revoked'
    | 'api_keys.listed'
    | 'payment.resolved'
    | 'refund.resolved'
    | 'reversal.resolved'
    | 'review.closed'
    | 'operators.recovered'
    | 'settlement.completed'
    | 'settlement.failed'
    | 'secrets.reencrypted'
    | 'person.exported'
    | 'person.erased';
  /** The id of what it was done to, as people see it. */
  subject: string;
  detail: Record<string, unknown>;
}

/** Keeps who did what and when; written in the transaction of what it tells of. */
export async function writeAuditRecord(
  database: Queryable,
  { clock, ids, actor = 'gateway' }: Administration,
  { tenantId, action, subject, detail }: AuditRecord,
): Promise<void> {
  const nowMs = clock.nowMs();
  await database.query(
    {
      text: `INSERT INTO audit_records (id, tenant_id, at, actor, action, subject, detail)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    },
    [ids.next(nowMs), tenantId, timestamp(nowMs), actor, action, subject, JSON.stringify(detail)],
  );
}
