import type { Mask } from '../../platform/audit/mask.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { notFound } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { aboutProduct, type Product, recordedProduct } from './product.ts';
import { deleteProduct, lockProduct, type ProductChange, updateProduct } from './store.ts';

type ProductKey = Pick<Product, 'tenantId' | 'id'>;

export interface ChangeProduct {
  /**
   * Returns the product as it is after the change.
   * @throws NOT_FOUND
   */
  update(key: ProductKey, change: ProductChange, author: Author): Promise<Product>;
  /** @throws NOT_FOUND */
  remove(key: ProductKey, author: Author): Promise<void>;
}

export function makeChangeProduct(dependencies: {
  database: Database;
  clock: Clock;
  ids: Ids;
  mask: Mask;
}): ChangeProduct {
  const { database, clock, mask } = dependencies;
  return {
    update: (key, change, author) =>
      database.transaction(async (transaction) => {
        const seen = await lockProduct(transaction, key.tenantId, key.id);
        const isEmpty = Object.values(change).every((value) => value === undefined);
        if (seen && isEmpty) return seen;
        const product = seen && (await updateProduct(transaction, key, change, clock.nowMs()));
        if (!product) throw notFound('product');
        await writeAuditRecord(
          transaction,
          { ...dependencies, ...author },
          {
            ...aboutProduct(key),
            action: 'product.changed',
            before: recordedProduct(seen, mask),
            after: recordedProduct(product, mask),
          },
        );
        return product;
      }),
    remove: (key, author) =>
      database.transaction(async (transaction) => {
        const seen = await lockProduct(transaction, key.tenantId, key.id);
        if (!seen) throw notFound('product');
        await deleteProduct(transaction, key.tenantId, key.id, clock.nowMs());
        await writeAuditRecord(
          transaction,
          { ...dependencies, ...author },
          {
            ...aboutProduct(key),
            action: 'product.deleted',
            before: recordedProduct(seen, mask),
          },
        );
      }),
  };
}
