import type { Queryable } from '../../platform/postgres/database.ts';
import type { ReceiptLinks } from '../checkout/receipt-link.ts';
import type { PaymentLink } from './payment-link.ts';
import { codesOf, shortUrlOf } from './short-links.ts';

type LinkKey = Pick<PaymentLink, 'tenantId' | 'id'>;

/** Both addresses of a link lead to the same page. */
export interface Addresses {
  url: string;
  /** For posters, messages and people who type. */
  shortUrl: string;
}

/** The addresses of links. Made like those of receipts: they outlive a replacement of the secret key. */
export interface LinkUrls {
  of(link: LinkKey): Promise<Addresses>;
  /** Of links of one tenant, by their ids. */
  ofAll(links: readonly LinkKey[]): Promise<ReadonlyMap<string, Addresses>>;
  /** Of a link that is about to be written with this code. */
  ofNew(link: LinkKey, code: string): Promise<Addresses>;
}

export function createLinkUrls({
  paymentLinks,
  database,
  publicUrl,
}: {
  paymentLinks: Pick<ReceiptLinks, 'linkOf'>;
  database: Queryable;
  publicUrl: string;
}): LinkUrls {
  const urls: LinkUrls = {
    async of(link) {
      return (await urls.ofAll([link])).get(link.id)!;
    },
    async ofAll(links) {
      const [first] = links;
      if (!first) return new Map();
      const ids = links.map(({ id }) => id);
      const codes = await codesOf(database, first.tenantId, ids);
      const entries = links.map(
        async (link) => [link.id, await urls.ofNew(link, codes.get(link.id)!)] as const,
      );
      return new Map(await Promise.all(entries));
    },
    async ofNew(link, code) {
      const url = await paymentLinks.linkOf(link);
      if (url === undefined)
        throw new Error('the key that payment links are made with does not open');
      return { url, shortUrl: shortUrlOf(code, publicUrl) };
    },
  };
  return urls;
}
