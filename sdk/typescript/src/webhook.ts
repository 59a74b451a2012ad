import type { ZimboEvent } from './event.ts';

/** A `Headers`, or a plain record like Node's `request.headers`, with names in any case. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** How far the timestamp may be from now, before or after, in seconds; by default 300. */
  toleranceSeconds?: number | undefined;
  /** The current time, for tests. */
  now?: Date | undefined;
}

export type WebhookRefusal =
  | 'MISSING_HEADER'
  | 'WRONG_SIGNATURE'
  | 'STALE_TIMESTAMP'
  | 'NOT_AN_EVENT';

/** A delivery that is not genuine: answer 400, and ignore it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Verifies that the gateway sent this recently, and returns the event (contract, sections 6.3 and
 * 6.4). During the rotation of a secret, deliveries have two signatures; one by your secret is
 * enough. The comparison takes the same time wherever a forged signature differs.
 * @param rawBody The body as received, text or bytes: a body that was parsed and serialized again
 * differs.
 * @param secret The endpoint's secret, including `whsec_`.
 * @throws {WebhookVerificationError} if a header is missing, the signature is wrong, the timestamp
 * is more than `toleranceSeconds` from now, or the body is not an event.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): Promise<ZimboEvent> {
  const { toleranceSeconds = 300, now = new Date() } = options;
  if (!secret) throw new TypeError('The secret of the webhook endpoint is empty: is it set?');
  const body = bytesOf(rawBody);
  const timestamp = headerOf(headers, 'x-service-timestamp');
  const signature = headerOf(headers, 'x-service-signature');
  if (timestamp === undefined || signature === undefined) {
    const about = 'X-Service-Timestamp or X-Service-Signature is missing.';
    throw new WebhookVerificationError('MISSING_HEADER', about);
  }
  const signatures = [signature, headerOf(headers, 'x-service-signature-next') ?? ''];
  if (!(await isSigned(secret, joined(`${timestamp}.`, body), signatures))) {
    const about =
      'The signature is wrong: another secret, or the body was changed after its arrival.';
    throw new WebhookVerificationError('WRONG_SIGNATURE', about);
  }
  const ageSeconds = now.getTime() / 1_000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    const about = `The timestamp is ${Math.round(ageSeconds)} s old: a replay, or a wrong clock.`;
    throw new WebhookVerificationError('STALE_TIMESTAMP', about);
  }
  return eventOf(body);
}

/**
 * The headers with which the gateway would send this body: for tests of your receiver.
 * @param secret The secret that the receiver verifies with.
 */
export async function signWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  secret: string,
  { now = new Date() }: Pick<VerifyOptions, 'now'> = {},
): Promise<Record<'x-service-timestamp' | 'x-service-signature', string>> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const message = joined(`${timestamp}.`, bytesOf(rawBody));
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), message);
  return { 'x-service-timestamp': timestamp, 'x-service-signature': hexOf(signature) };
}

const hexOf = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

function keyOf(secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [use]);
}

function bytesOf(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  // A copy, because the bytes must not change while verify reads them.
  if (rawBody instanceof Uint8Array) return new Uint8Array(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody.slice(0));
  throw new TypeError('rawBody must be the body as received, text or bytes, not parsed');
}

/** The value of a header that occurs exactly once. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([one]) => one.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 1 ? values[0] : undefined;
}

function joined(start: string, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const first = new TextEncoder().encode(start);
  const all = new Uint8Array(first.length + rest.length);
  all.set(first);
  all.set(rest, first.length);
  return all;
}

async function isSigned(
  secret: string,
  message: Uint8Array<ArrayBuffer>,
  signatures: string[],
): Promise<boolean> {
  const key = await keyOf(secret, 'verify');
  const verdicts = signatures.map((signature) =>
    crypto.subtle.verify('HMAC', key, bytesOfHex(signature), message),
  );
  return (await Promise.all(verdicts)).includes(true);
}

/** Anything but hex becomes no bytes, which match no signature. */
function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  const pairs = /^([0-9a-f]{2})*$/i.test(hex) ? (hex.match(/../g) ?? []) : [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

function eventOf(body: Uint8Array): ZimboEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof event.id === 'string' && typeof event.type === 'string') return event;
  } catch {
    // Reported below, like any other body that is not an event.
  }
  throw new WebhookVerificationError('NOT_AN_EVENT', 'The body is signed, but is not an event.');
}
