import type { Mask } from '../audit/mask.ts';
import { findOriginal, type IdempotentRequest, type RequestHashes } from '../idempotency.ts';
import { type Author, writeAuditRecord } from '../merchants/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Ids } from '../platform/ids.ts';
import { aboutProduct, type Product, productView, recordedProduct } from './product.ts';
import { findProductRequest, insertProduct } from './store.ts';

/** A request for a product; the price is in minor units. */
export interface CreateProductInput extends Omit<Product, 'id' | 'createdAtMs' | 'updatedAtMs'> {
  author: Author;
  idempotency: IdempotentRequest | null;
}

/**
 * Creates a product (contract, section 4.2). The answer is JSON text.
 * @throws IDEMPOTENCY_KEY_REUSED the key came before with another body
 */
export type CreateProduct = (
  input: CreateProductInput,
) => Promise<{ json: string; replayed: boolean }>;

export function createCreateProduct(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  mask: Mask;
  requestHashes: RequestHashes;
}): CreateProduct {
  return async ({ idempotency, author, ...given }) => {
    const nowMs = parts.clock.nowMs();
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
    const product: Product = { ...given, ...times, id: parts.ids.next(nowMs) };
    const json = JSON.stringify(productView(product));
    const request = idempotency && {
      key: idempotency.key,
      requestHash: parts.requestHashes.of(idempotency),
      answer: json,
    };
    const isNew = await parts.database.transaction(async (transaction) => {
      const inserted = await insertProduct(transaction, product, request);
      if (inserted) {
        const about = aboutProduct(product);
        const after = recordedProduct(product, parts.mask);
        const record = { ...about, action: 'product.created', after } as const;
        await writeAuditRecord(transaction, { ...parts, ...author }, record);
      }
      return inserted;
    });
    if (isNew) return { json, replayed: false };
    const earlier = await findOriginal(parts.requestHashes, idempotency, (key) =>
      findProductRequest(parts.database, given.tenantId, key),
    );
    if (!earlier) throw new Error('a product was neither written nor found');
    return { json: earlier.answer, replayed: true };
  };
}
