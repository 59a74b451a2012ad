import type {
  CreateProductBody,
  ListProductsQuery,
  Product,
  UpdateProductBody,
} from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Products that the items of checkout sessions can refer to (contract, sections 2.5 and 4.2). */
export class Products extends Resource {
  /**
   * @param body `price` in centavos, 0 to 999999999999.
   * @throws {ZimboError} `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED`.
   */
  create(body: CreateProductBody, options?: CreateOptions): Promise<Product> {
    return this.transport.call('createProduct', { body }, options);
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<Product> {
    return this.transport.call('getProduct', { path: { id } }, options);
  }

  /**
   * Products, newest first.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
   */
  list(query: ListProductsQuery = {}, options?: CallOptions): List<Product> {
    return this.transport.list('listProducts', query, options);
  }

  /**
   * Changes the fields in the body. Existing sessions keep their copies.
   *
   * @param body `price` in centavos.
   * @throws {ZimboError} `NOT_FOUND`; `VALIDATION_ERROR`.
   */
  update(id: string, body: UpdateProductBody, options?: CallOptions): Promise<Product> {
    return this.transport.call('updateProduct', { path: { id }, body }, options);
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteProduct', { path: { id } }, options);
  }
}
