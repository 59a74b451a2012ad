import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import {
  DomainError,
  type ErrorCode,
  InvalidFields,
  invalidBody,
  type Problem,
} from '../errors/errors.ts';
import { outageOf } from '../observability/outage.ts';
import { formatId } from '../values/ids.ts';
import { findProblems } from './find-problems.ts';

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 429 | 500;

/** Exhaustive: a new error code does not compile until it has a status. */
export const statusOf: Record<ErrorCode, ErrorStatus> = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  ADDRESS_NOT_ALLOWED: 403,
  KEY_LIMIT_EXCEEDED: 403,
  NOT_FOUND: 404,
  INVALID_STATE: 409,
  REFUND_EXCEEDS_PAYMENT: 409,
  INSUFFICIENT_BALANCE: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  LIMIT_REACHED: 409,
  RATE_LIMITED: 429,
  UNAVAILABLE: 500,
  INTERNAL_ERROR: 500,
};

export const jsonType = 'application/json; charset=utf-8';

export const internalError = new DomainError(
  'INTERNAL_ERROR',
  'Something went wrong on our side. Please quote the X-Request-Id of this response when you report it.',
);

/**
 * The gateway does not always know whether the request took effect; with an idempotency key it takes effect
 * only once.
 */
export const unavailable = new DomainError(
  'UNAVAILABLE',
  'The service is not available at the moment. Send the same request again after the seconds in Retry-After, with the same Idempotency-Key if it has one.',
);
const retryAfterSeconds = 1;

const mebibyte = 1024 * 1024;

/** Errors of the framework before our code sees the request. */
const messageOf: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The Content-Type of a request body must be application/json.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request body is not as long as its Content-Length says.',
};

/** @param details all problems of the request, if there are several */
export function errorBody(
  { message, code, param }: DomainError,
  requestId: string,
  details: readonly Problem[] = [],
): string {
  const error = { message, code, param, requestId };
  return JSON.stringify({ error: details.length > 0 ? { ...error, details } : error });
}

/** The error that the client sees: for an internal fault, only our own text. */
export function publicError(error: unknown, mostBodyBytes = mebibyte): DomainError {
  if (error instanceof DomainError) return error.code === 'INTERNAL_ERROR' ? internalError : error;
  if (outageOf(error)) return unavailable;
  const { statusCode, code } = error as Partial<FastifyError>;
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return internalError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return invalidBody(`must not be larger than ${mostBodyBytes / mebibyte} MiB.`);
  }
  return new DomainError(
    'VALIDATION_ERROR',
    messageOf[code ?? ''] ?? 'The request could not be read.',
  );
}

/** Answers with an error. An unforeseen error is logged with the request id, and answered without detail. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = publicError(error, request.routeOptions.bodyLimit);
  request.errorCode = refusal.code;
  if (statusOf[refusal.code] === 500) {
    const holder = request.principal ?? request.adminKey;
    const apiKeyId = holder && formatId('ak', holder.key.id);
    const route = `${request.method} ${request.routeOptions.url ?? 'of no route'}`;
    reportFault(error, { request, reply }, `${route} failed`, { apiKeyId });
  }
  askToWait(refusal.code, reply);
  keepConnection(reply);
  void reply
    .code(statusOf[refusal.code])
    .header('content-type', jsonType)
    .send(errorBody(refusal, request.id, problemsOf(error, refusal, request)));
}

/** Fastify marks the errors of schemas, which stop at the first problem. */
function problemsOf(
  error: unknown,
  refusal: DomainError,
  request: FastifyRequest,
): readonly Problem[] {
  if (error instanceof InvalidFields) return error.details;
  const { validation } = error as Partial<FastifyError>;
  return validation === undefined ? [] : findProblems(request, refusal);
}

/** A limited client learns when to try again. */
export function askToWait(code: ErrorCode, reply: FastifyReply): void {
  if (code === 'RATE_LIMITED' && !reply.hasHeader('retry-after')) reply.header('retry-after', '1');
}

const isUnavailable = (error: unknown) =>
  error instanceof DomainError && error.code === 'UNAVAILABLE';

/**
 * Logs an internal error. Errors of an outage are only counted, in the outage's own log line. An outage and
 * a cell that is not ready tell the client when to try again.
 */
export function reportFault(
  error: unknown,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  words: string,
  about: object = {},
): void {
  const outage = outageOf(error);
  if (outage || isUnavailable(error)) {
    if (outage) outage.refused++;
    reply.header('retry-after', String(retryAfterSeconds));
    return;
  }
  request.log.error({ err: error, requestId: request.id, ...about }, words);
}

/**
 * Fastify wants to close the connection when it refuses a body. Closing while the client still sends would
 * reset the connection and lose the reason for the refusal, so the rest is read and dropped.
 */
function keepConnection(reply: FastifyReply): void {
  if (reply.hasHeader('connection') && !reply.raw.hasHeader('connection')) {
    reply.removeHeader('connection');
  }
}
