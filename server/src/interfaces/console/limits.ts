import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Buckets, RateLimit } from '../../platform/http/rate-limit.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { createTurns } from '../../platform/process/keyed-queue.ts';
import { type ConsoleAddress, sessionToken } from './session.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Lets the next page of the session start, once this one is computed and only has to be sent. */
    endTurn: (() => void) | undefined;
  }
}

/** Pages of one session: nobody clicks faster. */
export const pageRate: RateLimit = { perSecond: 10, burst: 60 };

/** The number of concurrent pages of one session; as many wait as the rate allows within the longest wait. */
const turnLimits = { running: 4, waiting: 200 };

/** Runs the database work of a request when its session has a turn. */
export type InTurn = <Result>(
  request: FastifyRequest,
  work: () => Promise<Result>,
) => Promise<Result>;

/**
 * Computes a few pages of each session at a time; the others wait here without a connection to the
 * database. A slow reader only slows down the own page.
 */
export function createPageTurns(address: ConsoleAddress): InTurn {
  const turns = createTurns(turnLimits);
  return async (request, work) => {
    const token = sessionToken(request, address);
    if (token === undefined) return work();
    let result: ReturnType<typeof work>;
    await turns(token, async () => {
      const sent = Promise.withResolvers<void>();
      request.endTurn = sent.resolve;
      result = work();
      await Promise.race([result, sent.promise]);
    });
    return result!;
  };
}

/** Makes the following pages take turns, except those that do so themselves. */
export function boundPages(scope: HttpScope, inTurn: InTurn): void {
  scope.decorateRequest('endTurn', undefined);
  scope.addHook('onSend', (request, _reply, _payload, done) => {
    request.endTurn?.();
    done();
  });
  scope.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.takesTurnsBeneath) return;
    const { handler } = route;
    route.handler = function handle(request: FastifyRequest, reply: FastifyReply) {
      return inTurn(request, async () =>
        isGivenUp(request) ? reply.hijack() : handler.call(this, request, reply),
      );
    };
  });
}

/** Whether the client has disconnected. A form takes effect all the same. */
const isGivenUp = ({ method, socket }: FastifyRequest) => method !== 'POST' && socket.destroyed;

/** Waits until the session may compute another page. */
export type Pace = (sessionId: string) => Promise<void>;

/** Only pages with a turn wait here, so nobody waits long. @param buckets undefined without a limit */
export function createPace(clock: Clock, buckets: Buckets | undefined): Pace {
  return async (sessionId) => {
    for (;;) {
      const allowance = await buckets?.take(sessionId, clock.nowMs());
      if (allowance === undefined || allowance.allowed) return;
      await pause(allowance.retryInMs);
    }
  };
}
