import { DomainError } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { MerchantTerms } from '../../platform/values/merchant-terms.ts';
import {
  type CreateSession,
  type CreateSessionInput,
  makeCreateSession,
} from '../checkout/create.ts';
import type { CheckoutSession } from '../checkout/session.ts';
import { findProducts } from '../products/store.ts';
import type { PaymentLink } from './payment-link.ts';
import { type UsedLink, useLink } from './store.ts';
import { insertUse } from './uses.ts';

/** People who open a link pay soon or never: sessions made by strangers do not stay open for a day. */
const sessionMinutes = 60;

/**
 * Makes a session of a link: the use is counted and the session written in one transaction, or neither. CLOSED: the
 * link accepts no more payments. WRONG_AMOUNT: the amount is out of bounds.
 */
export type UseLink = (
  link: PaymentLink,
  terms: MerchantTerms,
  amountMinor: bigint | undefined,
) => Promise<CheckoutSession | 'CLOSED' | 'WRONG_AMOUNT'>;

type UseDependencies = Omit<Parameters<typeof makeCreateSession>[0], 'database'> & {
  database: Database;
};

export function makeUseLink(dependencies: UseDependencies): UseLink {
  return async (seen, terms, amountMinor) => {
    if (!isWithin(seen, amountMinor)) return 'WRONG_AMOUNT';
    try {
      return await dependencies.database.transaction(async (transaction) => {
        const link = await useLink(transaction, seen, dependencies.clock.nowMs());
        if (!link) return 'CLOSED';
        const createSession: CreateSession = makeCreateSession({
          ...dependencies,
          database: transaction,
        });
        const asked = await askedFor(transaction, link, amountMinor);
        const { session } = await createSession({ ...inputOf(link, terms), ...asked });
        await insertUse(transaction, link, session.id);
        return session;
      });
    } catch (error) {
      // The product is gone, or the merchant may no longer sell it; the use is not counted.
      if (error instanceof DomainError) return 'CLOSED';
      throw error;
    }
  };
}

export function isWithin(
  { minAmountMinor, maxAmountMinor }: PaymentLink,
  amountMinor: bigint | undefined,
): boolean {
  if (minAmountMinor === null || maxAmountMinor === null) return true;
  return (
    amountMinor !== undefined && amountMinor >= minAmountMinor && amountMinor <= maxAmountMinor
  );
}

function inputOf(
  link: UsedLink,
  terms: MerchantTerms,
): Omit<CreateSessionInput, 'items' | 'amountMinor'> {
  const { tenantId, id, currency, description, returnUrl, completionUrl } = link;
  const { createdByKey, maxPaymentMinor } = link;
  const metadata = link.metadata === null ? {} : (JSON.parse(link.metadata) as object);
  return {
    tenantId,
    currency,
    description,
    returnUrl,
    completionUrl,
    externalId: null,
    customerId: null,
    expiresInMinutes: sessionMinutes,
    metadata: JSON.stringify({ ...metadata, paymentLinkId: formatId('pl', id) }),
    // A product's new price may exceed the limit of that key.
    apiKey: createdByKey === null ? null : { id: createdByKey, maxPaymentMinor },
    terms,
    idempotency: null,
    isOfLink: true,
  };
}

/**
 * A product is sold at its present price, if that is in the link's currency. Uses the same connection: a transaction
 * that waits for a second connection may deadlock the pool.
 */
async function askedFor(
  transaction: Queryable,
  { tenantId, productId, currency, amountMinor: fixed }: PaymentLink,
  chosen: bigint | undefined,
): Promise<Pick<CreateSessionInput, 'items' | 'amountMinor'>> {
  if (productId === null) return { items: null, amountMinor: Number(fixed ?? chosen) };
  const [product] = await findProducts(transaction, tenantId, [productId]);
  if (!product || product.currency !== currency || product.priceMinor <= 0n) {
    throw new DomainError('NOT_FOUND', 'no such product');
  }
  const item = {
    productId: formatId('pr', productId),
    name: product.name,
    description: product.description,
    quantity: 1,
    unitPriceMinor: Number(product.priceMinor),
  };
  return { items: [item], amountMinor: null };
}
