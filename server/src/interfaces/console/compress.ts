import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const pack = promisify(gzip);

/** What is shorter fits into a packet or two anyway. */
const fewestCharacters = 1_400;

/**
 * Packs a page for the line of a phone. Only if the console itself or the person asked for it: what another site makes
 * a browser ask for could hold a guess, and the length of the packed page would tell whether it is right (BREACH).
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
