import type { CreateProductBody, ListProductsQuery, Product, UpdateProductBody } from '../generated.js';
import type { List } from '../list.js';
import type { CallOptions, CreateOptions } from '../transport.js';
import { Resource } from './resource.js';
/** Products that the items of checkout sessions can refer to (contract, sections 2.5 and 4.2). */
export declare class Products extends Resource {
    /**
     * @param body `price` in centavos, 0 to 999999999999.
     * @throws {ZimboError} `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED`.
     */
    create(body: CreateProductBody, options?: CreateOptions): Promise<Product>;
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id: string, options?: CallOptions): Promise<Product>;
    /**
     * Products, newest first.
     *
     * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
     */
    list(query?: ListProductsQuery, options?: CallOptions): List<Product>;
    /**
     * Changes the fields in the body. Existing sessions keep their copies.
     *
     * @param body `price` in centavos.
     * @throws {ZimboError} `NOT_FOUND`; `VALIDATION_ERROR`.
     */
    update(id: string, body: UpdateProductBody, options?: CallOptions): Promise<Product>;
    /** @throws {ZimboError} `NOT_FOUND` */
    delete(id: string, options?: CallOptions): Promise<void>;
}
