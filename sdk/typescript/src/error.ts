import type { gatewayErrorCodes } from './generated.ts';

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
export class ZimboError extends Error {
  override readonly name = 'ZimboError';
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

  constructor(details: ZimboErrorDetails) {
    super(details.message, { cause: details.cause });
    this.code = details.code;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.param = details.param ?? null;
    this.details = details.details ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.idempotencyKey = details.idempotencyKey ?? null;
  }
}

/** The error of an answer that is not 2xx. */
export function errorOfAnswer(
  answer: Response,
  text: string,
  idempotencyKey: string | null,
): ZimboError {
  const { status, headers } = answer;
  const common = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: retryAfterSecondsOf(headers),
    idempotencyKey,
  };
  const answered = errorIn(text);
  if (answered) {
    const { code, message, param = null } = answered;
    const details = Array.isArray(answered.details) ? answered.details.filter(isProblem) : [];
    const requestId = common.requestId ?? answered.requestId ?? null;
    return new ZimboError({ ...common, requestId, code, message, param, details });
  }
  const message = `This is not an answer that a Zimbo gateway gives (status ${status}). Is baseUrl right?`;
  return new ZimboError({ ...common, code: 'UNEXPECTED_ANSWER', message });
}

interface Answered {
  code: string;
  message: string;
  param?: string;
  requestId?: string;
  details?: unknown;
}

function isProblem(one: Partial<Problem> | null): one is Problem {
  return typeof one?.param === 'string' && typeof one.message === 'string';
}

function errorIn(text: string): Answered | undefined {
  try {
    const { error } = JSON.parse(text);
    return typeof error.code === 'string' && typeof error.message === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Retry-After is a number of seconds or, from some proxies, a date, measured against the Date
 * header if there is one. Commas join several values, and the longest counts; a date has a comma after its weekday.
 */
function retryAfterSecondsOf(headers: Headers): number | null {
  const nowMs = Date.parse(headers.get('date') ?? '') || Date.now();
  const waits = (headers.get('retry-after') ?? '')
    .split(/(?<![A-Z][a-z]{2,8}),/)
    .map((value) => secondsIn(value.trim(), nowMs))
    .filter((seconds) => !Number.isNaN(seconds));
  return waits.length === 0 ? null : Math.max(0, ...waits);
}

function secondsIn(value: string, nowMs: number): number {
  // As RFC 9111 counts more than fits.
  if (/^\d+$/.test(value)) return Math.min(Number(value), 2 ** 31);
  if (!/^[A-Z][a-z]{2}/.test(value)) return Number.NaN;
  // C's asctime format means GMT without saying so.
  const date = / \d{4}$/.test(value) ? `${value} GMT` : value;
  return Math.ceil((Date.parse(date) - nowMs) / 1_000);
}
