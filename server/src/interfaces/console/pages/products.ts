import { html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import type { Product } from '../../../storefront/products/product.ts';
import { listProducts } from '../../../storefront/products/store.ts';
import type { ConsolePage } from '../page.ts';
import { amount } from '../parts/format.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { productStatus } from './product.ts';
import { words as allWords } from './product.words.ts';

const limit = 50;

/** What the shop sells. */
export const productsPage: ConsolePage = {
  path: 'products',
  permission: 'payments.read',
  async show(visit) {
    const words = allWords[visit.language];
    const startingAfter = parseId('pr', visit.query.get('starting_after') ?? '');
    const { database } = visit.services;
    const page = { limit, startingAfter };
    const rows = await listProducts(database, visit.tenantId, undefined, page);
    const shown = rows.slice(0, limit);
    const hasMore = (rows[0]?.rowsFound ?? 0) > shown.length;
    const last = hasMore ? shown.at(-1) : undefined;
    const main = html`${doneNotice(visit, words.done)}
${shown.length === 0 ? empty(words.nothing, words.nothingHint, newProduct(visit)) : html`<div class="bar">${newProduct(visit)}</div>${list(visit, shown)}`}
${pager(visit, 'products', last && formatId('pr', last.id))}`;
    return { title: words.plural, main };
  },
};

const newProduct = (visit: MerchantContext) =>
  visit.can('products.write')
    ? html`<a class="button primary" href="${visit.to('products/new')}">${allWords[visit.language].create}</a>`
    : undefined;

function list(visit: MerchantContext, rows: readonly Product[]) {
  const words = allWords[visit.language];
  const address = ({ id }: Product) => visit.to(`products/${formatId('pr', id)}`);
  return table<Product>(
    words.plural,
    [
      { head: words.name, cell: (row) => html`<a href="${address(row)}">${named(row.name)}</a>` },
      {
        head: words.price,
        isNumber: true,
        cell: (row) => amount(visit, row.priceMinor, row.currency),
      },
      { head: words.status, cell: (row) => productStatus(visit, row) },
    ],
    rows,
  );
}
