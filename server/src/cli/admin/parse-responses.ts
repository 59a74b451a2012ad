import type { viewOf } from '../../backoffice/resolutions/view.ts';
import { minorOf } from '../../integrations/operators/amount.ts';
import type { Waiting } from '../../money/review/open-cases.ts';
import type { ReviewItem, ReviewKind } from '../../money/review/review-item.ts';
import type { ReviewSubject } from '../../money/review/subjects.ts';
import { parseId } from '../../platform/values/ids.ts';
import type { Permission } from '../../tenants/merchants/api-key.ts';
import type { keyView } from '../../tenants/merchants/keys.ts';
import type { ApiKey, Merchant } from '../../tenants/merchants/store.ts';

/**
 * Converts API responses back to domain objects, so that commands print the same over the API and from the database.
 */
export type MerchantView = { id: string; name: string; createdAt: string };
export type KeyView = ReturnType<typeof keyView>;
export type ReviewView = ReturnType<typeof viewOf>;

const msOf = (text: string | null | undefined) => (text == null ? null : Date.parse(text));
const minor = (text: string | null) => (text === null ? null : BigInt(text));

export const merchantOf = ({ id, name, createdAt }: MerchantView): Merchant => ({
  id: parseId('me', id)!,
  name,
  createdAtMs: Date.parse(createdAt),
});

export const keyOf = (view: KeyView): ApiKey => ({
  // The API does not show tenants.
  tenantId: '',
  id: parseId('ak', view.id)!,
  merchantId: parseId('me', view.merchantId)!,
  mode: view.mode,
  last4: view.last4,
  label: view.label,
  permissions: view.permissions as Permission[],
  allowedAddresses: view.allowedAddresses,
  maxPaymentMinor: minor(view.maxPayment),
  maxRefundedPerDayMinor: minor(view.maxRefundedPerDay),
  createdAtMs: Date.parse(view.createdAt),
  expiresAtMs: msOf(view.expiresAt),
  revokedAtMs: msOf(view.revokedAt),
  lastUsedAtMs: msOf(view.lastUsedAt),
  rolledTo: view.rolledTo === null ? null : parseId('ak', view.rolledTo)!,
});

export function waitingOf(view: ReviewView): Waiting {
  const { kind, mode, operator } = view;
  const itemId = parseId('ri', view.id);
  const subject = subjectOf(view);
  const about = {
    tenantId: '',
    subjectKind: view.subject.kind,
    subjectId: view.subject.reference,
    operator,
  };
  const item: ReviewItem | undefined =
    itemId === undefined
      ? undefined
      : {
          ...about,
          id: itemId,
          kind: kind as ReviewKind,
          detail: view.detail ?? {},
          createdAtMs: Date.parse(view.since),
          closedAtMs: msOf(view.closed?.at),
          closedBy: view.closed?.by ?? null,
          reason: view.closed?.reason ?? null,
        };
  const sinceMs = Date.parse(view.since);
  return { ...about, kind, mode, sinceMs, ...(item && { item }), ...(subject && { subject }) };
}

function subjectOf({ subject: view, mode, operator }: ReviewView): ReviewSubject | undefined {
  if (!('merchantId' in view)) return undefined;
  return {
    kind: view.kind,
    tenantId: '',
    id: view.reference,
    paymentId: parseId('pi', view.paymentId)!,
    merchantId: parseId('me', view.merchantId)!,
    merchantName: view.merchantName,
    mode,
    status: view.status,
    amountMinor: minorOf(view.amount)!,
    currency: view.currency,
    operator,
    operatorTxId: view.operatorTxId,
    debitTxId: view.debitTxId,
    phone: view.operatorPhone,
    reason: view.reason,
    failureCode: view.failureCode,
    byHand: view.byHand,
    queryCount: view.queryCount,
    dueAtMs: msOf(view.dueAt),
    sentAtMs: msOf(view.sentAt),
    createdAtMs: Date.parse(view.createdAt),
  };
}
