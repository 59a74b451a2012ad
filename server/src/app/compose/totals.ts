import { totalsFolder } from '../../money/totals/fold.ts';
import type { Base } from './base.ts';

/** What payments and refunds add to the totals is folded into them. */
export function composeTotals(base: Base) {
  return totalsFolder({ ...base, ...base.timing });
}
