import type { gatewayErrorCodes } from './generated.js';
/** The gateway's error codes, as in docs/errors.md (contract, section 7). */
export type GatewayErrorCode = (typeof gatewayErrorCodes)[number];
/**
 * The gateway's codes, and three of this client: no answer (`CONNECTION_FAILED`), no answer in time
 * (`TIMEOUT`), or an answer that no gateway gives (`UNEXPECTED_ANSWER`).
 */
export type ErrorCode = GatewayErrorCode | 'CONNECTION_FAILED' | 'TIMEOUT' | 'UNEXPECTED_ANSWER';
/** A newer gateway may give codes that this version does not know; editors still offer the known ones. */
export type AnyErrorCode = ErrorCode | (string & {});
/** A rule that a request breaks. */
export interface Problem {
    /** The field, parameter or header, such as `items[0].quantity`. */
    param: string;
    message: string;
}
export interface ZimboErrorDetails {
    code: AnyErrorCode;
    message: string;
    status?: number;
    requestId?: string | null;
    param?: string | null;
    details?: readonly Problem[];
    retryAfterSeconds?: number | null;
    idempotencyKey?: string | null;
    cause?: unknown;
}
/** Thrown by every failed API call; `code` is the reason. */
export declare class ZimboError extends Error {
    readonly name = "ZimboError";
    /** For programs. */
    readonly code: AnyErrorCode;
    /** The HTTP status; null without an answer. */
    readonly status: number | null;
    /** Quote this when you report a problem to the gateway's operator; null without an answer. */
    readonly requestId: string | null;
    /** The rejected field, parameter or header, such as `items[0].quantity`; null if the gateway names none. */
    readonly param: string | null;
    /** All problems of the request if it has several, that of `message` first; empty if it has one. */
    readonly details: readonly Problem[];
    /** How many seconds the gateway asks you to wait; null if it does not say. */
    readonly retryAfterSeconds: number | null;
    /** The idempotency key of the request: repeated under this key, the request takes effect once. */
    readonly idempotencyKey: string | null;
    constructor(details: ZimboErrorDetails);
}
/** The error of an answer that is not 2xx. */
export declare function errorOfAnswer(answer: Response, text: string, idempotencyKey: string | null): ZimboError;
