import type { ReviewItem } from '../../money/review/review-item.ts';
import { closeReviewItem } from '../../money/review/store.ts';
import { writeAuditRecord } from '../../platform/audit/record.ts';
import { formatInstant } from '../../platform/formats/display-format.ts';
import { formatId } from '../../platform/values/ids.ts';
import { subjectIdOf } from './describe-case.ts';
import { type FoundCase, find, NothingThere, namesOf } from './find-case.ts';
import { ways } from './finding.ts';
import type { Resolver } from './resolver.ts';
import { ReviewRefusal } from './review-error.ts';

/**
 * Closes the item of a contradiction or a clash: the ledger stays as it is.
 * @returns the id of the item
 * @throws StartError if there is no such item, it is closed, or closing it would hide something
 */
export async function closeReview(resolver: Resolver, id: string, given: string): Promise<string> {
  const reason = given.trim();
  if (reason === '')
    throw new ReviewRefusal('NO_REASON', '--reason must say why nothing is to be changed.');
  const { database, clock, actor: by } = resolver;
  const found = await find(resolver, id);
  const item = itemOf(found, id);
  checkState(found, item);
  // Audited first: nothing is ever closed without a record.
  await writeAuditRecord(database, resolver, {
    tenantId: item.tenantId,
    action: 'review.closed',
    subject: formatId('ri', item.id),
    detail: {
      kind: item.kind,
      reason,
      about: subjectIdOf(item.subjectKind, item.subjectId),
    },
  });
  if (!(await closeReviewItem(database, item.id, { nowMs: clock.nowMs(), by, reason }))) {
    throw new ReviewRefusal('CLOSED', 'Someone else has just closed it.');
  }
  return formatId('ri', item.id);
}

function itemOf({ item, open }: FoundCase, id: string): ReviewItem {
  if (item) return item;
  const [only] = open;
  if (!only) throw new NothingThere(`There is no review item about ${id}.`);
  if (open.length === 1) return only;
  throw new ReviewRefusal(
    'SEVERAL',
    `${id} has ${open.length} review items: ${namesOf(open)}.`,
    'Close each.',
  );
}

/** @throws StartError if it is closed, or closing it would leave its subject without an outcome */
function checkState({ subject }: FoundCase, item: ReviewItem): void {
  const { kind, closedAtMs, closedBy, reason } = item;
  const name = formatId('ri', item.id);
  if (closedAtMs !== null) {
    const at = formatInstant(closedAtMs);
    throw new ReviewRefusal(
      'CLOSED',
      `${name} was closed on ${at} (UTC) by ${closedBy}: ${reason}.`,
    );
  }
  if (!subject || !['UNCLEAR', 'MISMATCH', 'UNKNOWN_REFERENCE'].includes(kind)) return;
  const isUnknown = kind === 'UNKNOWN_REFERENCE' ? subject.status === 'HELD' : isOpen(subject);
  if (!isUnknown) return;
  const about = subjectIdOf(subject.kind, subject.id);
  throw new ReviewRefusal(
    'OUTCOME_UNKNOWN',
    `The outcome of ${subject.kind.toLowerCase()} ${about} is still unknown, and closing the item would hide that.`,
    `Record it:  zimbo review resolve ${name} ${ways[subject.kind]}`,
  );
}

/** Nobody has recorded the outcome. */
const isOpen = ({ kind, status }: NonNullable<FoundCase['subject']>) =>
  openStatuses.includes(status) && !(kind === 'DISBURSEMENT' && status === 'CANCELLED');

const openStatuses = [
  'HELD',
  'CREATED',
  'PENDING',
  'PROCESSING',
  'OPERATOR_PENDING',
  'USER_CONFIRMING',
  'CANCELLED',
  'EXPIRED',
];
