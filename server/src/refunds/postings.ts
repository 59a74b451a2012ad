import type { Account, Posting } from '../ledger/posting.ts';
import type { Refund } from './refund.ts';

export type RefundPostingKind =
  | 'refund_out'
  | 'refund_done'
  | 'refund_back'
  | 'refund_after_failure';

/** A step of a refund in the ledger (docs/ledger.md). */
export function refundPosting(refund: Refund, kind: RefundPostingKind, atMs: number): Posting {
  const operator: Account = `operator:${refund.operator}`;
  const between: Record<RefundPostingKind, [Account, Account]> = {
    refund_out: ['payable', 'refunds_in_transit'],
    refund_done: ['refunds_in_transit', operator],
    refund_back: ['refunds_in_transit', 'payable'],
    refund_after_failure: ['suspense', operator],
  };
  const [from, to] = between[kind];
  return {
    tenantId: refund.tenantId,
    sourceId: refund.id,
    kind,
    from,
    to,
    currency: refund.currency,
    amountMinor: refund.amountMinor,
    createdAtMs: atMs,
  };
}
