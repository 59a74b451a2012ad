import type { ZimboEvent } from './event.ts';

/** A `Headers`, or a plain record as `request.headers` of Node; names in any case. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** How far the timestamp may be from now, before or after, in seconds: 300 if left out. */
  toleranceSeconds?: number | undefined;
  /** The time now, for tests. */
  now?: Date | undefined;
}

export type WebhookRefusal =
  | 'MISSING_HEADER'
  | 'WRONG_SIGNATURE'
  | 'STALE_TIMESTAMP'
  | 'NOT_AN_EVENT';

/** A delivery that is not to be believed: answer 400, and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Checks that the gateway sent this now, and gives the event (contract, sections 6.3 and 6.4). While a secret is being rotated
 * deliveries carry two signatures; that of the secret you hold is enough. The comparison takes the same time wherever a forged
 * signature differs.
 *
 * @param rawBody The body as it arrived, text or bytes: parsed and written again it is another.
 * @param secret The endpoint's secret as it was given, `whsec_` included.
 * @throws {WebhookVerificationError} when a header lacks, the signature is wrong, the timestamp is more than `toleranceSeconds`
 * from now, or the body is no event.
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
      'The signature is wrong: another secret, or a body that was changed after it arrived.';
    throw new WebhookVerificationError('WRONG_SIGNATURE', about);
  }
  const ageSeconds = now.getTime() / 1_000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    const about = `The timestamp is ${Math.round(ageSeconds)} s old: a replay, or a clock that is wrong.`;
    throw new WebhookVerificationError('STALE_TIMESTAMP', about);
  }
  return eventOf(body);
}

function bytesOf(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  // A copy: what verify is still reading must not change under it.
  if (rawBody instanceof Uint8Array) return new Uint8Array(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody.slice(0));
  throw new TypeError('rawBody must be the body as it arrived, text or bytes, not parsed');
}

/** The value of a header that is there once. */
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
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const keyBytes = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey('raw', keyBytes, algorithm, false, ['verify']);
  const verdicts = signatures.map((signature) =>
    crypto.subtle.verify('HMAC', key, bytesOfHex(signature), message),
  );
  return (await Promise.all(verdicts)).includes(true);
}

/** What is no hex becomes no bytes, which no signature is. */
function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  const pairs = /^([0-9a-f]{2})*$/i.test(hex) ? (hex.match(/../g) ?? []) : [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

function eventOf(body: Uint8Array): ZimboEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof event.id === 'string' && typeof event.type === 'string') return event;
  } catch {
    // Told below, like any other body that is no event.
  }
  throw new WebhookVerificationError('NOT_AN_EVENT', 'The body is signed, but is no event.');
}
