import type { ErrorCode } from '../errors/errors.ts';
import type { HttpScope } from './server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the refusal that it was answered with. */
    errorCode: ErrorCode | undefined;
  }
}

/** What can be told of a request without its path, its query or its body. */
export interface AnsweredRequest {
  keyId: string;
  requestId: string;
  method: string;
  /** The pattern, such as `/v1/payments/:id`; null: there is no such route. */
  route: string | null;
  status: number;
  errorCode: ErrorCode | null;
  durationMs: number;
}

/** Hears of each request whose key is known, when it has been answered. */
export type OnAnswer = (tenantId: string, request: AnsweredRequest) => void;

export function reportAnswers(scope: HttpScope, onAnswer: OnAnswer): void {
  scope.addHook('onResponse', (request, reply, done) => {
    const { principal } = request;
    // Without a key nobody's log is concerned.
    if (principal !== undefined) {
      onAnswer(principal.tenantId, {
        keyId: principal.key.id,
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        errorCode: request.errorCode ?? null,
        durationMs: reply.elapsedTime,
      });
    }
    done();
  });
}
