import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 of the signed text, made with the secret, in hex. */
export const signatureOf = (secret: string, signed: Uint8Array): string =>
  createHmac('sha256', secret).update(signed).digest('hex');

/** Whether a header holds that signature and nothing else; a header that was sent twice does not. */
export function isSignatureOf(
  secret: string,
  signed: Uint8Array,
  given: string | string[] | undefined,
): boolean {
  if (typeof given !== 'string' || !/^[0-9a-f]{64}$/i.test(given)) return false;
  return timingSafeEqual(
    Buffer.from(signatureOf(secret, signed)),
    Buffer.from(given.toLowerCase()),
  );
}
