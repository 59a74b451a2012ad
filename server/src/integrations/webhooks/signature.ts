import { hmac } from '../../platform/secrets/hmac.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Target } from './target-cache.ts';

/**
 * The hex HMAC-SHA256 of `<timestamp>.<body>`, under the whole secret text as the merchant stores it
 * (`whsec_` included; contract, section 6.3).
 */
export function sign(secret: string, timestampSeconds: number, body: string | Buffer): string {
  return hmac(Buffer.from(secret), `${timestampSeconds}.`, body, 'hex');
}

/**
 * The signature of the Standard Webhooks specification: base64 HMAC-SHA256 of `<id>.<timestamp>.<body>`
 * under the bytes that the secret's base64 stands for.
 */
export function signStandard(secret: string, prefix: string, body: string | Buffer): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${hmac(key, prefix, body, 'base64')}`;
}

export interface SignedDelivery {
  eventId: string;
  /** Increases with each event of one object, so that a receiver can order them. */
  sequence: number;
  secret: string;
  /** The new secret while a rotation overlaps. */
  nextSecret?: string | undefined;
  timestampSeconds: number;
  body: string;
}

/** The headers of one attempt. Sign each attempt afresh: receivers refuse a timestamp older than 5 minutes. */
export function deliveryHeaders(delivery: SignedDelivery): Record<string, string> {
  const { secret, nextSecret, timestampSeconds, body } = delivery;
  const id = formatId('evt', delivery.eventId);
  const prefix = `${id}.${timestampSeconds}.`;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'X-Service-Signature': sign(secret, timestampSeconds, body),
    'X-Service-Timestamp': String(timestampSeconds),
    'X-Service-Sequence': String(delivery.sequence),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signStandard(secret, prefix, body),
  };
  if (nextSecret !== undefined) {
    headers['X-Service-Signature-Next'] = sign(nextSecret, timestampSeconds, body);
    headers['webhook-signature'] += ` ${signStandard(nextSecret, prefix, body)}`;
  }
  return headers;
}

/** The secrets that sign at an instant: after the overlap of a rotation, the new one alone. */
export function secretsAt({ secret, next }: Pick<Target, 'secret' | 'next'>, nowMs: number) {
  if (!next) return { secret };
  return nowMs < next.fromMs ? { secret, nextSecret: next.secret } : { secret: next.secret };
}
