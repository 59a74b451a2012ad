import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { listProducts } from '../../../storefront/products/store.ts';
import type { ConsolePage } from '../page.ts';
import { listPage } from '../parts/list-page.ts';
import { amountColumn } from '../parts/table.ts';
import { productStatus } from './product.ts';
import { productsWords } from './product.words.ts';

/** The shop's products. */
export const productsPage: ConsolePage = listPage({
  path: 'products',
  permission: 'payments.read',
  words: productsWords,
  cursor: 'pr',
  create: { page: 'products/new', permission: 'products.write', label: ({ create }) => create },
  load: ({ services, tenantId }, _, page) => listProducts(services.database, tenantId, {}, page),
  columns: (visit, words) => [
    {
      head: words.name,
      cell: ({ id, name }) =>
        html`<a href="${visit.to(`products/${formatId('pr', id)}`)}">${named(name)}</a>`,
    },
    amountColumn(visit, words.price, ({ priceMinor }) => priceMinor),
    { head: words.status, cell: (row) => productStatus(visit, row) },
  ],
});
