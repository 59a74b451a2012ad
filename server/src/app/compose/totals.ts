import { totalsFolder } from '../../money/totals/fold.ts';
import type { Base } from './base.ts';

/** Composes the folding of deltas from payments and refunds into the totals. */
export function composeTotals(base: Base) {
  return totalsFolder({ ...base, ...base.timing });
}
