import { derivedUuid, firstUuidAt } from '../values/ids.ts';
import type { AlertName } from './alert-rules.ts';

/** What somebody must hear of; docs/notices.md says who gets what. */
export const noticeKinds = [
  'ENDPOINT_DISABLED',
  'SETTLEMENT_FAILED',
  'REVIEW_WAITING',
  'APPROVAL_ASKED',
  'OPERATOR_DOWN',
  'BALANCE_WRONG',
  'BANK_ACCOUNT_CHANGED',
  'ALERT',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** What each kind says of its cause: codes and ids, never a phone, an address or a secret. */
export interface NoticeDetails {
  ENDPOINT_DISABLED: { reason: string };
  SETTLEMENT_FAILED: Record<string, never>;
  REVIEW_WAITING: { review: string; operator: string };
  APPROVAL_ASKED: { approval: string };
  OPERATOR_DOWN: Record<string, never>;
  BALANCE_WRONG: { what: 'IMBALANCE' | 'SUSPENSE_MISSING'; currency: string };
  BANK_ACCOUNT_CHANGED: { currency: string };
  /** `of`: which operator, currency or kind of work; empty where there is only one. */
  ALERT: { alert: AlertName; of: string };
}

/** What has happened, or was seen, as its cause writes it down. */
export type NewNotice<Kind extends NoticeKind = NoticeKind> = {
  [Each in Kind]: {
    kind: Each;
    /** Null: of the whole gateway. */
    tenantId: string | null;
    /** The UUID of what it is about, or the name of an operator. */
    subject: string;
    detail: NoticeDetails[Each];
    atMs: number;
  };
}[Kind];

/** What does not last: it is over as it happens, and nobody waits for its end. */
const moments: readonly NoticeKind[] = ['SETTLEMENT_FAILED', 'BANK_ACCOUNT_CHANGED'];

/** What is so until it was not seen for a while; the others end with what they are about. */
export const observedKinds: readonly NoticeKind[] = ['OPERATOR_DOWN', 'BALANCE_WRONG', 'ALERT'];

export const isMoment = (kind: NoticeKind) => moments.includes(kind);

/** Until then what comes again is the same notice. */
export const sameWithinMs = 3_600_000;

/** Begins with the instant, as all ids do; the rest follows from what it is about. */
export function noticeIdOf({ kind, tenantId, subject, atMs }: Omit<NewNotice, 'detail'>): string {
  const own = derivedUuid(tenantId ?? firstUuidAt(0), `notice ${kind} ${subject} ${atMs}`);
  return `${firstUuidAt(atMs).slice(0, 14)}7${own.slice(15)}`;
}
