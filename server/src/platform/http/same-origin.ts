import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../network/networks.ts';
import { isProxied } from './proxies.ts';

/**
 * Whether the request comes from our own page in a browser on this machine. The browser marks requests from
 * other sites (including other ports) and addresses typed by hand. Headers or the requested host reveal a
 * proxy.
 */
export function isAskedByOwnPage({
  raw: { headers, socket },
}: Pick<FastifyRequest, 'raw'>): boolean {
  return (
    headers['sec-fetch-site'] === 'same-origin' &&
    headers['sec-fetch-dest'] === 'empty' &&
    isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/i, '')) &&
    headers.host !== undefined &&
    !isProxied(headers)
  );
}
