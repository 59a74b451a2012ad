import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const pack = promisify(gzip);

/** Shorter pages fit into one or two packets anyway. */
const fewestCharacters = 1_400;

/**
 * Compresses a page for slow lines, but only if the console itself or the person requested the
 * page: another site could make the browser request a guess, and the compressed length would reveal
 * whether the guess is right (BREACH).
 */
export async function compressPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const type = String(reply.getHeader('content-type'));
  if (typeof payload !== 'string' || !type.startsWith('text/html')) return payload;
  const isAsked = ['same-origin', 'none'].includes(String(headers['sec-fetch-site']));
  const isTaken = /\bgzip\b/.test(String(headers['accept-encoding']));
  if (!isAsked || !isTaken || payload.length < fewestCharacters) return payload;
  reply.header('content-encoding', 'gzip');
  return pack(payload);
}
