import type { Posting } from '../ledger/posting.ts';
import type { Reversal } from './reversal.ts';

/** The debit has gone back to the customer. */
export function suspenseOut(reversal: Reversal, nowMs: number): Posting {
  return {
    tenantId: reversal.tenantId,
    sourceId: reversal.id,
    kind: 'suspense_out',
    from: 'suspense',
    to: `operator:${reversal.operator}`,
    currency: reversal.currency,
    amountMinor: reversal.amountMinor,
    createdAtMs: nowMs,
  };
}
