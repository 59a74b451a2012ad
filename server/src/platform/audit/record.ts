import { type Queryable, timestamp } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';
import type { Ids } from '../values/ids.ts';
import { withoutPhones } from './mask.ts';

/** The actor of a change, and the tool. */
export interface Administration {
  clock: Clock;
  ids: Ids;
  /** The actor in audit records, such as `cli:maria`; without one, the gateway itself. */
  actor?: string;
  /** The origin: an address or a host. */
  origin?: string;
}

/** Who asked for a change through the API, and from where. */
export type Author = Required<Pick<Administration, 'actor' | 'origin'>>;

/** All recorded actions. */
export const auditActions = [
  'merchant.created',
  'merchant.branded',
  'merchant.suspended',
  'merchant.resumed',
  'merchant.terms_changed',
  'merchant.disbursement_terms_changed',
  'merchant.payout_schedule_changed',
  'merchant.bank_account_changed',
  'api_key.issued',
  'api_key.revoked',
  'api_key.rolled',
  'api_keys.listed',
  'admin_key.issued',
  'admin_key.revoked',
  'payment.resolved',
  'refund.created',
  'refund.resolved',
  'disbursement.resolved',
  'reversal.resolved',
  'review.closed',
  'operators.recovered',
  'settlement.completed',
  'settlement.failed',
  'settlement.exported',
  'settlement.order_downloaded',
  'settlement.bank_reference_recorded',
  'bank_statement.uploaded',
  'bank_statement.matched',
  'fee_statement.issued',
  'fee_statement.exported',
  'statement.exported',
  'phone.blocked',
  'phone.allowed',
  'secrets.reencrypted',
  'person.exported',
  'person.erased',
  'audit.exported',
  'database.backed_up',
  'database.restored',
  'ledger.exported',
  'payment.created',
  'payment.cancelled',
  'payments.exported',
  'till.closed',
  'payment.confirmed',
  'disbursement.created',
  'disbursement.cancelled',
  'disbursements.exported',
  'wallet_name.looked_up',
  'disbursement_batch.created',
  'disbursement_batch.cancelled',
  'balance.topped_up',
  'checkout.created',
  'checkout.expired',
  'checkout.settings_changed',
  'product.created',
  'product.changed',
  'product.deleted',
  'payment_link.created',
  'payment_link.changed',
  'settlement.processed',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.redelivered',
  'webhook.tested',
  'person.invited',
  'person.invitation_revoked',
  'person.joined',
  'person.role_changed',
  'person.removed',
  'person.disabled',
  'person.reset',
  'person.signed_in',
  'person.signed_out',
  'person.sign_in_failed',
  'person.reauthenticated',
  'passkey.added',
  'passkey.removed',
  'password.changed',
  'codes.reset',
  'pin.set',
  'pin.removed',
  'pin.failed',
  'till.enrolled',
  'till.revoked',
  'role.created',
  'role.changed',
  'role.deleted',
  'approval.asked',
  'approval.approved',
  'approval.rejected',
  'approval.cancelled',
  'approval.expired',
  'approval.done',
  'approval.failed',
  'identity.linked',
  'identity.unlinked',
  'reconciliation.uploaded',
  'reconciliation.compare_asked',
  'reconciliation.compared',
  'reconciliation.failed',
  'reconciliation.explained',
  'reconciliation.reopened',
  'reconciliation.operator_asked',
  'reconciliation.review_requested',
  'reconciliation.matched',
  'audit.verification_begun',
  'audit.verified',
  'cell.created',
  'cell.moved',
] as const;
export type AuditAction = (typeof auditActions)[number];

export interface AuditRecord {
  tenantId: string | null;
  action: AuditAction;
  /** The public id of the changed object. */
  subject: string;
  /** The values before and after: only values that are not secret and name no customer. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  detail?: Record<string, unknown>;
}

const insertStatement = {
  name: 'audit_records.insert',
  text: `
WITH written AS (
  INSERT INTO audit_records (id, tenant_id, at, actor, origin, action, subject, before, after, detail)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  RETURNING id
)
INSERT INTO audit_unsealed (record_id) SELECT id FROM written`,
};

/** Writes an audit record: who did what and when. It is written in the transaction of the change. */
export async function writeAuditRecord(
  database: Queryable,
  { clock, ids, actor = 'gateway', origin }: Administration,
  { tenantId, action, subject, before, after, detail = {} }: AuditRecord,
): Promise<void> {
  const nowMs = clock.nowMs();
  await database.query(insertStatement, [
    ids.next(nowMs),
    tenantId,
    timestamp(nowMs),
    actor,
    origin ?? null,
    action,
    subject,
    before === undefined ? null : jsonOf(before),
    after === undefined ? null : jsonOf(after),
    jsonOf(detail),
  ]);
}

/** The fields with free text. Ids, digests, amounts and instants are in other fields, and stay unchanged. */
const freeTexts = new Set(['reason', 'label', 'name', 'note', 'description', 'payoutError']);

/** A record is sealed and never changed, so no erasure could take a phone out of it. */
function jsonOf(values: Record<string, unknown>): string {
  return JSON.stringify(values, (field, value) =>
    typeof value === 'string' && freeTexts.has(field) ? withoutPhones(value) : value,
  );
}
