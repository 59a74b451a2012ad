import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { collectSoon } from '../collect-garbage.ts';
import { jsonType } from './errors.ts';

/** More than this is sent in chunks: put together, it would be in memory several times. */
const largeBytes = 1024 * 1024;
/** As much is worth a write of its own. */
const chunkLength = 64 * 1024;

/**
 * Sends JSON text that was made before, byte for byte; a handler that does returns the reply, or nothing.
 * @param pieces the text, in order; a large one is best a piece of its own
 */
export function sendJson(reply: Pick<FastifyReply, 'header' | 'raw'>, ...pieces: string[]): void {
  reply.header('content-type', jsonType);
  const bytes = bytesOf(pieces);
  if (bytes <= largeBytes) (reply as FastifyReply).send(pieces.join(''));
  else {
    reply.header('content-length', bytes);
    (reply as FastifyReply).send(Readable.from(chunksOf(pieces)));
    collectSoon();
  }
}

export const bytesOf = (pieces: readonly string[]): number =>
  pieces.reduce((bytes, piece) => bytes + Buffer.byteLength(piece), 0);

/** Small pieces together, large ones as they are. */
function* chunksOf(pieces: readonly string[]): Generator<string> {
  let small = '';
  for (const piece of pieces) {
    if (piece.length < chunkLength) small += piece;
    if (small !== '' && (piece.length >= chunkLength || small.length >= chunkLength)) {
      yield small;
      small = '';
    }
    if (piece.length >= chunkLength) yield piece;
  }
  if (small !== '') yield small;
}
