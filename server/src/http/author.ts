import type { FastifyRequest } from 'fastify';
import { formatId } from '../ids.ts';

/** Who asks, and from where: for what is recorded of a change. */
export function authorOf({ principal, ip }: Pick<FastifyRequest, 'principal' | 'ip'>) {
  return { actor: `key:${formatId('ak', principal.key.id)}`, origin: ip };
}
