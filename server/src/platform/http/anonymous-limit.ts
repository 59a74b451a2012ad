import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Clock } from '../process/clock.ts';
import { AddressLimiter } from './address-limit.ts';
import { type MakeBuckets, whenKnown } from './rate-limit.ts';
import { tooMany } from './tenant-limit.ts';

export type OpenLimit = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void;

/** The limit of one address, or of an IPv6 /64. A page of the docs takes four requests. */
const perAddress = { perSecond: 20, burst: 200 };

/** An onRequest hook for routes that need no key; routes with the same limit name share a count. */
export function createOpenLimit(clock: Clock, name: string, makeBuckets: MakeBuckets): OpenLimit {
  const limiter = new AddressLimiter(makeBuckets(name, perAddress));
  return (request, reply, done) => {
    whenKnown(limiter.take(request.ip, clock.nowMs()), (allowance) => {
      if (allowance.allowed) done();
      else done(tooMany(reply, allowance, 'Too many requests.'));
    });
  };
}

export const noLimit: OpenLimit = (_request, _reply, done) => done();
