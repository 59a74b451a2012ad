import type { NoticeKind } from '../../platform/notices/notice.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Place } from './audience.ts';

/** Where links of notices to staff lead. */
export interface StaffAddress {
  consoleUrl: string;
  /** Below it: where the staff's pages of this cell lie. */
  staffFolder: string;
  /** Of several, the cell that tells. */
  cell?: string | undefined;
}

export interface Linked {
  kind: NoticeKind;
  subject: string;
  merchantId: string | null;
  mode: 'live' | 'test' | null;
}

/**
 * Where what a notice is about stands, below CONSOLE_URL.
 * @param staffFolder where the staff's pages of its cell lie
 */
export function pageOf(place: Place, notice: Linked, staffFolder: string): string {
  const { kind, subject, merchantId, mode } = notice;
  if (place === 'MERCHANT' && merchantId !== null && mode !== null) {
    return `/console/${formatId('me', merchantId)}/${mode}/${merchantPage(kind, subject)}`;
  }
  return `${staffFolder}/${staffPage(notice)}`;
}

function merchantPage(kind: NoticeKind, subject: string): string {
  if (kind === 'ENDPOINT_DISABLED') return `endpoints/${formatId('we', subject)}`;
  if (kind === 'SETTLEMENT_FAILED') return `settlements/${formatId('se', subject)}`;
  if (kind === 'BANK_ACCOUNT_CHANGED') return 'money';
  return kind === 'APPROVAL_ASKED' ? 'approvals' : 'notices';
}

function staffPage({ kind, subject, merchantId }: Linked): string {
  switch (kind) {
    case 'REVIEW_WAITING':
      return `reviews/${formatId('ri', subject)}`;
    case 'SETTLEMENT_FAILED':
      return `settlements/${formatId('se', subject)}`;
    case 'APPROVAL_ASKED':
      return 'approvals';
    case 'OPERATOR_DOWN':
      return `operators/${subject}`;
    case 'BALANCE_WRONG':
      return 'ledger';
    case 'ALERT':
      return 'doctor';
    case 'BANK_ACCOUNT_CHANGED':
      return merchantId === null ? 'merchants' : `merchants/${formatId('me', merchantId)}`;
    // Of merchants alone.
    case 'ENDPOINT_DISABLED':
      return 'notices';
  }
}
