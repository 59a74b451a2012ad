import { derivedUuid, firstUuidAt } from '../values/ids.ts';
import type { AlertName } from './alert-rules.ts';

/** Kinds of notices; docs/notices.md says who gets what. */
export const noticeKinds = [
  'ENDPOINT_DISABLED',
  'SETTLEMENT_FAILED',
  'REVIEW_WAITING',
  'APPROVAL_ASKED',
  'OPERATOR_DOWN',
  'BALANCE_WRONG',
  'BANK_ACCOUNT_CHANGED',
  'ALERT',
  'FLOAT_LOW',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The details of each kind: codes and ids, never a phone, an address or a secret. */
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
  /** In centavos: what the operator says we have there, what it should be at least, and what disbursements will take. */
  FLOAT_LOW: { currency: string; balance: string; threshold: string; reserved: string };
}

/** An occurrence, as its cause writes it. */
export type NewNotice<Kind extends NoticeKind = NoticeKind> = {
  [Each in Kind]: {
    kind: Each;
    /** Null: the whole gateway. */
    tenantId: string | null;
    /** The UUID of the subject, or the name of an operator. */
    subject: string;
    detail: NoticeDetails[Each];
    atMs: number;
  };
}[Kind];

/** Momentary kinds, which have no end to wait for. */
const moments: readonly NoticeKind[] = ['SETTLEMENT_FAILED', 'BANK_ACCOUNT_CHANGED'];

/** Kinds that end when they were not seen for a while; the others end with their subject. */
export const observedKinds: readonly NoticeKind[] = [
  'OPERATOR_DOWN',
  'BALANCE_WRONG',
  'ALERT',
  'FLOAT_LOW',
];

export const isMoment = (kind: NoticeKind) => moments.includes(kind);

/** Until then, a recurrence is the same notice. */
export const sameWithinMs = 3_600_000;

/** Begins with the instant, as all ids do; the rest follows from what it is about. */
export function noticeIdOf({ kind, tenantId, subject, atMs }: Omit<NewNotice, 'detail'>): string {
  const own = derivedUuid(tenantId ?? firstUuidAt(0), `notice ${kind} ${subject} ${atMs}`);
  return `${firstUuidAt(atMs).slice(0, 14)}7${own.slice(15)}`;
}
