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
  customerId: string | null;
  /** What is paid for, in the merchant's words; the session's payments carry it. */
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
  /** The API key that made it; null: of before keys were noted. */
  createdByKey: string | null;
  /** Which fields the answer to its creation had. */
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

/** All of it but for the items, which may be megabytes. */
export type SessionFrame = Omit<CheckoutSession, 'items'>;

/** A session as its customer gets it: of many items the first ones, as far as anybody reads. */
export interface SessionHead extends SessionFrame {
  items: SessionItem[];
  /** Whether it has more than these. */
  hasMoreItems: boolean;
}

/** If one item ends and another begins: within a text its quotes would be escaped. */
const betweenItems = '},{"id":"ci_';

/** @param items the JSON text of items, or how it begins */
export function firstItems(items: string, isCut: boolean): SessionItem[] {
  if (!isCut) return JSON.parse(items) as SessionItem[];
  const end = items.lastIndexOf(betweenItems);
  return end < 0 ? [] : (JSON.parse(`${items.slice(0, end)}}]`) as SessionItem[]);
}

export const hasAttemptsLeft = ({ attemptCount }: Pick<CheckoutSession, 'attemptCount'>) =>
  attemptCount < maxAttempts;

/** Increased with each field that is added here; new rows store it. */
export const sessionRendering = 2;
const since = { description: 2 };

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
    // Only if there is one: the contract names the fields of an ordinary session.
    ...(session.description !== null && { description: session.description }),
  };
}

/** The same as JSON text. */
export function sessionJson(session: CheckoutSession, publicUrl: string): string {
  return sessionPieces(session, publicUrl).join('');
}

type SessionPieces = [before: string, items: string, after: string];

/** The pieces of that text, of which the items may be large. */
export function sessionPieces(session: CheckoutSession, publicUrl: string): SessionPieces {
  return filled(sessionView(bare(session), publicUrl), session);
}

/** What comes before the items in that text, and after them. */
export function aroundItems(session: SessionFrame, publicUrl: string): [string, string] {
  const [before, , after] = sessionPieces({ ...session, items: '' }, publicUrl);
  return [before, after];
}

/** The answer to the creation of the session, whatever it has become since and whatever is shown by now. */
export function creationPieces(session: CheckoutSession, publicUrl: string): SessionPieces {
  const view = sessionView(bare(createdSession(session)), publicUrl);
  return filled(shownThen(view, since, session.rendering), session);
}

/** Without what is stored as JSON text, which is never read into objects only to be written again. */
const bare = (session: CheckoutSession) => ({ ...session, items: '[]', metadata: null });

/** The metadata first: the first items in the text are the session's own then. */
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
