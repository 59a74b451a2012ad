import type { ErrorCode } from '../errors/errors.ts';
import type { HttpScope } from './server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error in the response. */
    errorCode: ErrorCode | undefined;
    /** The id of the object that a POST made or changed, as in its response. */
    madeId: string | undefined;
  }
}

/** The facts about a request without its path, its query or its body. */
export interface AnsweredRequest {
  keyId: string;
  requestId: string;
  method: string;
  /** The route pattern, such as `/v1/payments/:id`; null if no route matched. */
  route: string | null;
  status: number;
  errorCode: ErrorCode | null;
  durationMs: number;
  /** The id of the object that a POST made or changed. */
  madeId: string | null;
}

/** Called for each answered request with a known key. */
export type OnAnswer = (tenantId: string, request: AnsweredRequest) => void;

/** Every object of the API begins with its id. */
const startOfObject = /^\{"id":"[a-z]{2,3}_[0-9a-z]{26}"/;
const idStart = '{"id":"'.length;

const madeIdIn = (json: string) =>
  startOfObject.test(json) ? json.slice(idStart, json.indexOf('"', idStart)) : undefined;

export function reportAnswers(scope: HttpScope, onAnswer: OnAnswer): void {
  scope.decorateRequest('madeId');
  scope.addHook('onSend', (request, reply, payload, done) => {
    if (request.method === 'POST' && reply.statusCode === 200 && typeof payload === 'string') {
      request.madeId = madeIdIn(payload);
    }
    done(null, payload);
  });
  scope.addHook('onResponse', (request, reply, done) => {
    const { principal } = request;
    // A request without a key belongs in no tenant's log.
    if (principal !== undefined) {
      onAnswer(principal.tenantId, {
        keyId: principal.key.id,
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        errorCode: request.errorCode ?? null,
        durationMs: reply.elapsedTime,
        madeId: request.madeId ?? null,
      });
    }
    done();
  });
}
