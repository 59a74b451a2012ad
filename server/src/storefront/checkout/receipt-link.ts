import { hkdfSync, timingSafeEqual } from 'node:crypto';
import type { DigestKey } from '../../platform/secrets/digest-key.ts';
import { type LinkClaims, tokenOf } from './link.ts';
import { type LinkedKey, secretUnder } from './link-secrets.ts';

/**
 * Links to the receipts of payments, or with another purpose to other permanent objects. The links are not stored:
 * they are made from the payment's ids and a key.
 */
export interface ReceiptLinks {
  /** Undefined if neither secret key opens the key of links. */
  tokenOf(payment: LinkedKey): Promise<string | undefined>;
  linkOf(payment: LinkedKey): Promise<string | undefined>;
  /** Whether only we can have made the link. */
  isOurs(linked: LinkClaims): Promise<boolean>;
}

/**
 * Made with the key that outlives a replacement of the secret key, and is in every backup: a person who has printed a
 * link, or sent it to a bookkeeper, can open it years later.
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
