import type { NoticeKind } from '../../platform/notices/notice.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Place } from './audience.ts';

/** The base of the links in notices to staff. */
export interface StaffAddress {
  consoleUrl: string;
  /** The path of this cell's staff pages below `consoleUrl`. */
  staffFolder: string;
  /** The cell that sends the notice; undefined where the installation has only one. */
  cell?: string | undefined;
}

export interface Linked {
  kind: NoticeKind;
  subject: string;
  merchantId: string | null;
  mode: 'live' | 'test' | null;
}

/**
 * Returns the path, below CONSOLE_URL, of the page about a notice's subject.
 * @param staffFolder the path of the staff pages of the notice's cell
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
    case 'FLOAT_LOW':
      return `operators/${subject}`;
    case 'BALANCE_WRONG':
      return 'ledger';
    case 'ALERT':
      return 'doctor';
    case 'BANK_ACCOUNT_CHANGED':
      return merchantId === null ? 'merchants' : `merchants/${formatId('me', merchantId)}`;
    // Only merchants receive these.
    case 'ENDPOINT_DISABLED':
      return 'notices';
  }
}
