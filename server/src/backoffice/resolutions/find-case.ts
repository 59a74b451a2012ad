import { ofItems, ofSubject, type Waiting } from '../../money/review/open-cases.ts';
import type { QueuePosition } from '../../money/review/queue.ts';
import type { ReviewItem, SubjectKind } from '../../money/review/review-item.ts';
import { findOpenItemAbout, findReviewItem, reviewItemsAbout } from '../../money/review/store.ts';
import { findSubject, type ReviewSubject } from '../../money/review/subjects.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { formatId, type IdPrefix, parseId } from '../../platform/values/ids.ts';
import type { Resolver } from './resolver.ts';

/** The id is in none of our records, or its object is not an open case. */
export class NothingThere extends StartError {}

/** The case that a person means by an id. */
export interface FoundCase {
  /** Set if the id is that of a review item. */
  item?: ReviewItem;
  /** The present state of its subject; absent if our records have no such object. */
  subject?: ReviewSubject;
  /** All open items about the same subject, including this one. */
  open: ReviewItem[];
}

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const prefixes: Partial<Record<IdPrefix, SubjectKind>> = {
  pi: 'PAYMENT',
  re: 'REFUND',
  di: 'DISBURSEMENT',
};

/**
 * Finds the object of an id: of a review item (ri_…), a payment (pi_…), a refund (re_…), a disbursement (di_…) or a
 * reversal (its UUID). The plain UUID of any of them works too, as it appears in the log and at the operator.
 * @throws StartError if there is no such object
 */
export async function find(
  { database }: Pick<Resolver, 'database'>,
  id: string,
): Promise<FoundCase> {
  const { item, subject, about } = await named(database, id);
  if (!about) {
    throw new NothingThere(
      `There is no review item, payment, refund, disbursement or reversal ${JSON.stringify(id)}.`,
      '"zimbo review" lists what waits for a person.',
    );
  }
  const ids = new Set([about.subjectId, subject?.id, subject?.paymentId]);
  const near = await reviewItemsAbout(
    database,
    about.tenantId,
    [...ids].filter((each) => typeof each === 'string'),
  );
  const waiting = await ofItems(database, near);
  const open = near.filter(({ closedAtMs, subjectId }, index) => {
    const isSame = subject
      ? waiting[index]?.subjectId === subject.id
      : subjectId === about.subjectId;
    return closedAtMs === null && isSame;
  });
  return { ...(item && { item }), ...(subject && { subject }), open };
}

interface Named extends Omit<FoundCase, 'open'> {
  /** Items about it have this subject. */
  about?: { tenantId: string; subjectId: string };
}

async function named(database: Resolver['database'], id: string): Promise<Named> {
  const [prefix, uuid] = parsed(id);
  if (uuid === undefined) return {};
  const item = prefix === '' || prefix === 'ri' ? await findReviewItem(database, uuid) : undefined;
  const subject = item || prefix === 'ri' ? undefined : await findSubject(database, uuid);
  if (subject) {
    const isMeant = prefix === '' || subject.kind === prefixes[prefix];
    const about = { tenantId: subject.tenantId, subjectId: subject.id };
    return isMeant ? { subject, about } : {};
  }
  // Merchants know payments that a restore has lost.
  const about = item ?? (await findOpenItemAbout(database, uuid));
  if (!about) return {};
  const [waiting] = await ofItems(database, [about]);
  return { ...(item && { item }), ...(waiting?.subject && { subject: waiting.subject }), about };
}

/** @returns the prefix, '' if there is none, and the UUID */
function parsed(id: string): ['' | 'ri' | 'pi' | 're' | 'di', string?] {
  if (uuidShape.test(id)) return ['', id.toLowerCase()];
  for (const prefix of ['ri', 'pi', 're', 'di'] as const) {
    const uuid = parseId(prefix, id);
    if (uuid !== undefined) return [prefix, uuid];
  }
  return [''];
}

/** The open items of these kinds, in people's notation. */
export const namesOf = (items: readonly ReviewItem[]) =>
  items.map(({ id }) => formatId('ri', id)).join(', ');

/**
 * The open cases about this id, with both sides: all of them, or the one item that is named.
 * @throws StartError if there is no such object, or no open case about it
 */
export async function findWaiting(
  resolver: Pick<Resolver, 'database'>,
  id: string,
): Promise<Waiting[]> {
  const { item, subject, open } = await find(resolver, id);
  const waiting = await ofItems(resolver.database, item ? [item] : open);
  if (waiting.length > 0) return waiting;
  const byRow = subject && ofSubject(subject);
  if (byRow) return [byRow];
  throw new NothingThere(`No open case is about ${id}.`);
}

/** The position in the queue after the object of this id, open or not; undefined if there is none. */
export async function positionOf(
  resolver: Pick<Resolver, 'database'>,
  id: string,
): Promise<QueuePosition | undefined> {
  const { item, subject } = await named(resolver.database, id);
  if (item) return { sinceMs: item.createdAtMs, id: item.id };
  if (!subject) return undefined;
  const sentAtMs = subject.kind === 'PAYMENT' ? subject.sentAtMs : null;
  return { sinceMs: sentAtMs ?? subject.createdAtMs, id: subject.id };
}
