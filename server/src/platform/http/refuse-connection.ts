import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../errors/errors.ts';
import { errorBody, jsonType } from './errors.ts';

const lingerMs = 5_000;

const messageOf: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The path or the headers of the request are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
};

/** Node keeps the response in progress of a socket here, without a public API for it. */
type HttpSocket = Socket & { _httpMessage?: ServerResponse | null };

const refused = new WeakSet<Socket>();

/** The listener for `clientError`: a request that is not HTTP gets an error of ours, once, in its turn. */
export function refuseClientError(error: Error & { code?: string }, socket: Socket): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  socket.on('error', () => socket.destroy());
  // Browsers keep spare connections open: they would take an answer there for the answer to their first
  // request.
  const isUnused = socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || isUnused) socket.destroy();
  else refuseInTurn(socket, messageOf[error.code ?? ''] ?? 'This is not a valid HTTP request.');
}

/** The listener for `connect`: a gateway is no proxy. */
export function refuseConnect(_request: IncomingMessage, socket: Socket): void {
  refuseClientError(new Error('CONNECT'), socket);
}

/**
 * The answers to complete earlier requests go out first. Otherwise a client would take our refusal for such
 * an answer, and believe that a payment failed which did not.
 */
function refuseInTurn(socket: HttpSocket, message: string): void {
  const busyWith = socket._httpMessage;
  if (socket.destroyed) return;
  if (busyWith?.req.complete) busyWith.once('close', () => refuseInTurn(socket, message));
  else if (busyWith?.headersSent) socket.destroy();
  else finish(socket, message);
}

/** Reads on for a moment: closing on unread data resets the connection, and the answer could be lost. */
function finish(socket: Socket, message: string): void {
  socket.end(rawAnswer(message));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

function rawAnswer(message: string): string {
  const requestId = randomUUID();
  const body = errorBody(new DomainError('VALIDATION_ERROR', message), requestId);
  return [
    'HTTP/1.1 400 Bad Request',
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${jsonType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
