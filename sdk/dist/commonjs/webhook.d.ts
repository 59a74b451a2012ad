import type { ZimboEvent } from './event.js';
/** A `Headers`, or a plain record like Node's `request.headers`, with names in any case. */
export type WebhookHeaders = Pick<Headers, 'get'> | Record<string, string | readonly string[] | undefined>;
export interface VerifyOptions {
    /** How far the timestamp may be from now, before or after, in seconds; by default 300. */
    toleranceSeconds?: number | undefined;
    /** The current time, for tests. */
    now?: Date | undefined;
}
export type WebhookRefusal = 'MISSING_HEADER' | 'WRONG_SIGNATURE' | 'STALE_TIMESTAMP' | 'NOT_AN_EVENT';
/** A delivery that is not genuine: answer 400, and ignore it. */
export declare class WebhookVerificationError extends Error {
    readonly name = "WebhookVerificationError";
    readonly reason: WebhookRefusal;
    constructor(reason: WebhookRefusal, message: string);
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
export declare function verifyWebhook(rawBody: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders, secret: string, options?: VerifyOptions): Promise<ZimboEvent>;
/**
 * The headers with which the gateway would send this body: for tests of your receiver.
 * @param secret The secret that the receiver verifies with.
 */
export declare function signWebhook(rawBody: string | Uint8Array | ArrayBuffer, secret: string, { now }?: Pick<VerifyOptions, 'now'>): Promise<Record<'x-service-timestamp' | 'x-service-signature', string>>;
