import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Buckets, RateLimit } from '../../platform/http/rate-limit.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { createTurns } from '../../platform/process/keyed-queue.ts';
import { type ConsoleAddress, sessionToken } from './session.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Lets another page of the session begin: this one is made, and only has to be sent. */
    endTurn: (() => void) | undefined;
  }
}

/** Pages of one session: nobody clicks faster. */
export const pageRate: RateLimit = { perSecond: 10, burst: 60 };

/** So many pages of one session are made at once; as many wait as the rate lets through in the longest wait. */
const turnLimits = { running: 4, waiting: 200 };

/** Does what needs the database for a request when its session has a turn. */
export type InTurn = <Result>(
  request: FastifyRequest,
  work: () => Promise<Result>,
) => Promise<Result>;

/**
 * Of each session a few pages are made at once, and the others wait here, where they hold no connection that others could
 * use. How slowly a page is read is nobody's business but its reader's.
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

/** Makes the pages that are registered from here on in turn, but for those that see to it themselves. */
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

/** Whether nobody waits for the page any more. What a form asks for is done all the same. */
const isGivenUp = ({ method, socket }: FastifyRequest) => method !== 'POST' && socket.destroyed;

/** Waits until the session may have one more page. */
export type Pace = (sessionId: string) => Promise<void>;

/**
 * Only pages that have their turn wait here, so nobody does for long.
 * @param buckets undefined where there is no limit
 */
export function createPace(clock: Clock, buckets: Buckets | undefined): Pace {
  return async (sessionId) => {
    for (;;) {
      const allowance = await buckets?.take(sessionId, clock.nowMs());
      if (allowance === undefined || allowance.allowed) return;
      await pause(allowance.retryInMs);
    }
  };
}
