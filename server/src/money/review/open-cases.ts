import type { OperatorName } from '../../integrations/operators/operator.ts';
import { reversalIdOf } from '../../integrations/operators/transaction-ids.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { findTenants } from '../../tenants/merchants/store.ts';
import type { ReviewItem, ReviewKind, SubjectKind } from './review-item.ts';
import { findReviewItems, openReviewItems } from './store.ts';
import {
  findSubjects,
  idleReversals,
  lateDisbursements,
  type ReviewSubject,
  unansweredPayments,
} from './subjects.ts';

/**
 * Why a case waits for a person: a review item, or the state of the row alone. UNANSWERED: a payment that has been
 * queried for long, and still is. HELD, REFUSED: a wrong debit that does not go back. LATE: a disbursement that succeeded
 * after it was given back, so that its amount is missing in suspense.
 */
export type WaitingKind = ReviewKind | 'UNANSWERED' | 'HELD' | 'REFUSED' | 'LATE';

/** One case that waits for a person. */
export interface Waiting {
  kind: WaitingKind;
  /** Absent if the case follows from the row alone. */
  item?: ReviewItem;
  tenantId: string;
  mode: 'live' | 'test';
  subjectKind: SubjectKind;
  subjectId: string;
  /** The present state; absent if our records have no such object. */
  subject?: ReviewSubject;
  operator: OperatorName;
  sinceMs: number;
}

/** The id of the item, or of the row that waits without an item. */
export const rowIdOf = ({ item, subjectId }: Pick<Waiting, 'item' | 'subjectId'>): string =>
  item?.id ?? subjectId;

/** All cases that wait for a person, across tenants, the oldest first. Each case appears once. */
export async function listOpenCases(database: Queryable, sentBeforeMs: number): Promise<Waiting[]> {
  const items = await openReviewItems(database);
  const unanswered = await unansweredPayments(database, sentBeforeMs);
  const idle = await idleReversals(database);
  const late = await lateDisbursements(database);
  const byItem = await ofItems(database, items);
  const listed = new Set(byItem.flatMap(({ subject }) => subject?.id ?? []));
  const rows = [...unanswered, ...idle, ...late]
    .flatMap((subject) => ofSubject(subject) ?? [])
    .filter(({ subjectId }) => !listed.has(subjectId));
  return [...byItem, ...rows].sort((one, other) => one.sinceMs - other.sinceMs);
}

/** Review items with the present state of their subjects. */
export async function ofItems(
  database: Queryable,
  items: readonly ReviewItem[],
): Promise<Waiting[]> {
  const ids = items.map((item) => ({ tenantId: item.tenantId, id: subjectIdOf(item) }));
  const subjects = await findSubjects(database, ids);
  const tenants = await findTenants(database, [...new Set(ids.map(({ tenantId }) => tenantId))]);
  const modes = new Map(tenants.map(({ id, mode }) => [id, mode]));
  return items.map((item) => {
    const { kind, tenantId, subjectKind, subjectId, operator, createdAtMs: sinceMs } = item;
    const subject = subjects.get(subjectIdOf(item));
    const mode = modes.get(tenantId) ?? 'live';
    const waiting = { kind, item, tenantId, mode, subjectKind, subjectId, operator, sinceMs };
    if (!subject) return waiting;
    return { ...waiting, subjectKind: subject.kind, subjectId: subject.id, subject };
  });
}

/**
 * The same by the ids of items, or of payments, refunds and reversals that wait without an item; closed items too.
 * Ids that are unknown, or wait for nobody, are left out.
 */
export async function findWaitingOf(
  database: Queryable,
  ids: readonly { tenantId: string; id: string }[],
): Promise<Waiting[]> {
  const items = await findReviewItems(database, ids);
  const isItem = new Set(items.map(({ id }) => id));
  const rows = await findSubjects(
    database,
    ids.filter(({ id }) => !isItem.has(id)),
  );
  const byThemselves = [...rows.values()].flatMap((subject) => ofSubject(subject) ?? []);
  return [...(await ofItems(database, items)), ...byThemselves];
}

/** A debit of an unknown reference is held as a reversal, and a person decides about that reversal. */
function subjectIdOf({ kind, subjectKind, subjectId, detail }: ReviewItem): string {
  const transaction = (detail as { told?: { operatorTxId?: unknown } }).told?.operatorTxId;
  const isHeld = kind === 'UNKNOWN_REFERENCE' && subjectKind === 'PAYMENT';
  return isHeld ? reversalIdOf(subjectId, String(transaction)) : subjectId;
}

/** The case that follows from the row alone; undefined if there is none. */
export function ofSubject(subject: ReviewSubject): Waiting | undefined {
  const { tenantId, mode, kind: subjectKind, id: subjectId, operator } = subject;
  const kind = kindOf(subject);
  if (!kind) return undefined;
  const sinceMs = (kind === 'UNANSWERED' ? subject.sentAtMs : null) ?? subject.createdAtMs;
  return { kind, tenantId, mode, subjectKind, subjectId, subject, operator, sinceMs };
}

function kindOf({
  kind,
  status,
  byHand,
  sentAtMs,
  dueAtMs,
  isLate,
}: ReviewSubject): WaitingKind | undefined {
  if (isLate) return 'LATE';
  if (status === 'HELD') return 'HELD';
  if (kind === 'REVERSAL' && status === 'FAILED') return byHand ? undefined : 'REFUSED';
  return kind === 'PAYMENT' && sentAtMs !== null && dueAtMs !== null ? 'UNANSWERED' : undefined;
}
