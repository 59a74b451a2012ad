import { referenceOf } from '../../money/ledger/reconcile-statement-view.ts';
import { formatMajor } from '../../platform/formats/display-format.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { StoredDifference } from './difference.ts';
import type { KindCount } from './difference-store.ts';
import type { StoredReconciliation } from './reconciliation.ts';

const instant = (ms: number) => new Date(ms).toISOString();
const instantOrNull = (ms: number | null) => (ms === null ? null : instant(ms));

/** A reconciliation as the API for staff shows it. */
export function storedView(given: StoredReconciliation) {
  return {
    id: formatId('rc', given.id),
    status: given.status,
    operator: given.operator,
    mode: given.mode,
    merchantId: given.merchantId === null ? null : formatId('me', given.merchantId),
    currency: given.currency as 'CVE' | 'AOA' | null,
    fileName: given.fileName,
    sha256: given.fileDigest.toString('hex'),
    uploadedBy: given.uploadedBy,
    createdAt: instant(given.createdAtMs),
    from: instantOrNull(given.fromAtMs ?? given.askedFromMs),
    to: instantOrNull(given.untilAtMs ?? given.askedUntilMs),
    comparedAt: instantOrNull(given.comparedAtMs),
    canCompareAgain: given.hasLines && given.status !== 'COMPARING',
    lines: given.lineCount,
    matched: given.matchedCount,
    withoutMoney: given.withoutMoneyCount,
    differences: given.differenceCount,
    open: given.openCount,
    failure: given.failure,
    closedBy: given.closedBy,
    closedAt: instantOrNull(given.closedAtMs),
  };
}

/** The same with the number of differences of each kind, by state. */
export const storedViewWithCounts = (
  given: StoredReconciliation,
  counts: readonly KindCount[],
) => ({
  ...storedView(given),
  counts: [...counts],
});

/** A difference with both sides, in major units, and its explanation or review. */
export function storedDifferenceView(given: StoredDifference) {
  const side = (minor: bigint | null, currency: string | null, status: string | null) =>
    minor === null ? null : { amount: formatMajor(minor), currency, status };
  return {
    id: formatId('rd', given.id),
    status: given.status,
    kind: given.kind,
    line: given.line,
    type: given.type,
    reference: referenceOf(given),
    transactionId: given.transactionId,
    statement: side(given.listedMinor, given.listedCurrency, given.listedStatus),
    ledger: side(given.bookedMinor, given.bookedCurrency, given.bookedStatus),
    bookedAt: instantOrNull(given.bookedAtMs),
    reason: given.reason,
    note: given.note,
    operatorReference: given.operatorReference,
    decidedBy: given.decidedBy,
    decidedAt: instantOrNull(given.decidedAtMs),
    askedAt: instantOrNull(given.askedAtMs),
    reviewId: given.reviewId === null ? null : formatId('ri', given.reviewId),
  };
}
