import { createHmac } from 'node:crypto';

/**
 * The hex HMAC-SHA256 of `<timestamp>.<body>`, under the whole secret text as the merchant stores it
 * (`whsec_` included).
 */
export function sign(secret: string, timestampSeconds: number, body: string | Buffer): string {
  return createHmac('sha256', secret).update(`${timestampSeconds}.`).update(body).digest('hex');
}

export interface SignedDelivery {
  secret: string;
  /** The new secret while a rotation overlaps. */
  nextSecret?: string | undefined;
  timestampSeconds: number;
  body: string | Buffer;
}

/** The headers of one attempt. Sign each attempt afresh: receivers refuse a timestamp older than 5 minutes. */
export function deliveryHeaders(delivery: SignedDelivery): Record<string, string> {
  const { secret, nextSecret, timestampSeconds, body } = delivery;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'X-Service-Signature': sign(secret, timestampSeconds, body),
    'X-Service-Timestamp': String(timestampSeconds),
  };
  if (nextSecret !== undefined)
    headers['X-Service-Signature-Next'] = sign(nextSecret, timestampSeconds, body);
  return headers;
}
