import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { createTurns } from '../process/keyed-queue.ts';
import type { HttpScope } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What this route writes takes turns beneath it: in batches, or by limits of its own. */
    takesTurnsBeneath?: boolean;
  }
}

/** How many requests of one tenant that change something run at once. */
const running = 2;

/**
 * Requests that change something may wait for one another's rows. Of each tenant a few run at once, and the others wait
 * here: in the database, each would hold a connection that others could use.
 */
export function boundActs(scope: HttpScope): void {
  const turns = createTurns({ running });
  scope.addHook('onRoute', (route: RouteOptions) => {
    const isRead = [route.method].flat().every((method) => method === 'GET' || method === 'HEAD');
    if (isRead || route.config?.takesTurnsBeneath) return;
    const { handler } = route;
    route.handler = function inTurn(request: FastifyRequest, reply: FastifyReply) {
      return turns(request.principal.tenantId, async () => handler.call(this, request, reply));
    };
  });
}
