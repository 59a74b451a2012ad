import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { bytesOfUuid } from '../../platform/values/ids.ts';
import { type LinkClaims, secretBytes } from './link.ts';

export type LinkedKey = Pick<LinkClaims, 'tenantId' | 'id'>;

/**
 * The secrets of links are made from the gateway's own key, so that it recognises its own links without a query.
 * Whether the link opens still depends on the session's row: a session from before a key was replaced keeps its
 * secret.
 */
export interface LinkSecrets {
  make(session: LinkedKey): Buffer;
  /** Whether only we can have made the link; false for a key that was replaced long ago. */
  isOurs(linked: LinkClaims): boolean;
}

const keyOf = (secretKey: Buffer) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'zimbo links of checkout sessions', 32));

/** @param previousSecretKey while the key is being replaced: links made under it count as ours, too */
export function createLinkSecrets(
  secretKey: Buffer,
  previousSecretKey: Buffer = secretKey,
): LinkSecrets {
  const keys = [keyOf(secretKey), keyOf(previousSecretKey)];
  return {
    make: (session) => secretUnder(keys[0]!, session),
    isOurs: (linked) =>
      keys
        .map((key) => timingSafeEqual(secretUnder(key, linked), linked.linkSecret))
        .includes(true),
  };
}

/** The secret of a link to a tenant's object. */
export const secretUnder = (key: Buffer, { tenantId, id }: LinkedKey): Buffer =>
  createHmac('sha256', key)
    .update(bytesOfUuid(tenantId))
    .update(bytesOfUuid(id))
    .digest()
    .subarray(0, secretBytes);
