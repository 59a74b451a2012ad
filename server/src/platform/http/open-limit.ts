import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Clock } from '../clock.ts';
import { RateLimiter } from './rate-limit.ts';
import { tooMany } from './tenant-limit.ts';

export type OpenLimit = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void;

/** Of one address. A page of the docs is four requests. */
const perAddress = { perSecond: 20, burst: 200 };

/** An onRequest hook for what anybody may ask without a key. */
export function createOpenLimit(clock: Clock): OpenLimit {
  const limiter = new RateLimiter(perAddress);
  return (request, reply, done) => {
    const allowance = limiter.take(request.ip, clock.nowMs());
    if (allowance.allowed) done();
    else done(tooMany(reply, allowance, 'Too many requests.'));
  };
}

export const noLimit: OpenLimit = (_request, _reply, done) => done();
