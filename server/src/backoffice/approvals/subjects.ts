import { createHash } from 'node:crypto';
import { lockPayment } from '../../money/refunds/store.ts';
import { findWaitingOf, ofItems, type Waiting } from '../../money/review/open-cases.ts';
import type { ReviewItem } from '../../money/review/review-item.ts';
import { reviewItemsAbout } from '../../money/review/store.ts';
import { findSettlement } from '../../money/settlements/store.ts';
import { isBooked } from '../../money/top-ups/create.ts';
import { notFound } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId, type IdPrefix } from '../../platform/values/ids.ts';
import { findCurrentAccount } from '../../tenants/merchants/bank-account-store.ts';
import {
  type Approval,
  type ApprovalKind,
  isOfKind,
  type Requests,
  requestOf,
} from './approval.ts';

type ReviewKinds = 'REVIEW_RESOLVE' | 'REVIEW_CLOSE';

const prefixes: Record<Exclude<ApprovalKind, ReviewKinds>, IdPrefix> = {
  REFUND: 'pi',
  SETTLEMENT_COMPLETE: 'se',
  SETTLEMENT_FAIL: 'se',
  LIVE_KEY: 'me',
  DISBURSEMENT: 'me',
  DISBURSEMENT_BATCH: 'me',
  BANK_ACCOUNT: 'me',
  TOP_UP: 'me',
};

/** The subject of a request, as people see it. */
export function subjectOf(approval: Approval): string {
  if (isOfKind(approval, 'REVIEW_RESOLVE', 'REVIEW_CLOSE')) return requestOf(approval).about;
  return formatId(prefixes[approval.kind as keyof typeof prefixes], approval.subjectId);
}

/**
 * The part of a subject that must be the same at the approval as at the request. For a payment this is the sum of its
 * refunds, not its version: a payout in between does not affect a refund.
 * @throws NOT_FOUND the tenant has no such subject
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
    case 'REVIEW_RESOLVE':
    case 'REVIEW_CLOSE': {
      const [waiting] = await findWaitingOf(transaction, [{ tenantId, id: subjectId }]);
      if (waiting === undefined) return 'nothing waits';
      const state = stateOf(waiting);
      return kind === 'REVIEW_CLOSE' ? state : `${state}${await besideOf(transaction, waiting)}`;
    }
    case 'LIVE_KEY':
    case 'DISBURSEMENT':
    case 'DISBURSEMENT_BATCH':
      return 'new';
    case 'BANK_ACCOUNT': {
      const { currency } = JSON.parse(request) as Requests['BANK_ACCOUNT'];
      return `account ${(await findCurrentAccount(transaction, subjectId, currency))?.id ?? 'none'}`;
    }
    case 'TOP_UP':
      return (await isBooked(transaction, JSON.parse(request) as Requests['TOP_UP']))
        ? 'booked'
        : 'not booked';
  }
}

/** For a case that a person looked at: whether it is still open, and our records' side. */
function stateOf({ item, subject }: Waiting): string {
  const isClosed = item !== undefined && item.closedAtMs !== null;
  const books = subject && `${subject.status} ${subject.operatorTxId ?? '-'}`;
  const evidence = item === undefined ? '' : ` ${evidenceOf(item)}`;
  return `${isClosed ? 'closed' : 'open'} ${books ?? '-'}${evidence}`;
}

/** The text of an item that a person could read: later answers of the operator change it. */
const evidenceOf = ({ detail }: ReviewItem): string =>
  createHash('sha256').update(JSON.stringify(detail)).digest('hex').slice(0, 32);

/**
 * The other open items about the same subject: recording its outcome closes those too, so both people must have seen
 * them.
 */
async function besideOf(transaction: Queryable, waiting: Waiting): Promise<string> {
  const { tenantId, item, subject, subjectId } = waiting;
  const ids = new Set([subjectId, item?.subjectId, subject?.paymentId]);
  const near = await reviewItemsAbout(
    transaction,
    tenantId,
    [...ids].filter((each) => typeof each === 'string'),
  );
  const beside = (await ofItems(transaction, near)).filter(
    (each) => each.subjectId === subjectId && each.item?.id !== item?.id,
  );
  const open = beside.flatMap(({ item: other }) =>
    other?.closedAtMs === null ? `${other.id} ${evidenceOf(other)}` : [],
  );
  return open.length === 0 ? '' : ` beside ${open.join(' ')}`;
}
