import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { createTurns } from '../process/keyed-queue.ts';
import type { HttpScope } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The writes of this route are already serialized below: in batches, or by limits of their own. */
    takesTurnsBeneath?: boolean;
  }
}

/** How many write requests of one tenant run at once. */
const running = 2;

/**
 * Write requests may wait for one another's rows. A few of each tenant run at once, and the others wait here:
 * waiting in the database, each would occupy a connection that other tenants could use.
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
