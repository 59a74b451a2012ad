import { randomBytes } from 'node:crypto';
import type { Currency } from '../payments/payment.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DomainError, idempotencyKeyReused, invalid, notFound } from '../platform/errors.ts';
import { formatId, type Ids, parseId } from '../platform/ids.ts';
import { plainHashes, type RequestHashes } from '../platform/request-hash.ts';
import { findProducts } from '../products/store.ts';
import { secretBytes } from './link.ts';
import { checkReturnUrl } from './return-url.ts';
import { type CheckoutSession, createdSession, type SessionItem } from './session.ts';
import { findSessionByKey, insertSession } from './store.ts';

export interface NewItem {
  productId: string | null;
  name: string;
  description: string | null;
  quantity: number;
  unitPriceMinor: number;
}

/** A request for a session; exactly one of items and amount is to be given. Amounts are in minor units. */
export interface CreateSessionInput {
  tenantId: string;
  items: NewItem[] | null;
  amountMinor: number | null;
  currency: Currency;
  customerId: string | null;
  returnUrl: string | null;
  completionUrl: string | null;
  expiresInMinutes: number;
  /** JSON text. */
  metadata: string | null;
  idempotency: { key: string; requestHash: Buffer } | null;
}

/**
 * Creates a checkout session (contract, section 4.1).
 * @throws VALIDATION_ERROR items and amount, returnUrl, completionUrl, an inactive product
 * @throws NOT_FOUND a product
 * @throws IDEMPOTENCY_KEY_REUSED the key came before with another body
 */
export type CreateSession = (
  input: CreateSessionInput,
) => Promise<{ session: CheckoutSession; replayed: boolean }>;

interface CreateSessionParts {
  database: Database;
  clock: Clock;
  ids: Ids;
  /** Left out: no hash is sealed. */
  requestHashes?: RequestHashes;
}

export function createCreateSession(parts: CreateSessionParts): CreateSession {
  return async (input) => {
    // Before the products are looked at: the original answer stands, whatever became of them.
    const original = await findOriginal(parts, input);
    if (original) return { session: original, replayed: true };
    check(input);
    await checkProducts(parts.database, input);
    const session = prepare(parts, input);
    if (await insertSession(parts.database, session, input.idempotency?.key ?? null)) {
      return { session, replayed: false };
    }
    const simultaneous = await findOriginal(parts, input);
    if (!simultaneous) throw new Error('a checkout session was neither written nor found');
    return { session: simultaneous, replayed: true };
  };
}

async function findOriginal(
  { database, requestHashes = plainHashes }: CreateSessionParts,
  { tenantId, idempotency }: CreateSessionInput,
): Promise<CheckoutSession | undefined> {
  if (!idempotency) return undefined;
  // The key may name a phone that has been erased since.
  const keys = [idempotency.key, ...requestHashes.sealedKeys(idempotency.key)];
  let earlier: CheckoutSession | undefined;
  for (const key of keys) earlier ??= await findSessionByKey(database, tenantId, key);
  if (!earlier) return undefined;
  if (!requestHashes.isSame(earlier.requestHash, idempotency.requestHash)) {
    throw idempotencyKeyReused();
  }
  return createdSession(earlier);
}

function check({ items, amountMinor, returnUrl, completionUrl }: CreateSessionInput): void {
  if ((items === null) === (amountMinor === null)) {
    throw new DomainError('VALIDATION_ERROR', 'Exactly one of items and amount must be given.');
  }
  if (returnUrl !== null) checkReturnUrl('returnUrl', returnUrl);
  if (completionUrl !== null) checkReturnUrl('completionUrl', completionUrl);
}

async function checkProducts(database: Database, input: CreateSessionInput): Promise<void> {
  const named = (input.items ?? []).flatMap(({ productId }, index) =>
    productId === null ? [] : [{ index, id: parseId('pr', productId) }],
  );
  if (named.length === 0) return;
  const ids = new Set(named.flatMap(({ id }) => id ?? []));
  const products = await findProducts(database, input.tenantId, [...ids]);
  const activeById = new Map(products.map(({ id, active }) => [id, active]));
  for (const { index, id } of named) {
    const active = id === undefined ? undefined : activeById.get(id);
    if (active === undefined) throw notFound('product');
    if (!active) throw invalid(`items[${index}].productId`, 'must name an active product');
  }
}

function prepare(parts: CreateSessionParts, input: CreateSessionInput): CheckoutSession {
  const nowMs = parts.clock.nowMs();
  const { items, amountMinor, expiresInMinutes, idempotency, ...given } = input;
  return {
    ...given,
    id: parts.ids.next(nowMs),
    version: 1,
    status: 'OPEN',
    amountMinor: items === null ? BigInt(amountMinor!) : sumOf(items),
    items: JSON.stringify((items ?? []).map((item) => itemOf(parts, item, given.currency, nowMs))),
    linkSecret: randomBytes(secretBytes),
    latestPaymentId: null,
    attemptInFlight: false,
    attemptCount: 0,
    requestHash: idempotency?.requestHash ?? null,
    expiresAtMs: nowMs + expiresInMinutes * 60_000,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** Exact, and beyond the limit of a single amount where the items are. */
function sumOf(items: readonly NewItem[]): bigint {
  return items.reduce(
    (sum, { quantity, unitPriceMinor }) => sum + BigInt(quantity) * BigInt(unitPriceMinor),
    0n,
  );
}

function itemOf(
  { ids }: CreateSessionParts,
  item: NewItem,
  currency: Currency,
  nowMs: number,
): SessionItem {
  return {
    id: formatId('ci', ids.next(nowMs)),
    productId: item.productId,
    name: item.name,
    description: item.description,
    quantity: item.quantity,
    unitPrice: String(item.unitPriceMinor),
    currency,
  };
}
