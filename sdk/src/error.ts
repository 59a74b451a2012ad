import { gatewayErrorCodes } from './generated.ts';

/** What the gateway says is wrong: the codes of docs/errors.md (contract, section 7). */
export type GatewayErrorCode = (typeof gatewayErrorCodes)[number];

/**
 * The codes of the gateway, and three of this client: no answer came (`CONNECTION_FAILED`), none came in time
 * (`TIMEOUT`), or something answered that does not speak as the gateway does (`UNEXPECTED_ANSWER`).
 */
export type ErrorCode = GatewayErrorCode | 'CONNECTION_FAILED' | 'TIMEOUT' | 'UNEXPECTED_ANSWER';

export interface ZimboErrorDetails {
  code: ErrorCode;
  message: string;
  status?: number;
  requestId?: string | null;
  param?: string | null;
  retryAfterSeconds?: number | null;
  idempotencyKey?: string | null;
  cause?: unknown;
}

/** Every call of the API that fails throws one; what went wrong is its `code`. */
export class ZimboError extends Error {
  override readonly name = 'ZimboError';
  /** For programs: a `switch` over it can be exhaustive. */
  readonly code: ErrorCode;
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  /** What to quote when you report a problem to the gateway's operator; null when no answer came. */
  readonly requestId: string | null;
  /** Which field, parameter or header is refused, such as `items[0].quantity`; null where the gateway names none. */
  readonly param: string | null;
  /** How many seconds the gateway asked to wait; null when it did not say. */
  readonly retryAfterSeconds: number | null;
  /** The key under which the request was sent: send it again under this key, and it takes effect once. */
  readonly idempotencyKey: string | null;

  constructor(details: ZimboErrorDetails) {
    super(details.message, { cause: details.cause });
    this.code = details.code;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.param = details.param ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.idempotencyKey = details.idempotencyKey ?? null;
  }
}

/** The error in an answer that is not 2xx. */
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
  const told = errorIn(text);
  const code = gatewayErrorCodes.find((known) => known === told?.code);
  if (told && code)
    return new ZimboError({ ...common, code, message: told.message, param: told.param ?? null });
  const said = told ? `${told.code}: ${told.message}` : `status ${status}`;
  const message = `This is not an answer that a Zimbo gateway gives (${said}). Is baseUrl right, and this package as new as the gateway?`;
  return new ZimboError({ ...common, code: 'UNEXPECTED_ANSWER', message });
}

function errorIn(text: string): { code: string; message: string; param?: string } | undefined {
  try {
    return JSON.parse(text).error;
  } catch {
    return undefined;
  }
}

/**
 * Retry-After is a number of seconds or, from some proxies, a date: by the clock that wrote it. Several are joined by
 * commas, and the longest counts; a date holds a comma after its weekday.
 */
function retryAfterSecondsOf(headers: Headers): number | null {
  const nowMs = Date.parse(headers.get('date') ?? '');
  const waits = (headers.get('retry-after') ?? '')
    .split(/(?<![A-Z][a-z]{2,8}),/)
    .map((value) => secondsIn(value.trim(), nowMs))
    .filter((seconds) => !Number.isNaN(seconds));
  return waits.length === 0 ? null : Math.max(0, ...waits);
}

function secondsIn(value: string, nowMs: number): number {
  if (/^\d+$/.test(value)) return Number(value);
  if (!/^[A-Z][a-z]{2}/.test(value)) return Number.NaN;
  // The form of C's asctime means GMT and does not say so.
  const date = value.endsWith('GMT') ? value : `${value} GMT`;
  return Math.ceil((Date.parse(date) - nowMs) / 1_000);
}
