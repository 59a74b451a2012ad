import type { Mask } from '../../platform/audit/mask.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { DomainError, invalid, notFound } from '../../platform/errors/errors.ts';
import {
  findOriginal,
  type IdempotentRequest,
  keysOf,
  type RequestHashes,
} from '../../platform/idempotency/idempotency.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { isVisible } from '../../platform/text/look-alikes.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import { type MerchantTerms, requireWithinTerms } from '../../platform/values/merchant-terms.ts';
import { checkPaymentLimit } from '../../tenants/merchants/check-key-limit.ts';
import { checkReturnUrl } from '../checkout/return-url.ts';
import { findProducts } from '../products/store.ts';
import type { LinkUrls } from './link-urls.ts';
import { type PaymentLink, paymentLinkView, recordedLink } from './payment-link.ts';
import { insertCode, randomCode } from './short-links.ts';
import { findLinkRequest, insertLink } from './store.ts';

/** A request for a link; amounts are in minor units. */
export interface CreateLinkInput
  extends Omit<PaymentLink, 'id' | 'uses' | 'createdByKey' | 'createdAtMs' | 'updatedAtMs'> {
  author: Author;
  /** The API key of the request, and its limits. */
  apiKey: { id: string; maxPaymentMinor: bigint | null } | null;
  terms: MerchantTerms;
  idempotency: IdempotentRequest | null;
}

/**
 * Creates a payment link. The answer is JSON text.
 * @throws VALIDATION_ERROR amounts, product, addresses or expiresAt
 * @throws FORBIDDEN the merchant is suspended
 * @throws NOT_FOUND the product
 * @throws KEY_LIMIT_EXCEEDED the amount exceeds the limit of the API key
 * @throws IDEMPOTENCY_KEY_REUSED the key was used before with another body
 */
export type CreateLink = (input: CreateLinkInput) => Promise<{ json: string; replayed: boolean }>;

export interface LinkDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  mask: Mask;
  linkUrls: LinkUrls;
}

export function makeCreateLink(
  dependencies: LinkDependencies & { requestHashes: RequestHashes },
): CreateLink {
  const { database, clock, ids, mask, linkUrls, requestHashes } = dependencies;
  return async ({ idempotency, author, apiKey, terms, ...given }) => {
    const findEarlier = () =>
      findOriginal(requestHashes, idempotency, (request) =>
        findLinkRequest(database, given.tenantId, keysOf(requestHashes, request)),
      );
    const original = await findEarlier();
    if (original) return { json: original.answer, replayed: true };
    const nowMs = clock.nowMs();
    check(given, nowMs);
    await checkAmounts(database, { ...given, apiKey, terms });
    const id = ids.next(nowMs);
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
    const link: PaymentLink = { ...given, ...times, id, uses: 0, createdByKey: apiKey?.id ?? null };
    const code = randomCode();
    const json = JSON.stringify(paymentLinkView(link, await linkUrls.ofNew(link, code)));
    const request = idempotency && {
      key: idempotency.key,
      requestHash: requestHashes.of(idempotency),
      answer: json,
    };
    const isNew = await database.transaction(async (transaction) => {
      const inserted = await insertLink(transaction, link, request);
      if (inserted) {
        await insertCode(transaction, link, code);
        const subject = formatId('pl', id);
        const record = { tenantId: link.tenantId, subject, after: recordedLink(link, mask) };
        await writeAuditRecord(
          transaction,
          { ...dependencies, ...author },
          { ...record, action: 'payment_link.created' },
        );
      }
      return inserted;
    });
    if (isNew) return { json, replayed: false };
    const earlier = await findEarlier();
    if (!earlier) throw new Error('a payment link was neither written nor found');
    return { json: earlier.answer, replayed: true };
  };
}

type Given = Pick<
  CreateLinkInput,
  | 'description'
  | 'productId'
  | 'amountMinor'
  | 'minAmountMinor'
  | 'maxAmountMinor'
  | 'returnUrl'
  | 'completionUrl'
  | 'expiresAtMs'
>;

type Way = string | number | bigint | null | undefined;

/** @throws VALIDATION_ERROR unless exactly one way is given to say how much is paid */
export function requireOneWay(productId: Way, amount: Way, min: Way, max: Way): void {
  const ways = [productId, amount, min].filter((way) => way != null);
  if (ways.length !== 1 || (min == null) !== (max == null)) {
    throw new DomainError(
      'VALIDATION_ERROR',
      'Exactly one of productId, amount, and minAmount with maxAmount must be given.',
    );
  }
}

/** Customers must read what they pay for. @throws VALIDATION_ERROR a blank description */
export function requireDescription(description: string): void {
  if (!isVisible(description)) throw invalid('description', 'must not be blank');
}

function check(given: Given, nowMs: number): void {
  const { productId, amountMinor, minAmountMinor, maxAmountMinor } = given;
  requireOneWay(productId, amountMinor, minAmountMinor, maxAmountMinor);
  requireDescription(given.description);
  if (minAmountMinor !== null && minAmountMinor > maxAmountMinor!) {
    throw invalid('maxAmount', 'must be at least minAmount');
  }
  if (given.returnUrl !== null) checkReturnUrl('returnUrl', given.returnUrl);
  if (given.completionUrl !== null) checkReturnUrl('completionUrl', given.completionUrl);
  if (given.expiresAtMs !== null && given.expiresAtMs <= nowMs) {
    throw invalid('expiresAt', 'must lie in the future');
  }
}

async function checkAmounts(
  database: Database,
  {
    tenantId,
    productId,
    currency,
    terms,
    apiKey,
    ...given
  }: Omit<CreateLinkInput, 'author' | 'idempotency'>,
): Promise<void> {
  const most = given.amountMinor ?? given.maxAmountMinor ?? (await priceOf());
  requireWithinTerms(terms, most);
  checkPaymentLimit(apiKey, { amountMinor: most, currency });

  async function priceOf(): Promise<bigint> {
    const [product] = await findProducts(database, tenantId, [productId!]);
    if (!product) throw notFound('product', 'productId');
    const isRight = product.active && product.currency === currency && product.priceMinor > 0n;
    if (!isRight)
      throw invalid('productId', `must name an active product with a price in ${currency}`);
    return product.priceMinor;
  }
}
