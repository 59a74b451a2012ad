import { PassThrough, type Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A file that is generated while it is sent. */
export interface FileToSend {
  fileName: string;
  contentType: string;
  /** Ends the writable, and handles a reader that has gone. */
  writeTo(writable: Writable): Promise<unknown>;
}

/** Sends a file as a download while it is generated. */
export function sendFile(reply: FastifyReply, file: FileToSend): FastifyReply {
  const made = new PassThrough();
  reply.header('content-type', file.contentType);
  reply.header('content-disposition', `attachment; filename="${file.fileName}"`);
  void file.writeTo(made);
  return reply.send(made);
}
