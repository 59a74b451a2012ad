import type { Mask } from '../../platform/audit/mask.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import {
  findOriginal,
  type IdempotentRequest,
  keysOf,
  type RequestHashes,
} from '../../platform/idempotency/idempotency.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { aboutProduct, type Product, productView, recordedProduct } from './product.ts';
import { findProductRequest, insertProduct } from './store.ts';

/** A request for a product; the price is in minor units. */
export interface CreateProductInput extends Omit<Product, 'id' | 'createdAtMs' | 'updatedAtMs'> {
  author: Author;
  idempotency: IdempotentRequest | null;
}

/**
 * Creates a product (contract, section 4.2). The answer is JSON text.
 * @throws IDEMPOTENCY_KEY_REUSED the key was used before with another body
 */
export type CreateProduct = (
  input: CreateProductInput,
) => Promise<{ json: string; replayed: boolean }>;

export function makeCreateProduct(dependencies: {
  database: Database;
  clock: Clock;
  ids: Ids;
  mask: Mask;
  requestHashes: RequestHashes;
}): CreateProduct {
  const { database, requestHashes } = dependencies;
  return async ({ idempotency, author, ...given }) => {
    const findEarlier = () =>
      findOriginal(requestHashes, idempotency, (request) =>
        findProductRequest(database, given.tenantId, keysOf(requestHashes, request)),
      );
    // The unique index finds the plain key, but not a sealed one.
    const original = await findEarlier();
    if (original) return { json: original.answer, replayed: true };
    const nowMs = dependencies.clock.nowMs();
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
    const product: Product = { ...given, ...times, id: dependencies.ids.next(nowMs) };
    const json = JSON.stringify(productView(product));
    const request = idempotency && {
      key: idempotency.key,
      requestHash: requestHashes.of(idempotency),
      answer: json,
    };
    const isNew = await database.transaction(async (transaction) => {
      const inserted = await insertProduct(transaction, product, request);
      if (inserted) {
        const about = aboutProduct(product);
        const after = recordedProduct(product, dependencies.mask);
        const record = { ...about, action: 'product.created', after } as const;
        await writeAuditRecord(transaction, { ...dependencies, ...author }, record);
      }
      return inserted;
    });
    if (isNew) return { json, replayed: false };
    const earlier = await findEarlier();
    if (!earlier) throw new Error('a product was neither written nor found');
    return { json: earlier.answer, replayed: true };
  };
}
