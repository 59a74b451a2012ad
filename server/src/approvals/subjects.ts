import { notFound } from '../errors.ts';
import { formatId, type IdPrefix } from '../ids.ts';
import { findCurrentAccount } from '../merchants/bank-account-store.ts';
import type { Queryable } from '../postgres/database.ts';
import { lockPayment } from '../refunds/store.ts';
import { findReviewItem } from '../review/store.ts';
import { findSettlement } from '../settlements/store.ts';
import type { Approval, ApprovalKind, Requests } from './approval.ts';

const prefixes: Record<ApprovalKind, IdPrefix> = {
  REFUND: 'pi',
  SETTLEMENT_COMPLETE: 'se',
  SETTLEMENT_FAIL: 'se',
  REVIEW_RESOLVE: 'ri',
  LIVE_KEY: 'me',
  BANK_ACCOUNT: 'me',
};

/** What a request is about, as people see it. */
export const subjectOf = ({ kind, subjectId }: Pick<Approval, 'kind' | 'subjectId'>): string =>
  formatId(prefixes[kind], subjectId);

/**
 * What of a subject must be the same at the approval as it was when somebody asked. Of a payment that is what its
 * refunds have taken, and not its version: a payout in between changes nothing about a refund.
 * @throws NOT_FOUND the tenant has no such thing
 */
export async function subjectState(
  transaction: Queryable,
  approval: Pick<Approval, 'tenantId' | 'kind' | 'subjectId' | 'request'>,
): Promise<string> {
  const { tenantId, kind, subjectId, request } = approval;
  switch (kind) {
    case 'REFUND': {
      const payment = await lockPayment(transaction, tenantId, subjectId);
      if (!payment) throw notFound('payment');
      return `refunded ${payment.refundReservedMinor}`;
    }
    case 'SETTLEMENT_COMPLETE':
    case 'SETTLEMENT_FAIL': {
      const settlement = await findSettlement(transaction, tenantId, subjectId);
      if (!settlement) throw notFound('settlement');
      return `version ${settlement.version}`;
    }
    case 'REVIEW_RESOLVE': {
      const item = await findReviewItem(transaction, subjectId);
      if (item?.tenantId !== tenantId) throw notFound('review item');
      return item.closedAtMs === null ? 'open' : 'closed';
    }
    case 'LIVE_KEY':
      return 'new';
    case 'BANK_ACCOUNT': {
      const { currency } = JSON.parse(request) as Requests['BANK_ACCOUNT'];
      return `account ${(await findCurrentAccount(transaction, subjectId, currency))?.id ?? 'none'}`;
    }
  }
}
