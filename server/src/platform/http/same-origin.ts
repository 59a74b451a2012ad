import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../network/networks.ts';
import { isProxied } from './proxies.ts';

/**
 * Whether a page of ours, in a browser on this machine, asks for data. Other sites, also those of other ports, and
 * addresses typed by hand are told apart by the browser; a proxy is known by its headers or by the host it is called by.
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
