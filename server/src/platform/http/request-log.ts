import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { formatId } from '../values/ids.ts';

/** One line for each request, at debug level; never a header, and only the route of the URL. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    reply.log.debug(
      {
        requestId: request.id,
        method: request.method,
        // The pattern, not the path: the path of a payment page contains the secret of its link.
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ...(request.principal && { apiKeyId: formatId('ak', request.principal.key.id) }),
        ...(request.adminKey && { adminKeyId: formatId('ak', request.adminKey.key.id) }),
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        ...(error && { err: error }),
      },
      'request',
    );
  }

  override writeHeadError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    reply.log.warn(
      { err: error, requestId: request.id },
      'the headers of an answer could not be written',
    );
  }

  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    reply.log.debug({ err: error, requestId: request.id }, 'an answer was cut off');
  }

  override serializerError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    reply.log.error({ err: error, requestId: request.id }, 'an answer could not be serialized');
  }
}

/**
 * A separate logger for each request would cost more than everything else here, so the lines carry the id
 * themselves.
 */
export const sharedLogger = <Logger extends FastifyBaseLogger>(logger: Logger): Logger => logger;
