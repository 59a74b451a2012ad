import type { FastifyRequest } from 'fastify';
import { formatId } from '../values/ids.ts';

/** Who makes a request, and from where, for the audit record of a change. */
export function authorOf({ principal, ip }: Pick<FastifyRequest, 'principal' | 'ip'>) {
  return { actor: `key:${formatId('ak', principal.key.id)}`, origin: ip };
}

/** The same for a request to `/admin/v1`. */
export function adminAuthorOf({ adminKey, ip }: Pick<FastifyRequest, 'adminKey' | 'ip'>) {
  if (adminKey.author) return adminKey.author;
  return { actor: `admin_key:${formatId('ak', adminKey.key.id)}`, origin: ip };
}
