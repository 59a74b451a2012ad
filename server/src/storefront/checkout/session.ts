import type { SessionStatus } from '../../money/payments/session-slot.ts';
import { maxAttempts } from '../../money/payments/session-slot.ts';
import { putJson, splitJson } from '../../platform/formats/raw-json.ts';
import { shownThen } from '../../platform/idempotency/idempotency.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Currency } from '../../platform/values/money.ts';
import { linkOf } from './link.ts';

/** A checkout session as it is stored. The amount is in minor units. */
export interface CheckoutSession {
  tenantId: string;
  id: string;
  /** Counts changes; every change is a compare-and-set. */
  version: number;
  status: SessionStatus;
  amountMinor: bigint;
  currency: Currency;
  /** JSON text: the items as the API shows them. */
  items: string;
  /** What the merchant calls the order, which the session's payments carry. */
  externalId: string | null;
  customerId: string | null;
  /** The merchant's description of the purchase, which the session's payments carry. */
  description: string | null;
  returnUrl: string | null;
  completionUrl: string | null;
  /** JSON text. */
  metadata: string | null;
  linkSecret: Buffer;
  latestPaymentId: string | null;
  /** The attempt slot: while true, the latest payment is under way and nothing else changes the session. */
  attemptInFlight: boolean;
  attemptCount: number;
  requestHash: Buffer | null;
  /** The API key that created it; null if older than this column. */
  createdByKey: string | null;
  /** The version of the fields in the answer to its creation. */
  rendering: number;
  expiresAtMs: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** An item as the API shows it (contract, section 2.4). */
export interface SessionItem {
  id: string;
  productId: string | null;
  name: string;
  description: string | null;
  quantity: number;
  unitPrice: string;
  currency: Currency;
}

/** The whole session except for the items, which may be megabytes. */
export type SessionFrame = Omit<CheckoutSession, 'items'>;

/** A session as its customer sees it: of many items only the first few. */
export interface SessionHead extends SessionFrame {
  items: SessionItem[];
  /** Whether it has more than these. */
  hasMoreItems: boolean;
}

/** Matches the boundary of two items: within a text, the quotes would be escaped. */
const betweenItems = '},{"id":"ci_';

/** @param items the JSON text of items, or its beginning */
export function firstItems(items: string, isCut: boolean): SessionItem[] {
  if (!isCut) return JSON.parse(items) as SessionItem[];
  const end = items.lastIndexOf(betweenItems);
  return end < 0 ? [] : (JSON.parse(`${items.slice(0, end)}}]`) as SessionItem[]);
}

export const hasAttemptsLeft = ({ attemptCount }: Pick<CheckoutSession, 'attemptCount'>) =>
  attemptCount < maxAttempts;

/** Increased with each field that is added here; new rows store it. */
export const sessionRendering = 3;
const since = { description: 2, externalId: 3 };

/** The session as the API shows it (contract, section 2.3). */
export function sessionView(session: CheckoutSession, publicUrl: string) {
  const { latestPaymentId, metadata } = session;
  return {
    id: formatId('cs', session.id),
    url: linkOf(session, publicUrl),
    amount: session.amountMinor.toString(),
    currency: session.currency,
    status: session.status,
    returnUrl: session.returnUrl,
    completionUrl: session.completionUrl,
    customerId: session.customerId,
    paymentIntentId: latestPaymentId === null ? null : formatId('pi', latestPaymentId),
    items: firstItems(session.items, false),
    metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, unknown>),
    expiresAt: new Date(session.expiresAtMs).toISOString(),
    createdAt: new Date(session.createdAtMs).toISOString(),
    updatedAt: new Date(session.updatedAtMs).toISOString(),
    // Only if set: the contract names the fields of an ordinary session.
    ...(session.description !== null && { description: session.description }),
    ...(session.externalId !== null && { externalId: session.externalId }),
  };
}

/** The same as JSON text. */
export function sessionJson(session: CheckoutSession, publicUrl: string): string {
  return sessionPieces(session, publicUrl).join('');
}

type SessionPieces = [before: string, items: string, after: string];

/** The parts of that text, of which the items may be large. */
export function sessionPieces(session: CheckoutSession, publicUrl: string): SessionPieces {
  return filled(sessionView(bare(session), publicUrl), session);
}

/** The text before the items, and after them. */
export function aroundItems(session: SessionFrame, publicUrl: string): [string, string] {
  const [before, , after] = sessionPieces({ ...session, items: '' }, publicUrl);
  return [before, after];
}

/**
 * The answer to the creation of the session, whatever the session has become since and whatever fields are shown by
 * now.
 */
export function creationPieces(session: CheckoutSession, publicUrl: string): SessionPieces {
  const view = sessionView(bare(createdSession(session)), publicUrl);
  return filled(shownThen(view, since, session.rendering), session);
}

/** Without the fields stored as JSON text, which are never parsed only to be serialized again. */
const bare = (session: CheckoutSession) => ({ ...session, items: '[]', metadata: null });

/** The metadata first: then the first `items` in the text is the session's own. */
function filled(view: object, { items, metadata }: CheckoutSession): SessionPieces {
  const text = putJson(JSON.stringify(view), 'metadata', 'null', metadata);
  return splitJson(text, 'items', '[]', items);
}

function createdSession(session: CheckoutSession): CheckoutSession {
  return {
    ...session,
    status: 'OPEN',
    latestPaymentId: null,
    updatedAtMs: session.createdAtMs,
  };
}
