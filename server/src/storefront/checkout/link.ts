import { timingSafeEqual } from 'node:crypto';
import { bytesOfUuid, uuidOfBytes } from '../../platform/values/ids.ts';

const idBytes = 16;
export const secretBytes = 16;
const tokenShape = /^[\w-]{64}$/;

/** The claims of a link, not yet verified. */
export interface LinkClaims {
  tenantId: string;
  id: string;
  linkSecret: Buffer;
}

/** The hosted payment page of a session: names the tenant and the session, and proves both by a secret. */
export function linkOf(linked: LinkClaims, publicUrl: string): string {
  return `${publicUrl}/pay/${tokenOf(linked)}`;
}

/** The result of {@link parseToken}. */
export function tokenOf({ tenantId, id, linkSecret }: LinkClaims): string {
  return Buffer.concat([bytesOfUuid(tenantId), bytesOfUuid(id), linkSecret]).toString('base64url');
}

/** The claims of a link's token; undefined for a malformed token. */
export function parseToken(token: string): LinkClaims | undefined {
  if (!tokenShape.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  return {
    tenantId: uuidOfBytes(bytes.subarray(0, idBytes)),
    id: uuidOfBytes(bytes.subarray(idBytes, 2 * idBytes)),
    linkSecret: bytes.subarray(2 * idBytes),
  };
}

/** Compares in constant time, which does not reveal how much of the secret is right. */
export function isSecretOf(session: LinkClaims, secret: Buffer): boolean {
  return secret.length === session.linkSecret.length && timingSafeEqual(secret, session.linkSecret);
}

const linkInText = /\/(?:pay|receipt)\/([\w-]{64})(?![\w-])/;

/** The claims of the first payment page or receipt whose address stands in a text. */
export function claimsIn(text: string): LinkClaims | undefined {
  const token = linkInText.exec(text)?.[1];
  return token === undefined ? undefined : parseToken(token);
}
