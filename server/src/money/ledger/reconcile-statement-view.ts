import { formatMajor } from '../../platform/formats/display-format.ts';
import { formatId } from '../../platform/values/ids.ts';
import { type Difference, differenceKinds, type Reconciliation } from './reconcile-statement.ts';

/** Whether the statement and the ledger disagree anywhere. */
export const differs = ({ counts }: Pick<Reconciliation, 'counts'>) =>
  differenceKinds.some((kind) => counts[kind] > 0);

/** As written in the statement if it is there, otherwise as the API shows it. */
export function referenceOf({
  reference,
  referenceId,
  type,
}: Pick<Difference, 'reference' | 'referenceId' | 'type'>): string {
  if (reference !== null || referenceId === null) return reference ?? '-';
  // Disbursements are known to the operator by a reference of its own, not by their id.
  if (type === 'REVERSAL' || type === 'DISBURSEMENT') return referenceId;
  return formatId(type === 'DEBIT' ? 'pi' : 're', referenceId);
}

/** The result, without the differences. */
export function reconciliationView(
  { operator, mode }: { operator: string; mode: 'live' | 'test' },
  result: Reconciliation,
) {
  const { lines, matched, withoutMoney, counts, missingAtEdges } = result;
  return {
    clean: !differs(result),
    operator,
    mode,
    from: new Date(result.fromMs).toISOString(),
    to: new Date(result.untilMs).toISOString(),
    lines,
    counts: { MATCHED: matched, WITHOUT_MONEY: withoutMoney, ...counts },
    missingAtEdges,
  };
}

/** A difference with both sides, in major units as in the statement. */
export function differenceView(difference: Difference) {
  const { kind, line, type, transactionId, atMs } = difference;
  const side = (minor: bigint | null, currency: string | null, status: string | null) =>
    minor === null ? null : { amount: formatMajor(minor), currency, status };
  return {
    kind,
    line,
    type,
    reference: referenceOf(difference),
    transactionId,
    statement: side(difference.listedMinor, difference.listedCurrency, difference.listedStatus),
    ledger: side(difference.bookedMinor, difference.bookedCurrency, difference.bookedStatus),
    bookedAt: atMs === null ? null : new Date(atMs).toISOString(),
  };
}
