import { hkdfSync, timingSafeEqual } from 'node:crypto';
import type { DigestKey } from '../../platform/secrets/digest-key.ts';
import { type Linked, tokenOf } from './link.ts';
import { type LinkedKey, secretUnder } from './link-secrets.ts';

/** Links to the receipts of payments, or with another purpose to something else that lasts. Nothing of them is stored: the payment's ids and a key make them. */
export interface ReceiptLinks {
  /** Undefined where neither secret key opens the key that they are made with. */
  tokenOf(payment: LinkedKey): Promise<string | undefined>;
  linkOf(payment: LinkedKey): Promise<string | undefined>;
  /** Whether nobody but us can have made the link. */
  isOurs(linked: Linked): Promise<boolean>;
}

/**
 * Made with the key that outlives a replacement of the secret key, and is in every backup: whoever has printed
 * a link, or sent it to a bookkeeper, opens it years later.
 */
export function createReceiptLinks(
  { digestKey, publicUrl }: { digestKey: DigestKey; publicUrl: string },
  { purpose, folder } = { purpose: 'zimbo links of receipts', folder: 'receipt' },
): ReceiptLinks {
  const keyOf = async () => {
    const root = await digestKey.open();
    return root && Buffer.from(hkdfSync('sha256', root, '', purpose, 32));
  };
  const links: ReceiptLinks = {
    async tokenOf({ tenantId, id }) {
      const key = await keyOf();
      return key && tokenOf({ tenantId, id, linkSecret: secretUnder(key, { tenantId, id }) });
    },
    async linkOf(payment) {
      const token = await links.tokenOf(payment);
      return token && `${publicUrl}/${folder}/${token}`;
    },
    async isOurs(linked) {
      const key = await keyOf();
      return key !== undefined && timingSafeEqual(secretUnder(key, linked), linked.linkSecret);
    },
  };
  return links;
}
