import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Piece } from '../formats/large-text.ts';
import { collectSoon } from '../memory/collect-garbage.ts';
import { jsonType } from './errors.ts';

/** Larger responses are sent in chunks; joined, they would be in memory several times. */
const largeBytes = 1024 * 1024;
/** Text of this many characters is always smaller than that. */
const smallLength = largeBytes / 3;
/** A piece of this size is worth its own write. */
const chunkLength = 64 * 1024;

/**
 * Sends stored JSON text, byte for byte; the handler then returns the reply, or nothing.
 * @param pieces the text, in order; a large part should be a piece of its own
 */
export function sendJson(reply: Pick<FastifyReply, 'header' | 'raw'>, ...pieces: Piece[]): void {
  reply.header('content-type', jsonType);
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === 'string' && only.length <= smallLength) {
    (reply as FastifyReply).send(only);
    return;
  }
  const bytes = bytesOf(pieces);
  if (bytes <= largeBytes && pieces.every(isText)) (reply as FastifyReply).send(pieces.join(''));
  else {
    reply.header('content-length', bytes);
    (reply as FastifyReply).send(Readable.from(chunksOf(pieces)));
  }
}

const isText = (piece: Piece) => typeof piece === 'string';

export const bytesOf = (pieces: readonly Piece[]): number =>
  pieces.reduce(
    (bytes, piece) => bytes + (isText(piece) ? Buffer.byteLength(piece) : piece.bytes),
    0,
  );

/** Small pieces together, large ones as they are. */
async function* chunksOf(pieces: readonly Piece[]): AsyncGenerator<string | Buffer> {
  let small = '';
  for (const piece of pieces) {
    const isSmall = isText(piece) && piece.length < chunkLength;
    if (isSmall) small += piece;
    if (small !== '' && (!isSmall || small.length >= chunkLength)) {
      yield small;
      small = '';
    }
    if (isSmall) continue;
    if (isText(piece)) yield piece;
    else
      for await (const slice of piece.read()) {
        yield slice;
        collectSoon();
      }
  }
  if (small !== '') yield small;
}
