import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endSlowReader } from './memory-limit.ts';

/** A body that is the same for every client: in memory once, regardless of the number of readers. */
export interface Prepared {
  type: string;
  plain: Buffer;
  zipped: Buffer;
}

const zip = promisify(gzip);

export async function prepare(type: string, content: string | Buffer): Promise<Prepared> {
  const plain = Buffer.from(content);
  return { type, plain, zipped: await zip(plain) };
}

/**
 * Prepares the response at the first call and returns it to all later ones; after a failure, the next call
 * tries again.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Sends the body, compressed if the client accepts it. All connections share one buffer, without copies. */
export function sendPrepared(
  { type, plain, zipped }: Prepared,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.type(type).header('vary', 'accept-encoding');
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (takesGzip) reply.header('content-encoding', 'gzip');
  const body = takesGzip ? zipped : plain;
  endSlowReader(reply, body.length);
  return reply.send(body);
}
