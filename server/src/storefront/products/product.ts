import type { Mask } from '../../platform/audit/mask.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Currency } from '../../platform/values/money.ts';

/** A merchant's product (contract, section 2.5). The price is in minor units. */
export interface Product {
  tenantId: string;
  id: string;
  name: string;
  description: string | null;
  priceMinor: bigint;
  currency: Currency;
  active: boolean;
  /** JSON text. */
  metadata: string | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The product as the API shows it. */
export function productView(product: Product) {
  return {
    id: formatId('pr', product.id),
    name: product.name,
    description: product.description,
    price: product.priceMinor.toString(),
    currency: product.currency,
    active: product.active,
    metadata:
      product.metadata === null ? null : (JSON.parse(product.metadata) as Record<string, unknown>),
    createdAt: new Date(product.createdAtMs).toISOString(),
    updatedAt: new Date(product.updatedAtMs).toISOString(),
  };
}

/** The subject of an audit record about a product. */
export const aboutProduct = ({ tenantId, id }: Pick<Product, 'tenantId' | 'id'>) => ({
  tenantId,
  subject: formatId('pr', id),
});

/** The fields of a product in an audit record. */
export function recordedProduct(product: Product, mask: Mask) {
  const { name, priceMinor, currency, active, description, metadata } = product;
  return {
    name: mask.text(name),
    price: priceMinor.toString(),
    currency,
    active,
    description: mask.text(description),
    metadata: mask.text(metadata),
  };
}
