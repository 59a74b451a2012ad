import { DomainError, invalid, notFound } from '../../platform/errors/errors.ts';
import {
  findOriginal,
  type IdempotentRequest,
  keysOf,
  type RequestHashes,
} from '../../platform/idempotency/idempotency.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids, parseId } from '../../platform/values/ids.ts';
import {
  type MerchantTerms,
  requireActive,
  requireWithinTerms,
} from '../../platform/values/merchant-terms.ts';
import type { Currency } from '../../platform/values/money.ts';
import { checkPaymentLimit } from '../../tenants/merchants/check-key-limit.ts';
import { findProducts } from '../products/store.ts';
import type { LinkSecrets } from './link-secrets.ts';
import { checkReturnUrl } from './return-url.ts';
import { type CheckoutSession, type SessionItem, sessionRendering } from './session.ts';
import { findSessionByKeys, insertSession } from './store.ts';

export interface NewItem {
  productId: string | null;
  name: string;
  description: string | null;
  quantity: number;
  unitPriceMinor: number;
}

/** A request for a session; exactly one of items and amount must be given. Amounts are in minor units. */
export interface CreateSessionInput {
  tenantId: string;
  items: NewItem[] | null;
  amountMinor: number | null;
  currency: Currency;
  externalId: string | null;
  customerId: string | null;
  description: string | null;
  returnUrl: string | null;
  completionUrl: string | null;
  expiresInMinutes: number;
  /** JSON text. */
  metadata: string | null;
  /** The API key of the request, and its limits. */
  apiKey: { id: string; maxPaymentMinor: bigint | null } | null;
  /** The terms agreed with the merchant. */
  terms: MerchantTerms;
  idempotency: IdempotentRequest | null;
  /** Its addresses were checked when the link was created, by the rules of that day. */
  isOfLink?: true;
}

/**
 * Creates a checkout session (contract, section 4.1).
 * @throws VALIDATION_ERROR items and amount, returnUrl, completionUrl, an inactive product
 * @throws FORBIDDEN the merchant is suspended
 * @throws NOT_FOUND a product
 * @throws KEY_LIMIT_EXCEEDED the amount exceeds the limit of the API key
 * @throws IDEMPOTENCY_KEY_REUSED the key was used before with another body
 */
export type CreateSession = (
  input: CreateSessionInput,
) => Promise<{ session: CheckoutSession; replayed: boolean }>;

interface CreateSessionDependencies {
  /** Or a transaction that includes the session. */
  database: Queryable;
  clock: Clock;
  ids: Ids;
  requestHashes: RequestHashes;
  linkSecrets: LinkSecrets;
}

export function makeCreateSession(dependencies: CreateSessionDependencies): CreateSession {
  return async (input) => {
    // Before the products are read: the original answer stands, whatever became of them.
    const original = await findEarlier(dependencies, input);
    if (original) return { session: original, replayed: true };
    requireActive(input.terms);
    check(input);
    await checkProducts(dependencies.database, input);
    const session = prepare(dependencies, input);
    requireWithinTerms(input.terms, session.amountMinor);
    checkPaymentLimit(input.apiKey, session);
    if (await insertSession(dependencies.database, session, input.idempotency?.key ?? null)) {
      return { session, replayed: false };
    }
    const simultaneous = await findEarlier(dependencies, input);
    if (!simultaneous) throw new Error('a checkout session was neither written nor found');
    return { session: simultaneous, replayed: true };
  };
}

const findEarlier = (
  { database, requestHashes }: CreateSessionDependencies,
  { tenantId, idempotency }: CreateSessionInput,
) =>
  findOriginal(requestHashes, idempotency, (request) =>
    findSessionByKeys(database, tenantId, keysOf(requestHashes, request)),
  );

function check(input: CreateSessionInput): void {
  const { items, amountMinor, returnUrl, completionUrl } = input;
  if ((items === null) === (amountMinor === null)) {
    throw new DomainError('VALIDATION_ERROR', 'Exactly one of items and amount must be given.');
  }
  if (input.isOfLink) return;
  if (returnUrl !== null) checkReturnUrl('returnUrl', returnUrl);
  if (completionUrl !== null) checkReturnUrl('completionUrl', completionUrl);
}

async function checkProducts(database: Queryable, input: CreateSessionInput): Promise<void> {
  const named = (input.items ?? []).flatMap(({ productId }, index) =>
    productId === null ? [] : [{ index, id: parseId('pr', productId) }],
  );
  if (named.length === 0) return;
  const ids = new Set(named.flatMap(({ id }) => id ?? []));
  const products = await findProducts(database, input.tenantId, [...ids]);
  const byId = new Map(products.map((product) => [product.id, product]));
  for (const { index, id } of named) {
    const product = id === undefined ? undefined : byId.get(id);
    const field = `items[${index}].productId`;
    if (product === undefined) throw notFound('product', field);
    if (!product.active) throw invalid(field, 'must name an active product');
  }
}

function prepare(
  dependencies: CreateSessionDependencies,
  input: CreateSessionInput,
): CheckoutSession {
  const nowMs = dependencies.clock.nowMs();
  const id = dependencies.ids.next(nowMs);
  const {
    items,
    amountMinor,
    expiresInMinutes,
    idempotency,
    apiKey,
    terms: _,
    isOfLink: __,
    ...given
  } = input;
  return {
    ...given,
    id,
    version: 1,
    status: 'OPEN',
    amountMinor: items === null ? BigInt(amountMinor!) : sumOf(items),
    items: JSON.stringify(
      (items ?? []).map((item) => itemOf(dependencies, item, given.currency, nowMs)),
    ),
    linkSecret: dependencies.linkSecrets.make({ tenantId: input.tenantId, id }),
    latestPaymentId: null,
    attemptInFlight: false,
    attemptCount: 0,
    requestHash: idempotency && dependencies.requestHashes.of(idempotency),
    createdByKey: apiKey?.id ?? null,
    rendering: sessionRendering,
    expiresAtMs: nowMs + expiresInMinutes * 60_000,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** Exact, even if the items exceed the limit of a single amount. */
function sumOf(items: readonly NewItem[]): bigint {
  return items.reduce(
    (sum, { quantity, unitPriceMinor }) => sum + BigInt(quantity) * BigInt(unitPriceMinor),
    0n,
  );
}

function itemOf(
  { ids }: CreateSessionDependencies,
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
