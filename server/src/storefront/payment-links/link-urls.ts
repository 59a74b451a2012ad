import type { ReceiptLinks } from '../checkout/receipt-link.ts';
import type { PaymentLink } from './payment-link.ts';

/** The address of a link. Made like those of receipts: it outlives a replacement of the secret key. */
export interface LinkUrls {
  of(link: Pick<PaymentLink, 'tenantId' | 'id'>): Promise<string>;
}

export const createLinkUrls = (paymentLinks: Pick<ReceiptLinks, 'linkOf'>): LinkUrls => ({
  async of(link) {
    const url = await paymentLinks.linkOf(link);
    if (url === undefined)
      throw new Error('the key that payment links are made with does not open');
    return url;
  },
});
