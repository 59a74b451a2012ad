import { connect, type Socket } from 'node:net';
import type { LoadRequest } from './job.ts';

/** The parts of an answer that the load needs. */
export interface RawAnswer {
  status: number;
  body: string;
}

/**
 * One keep-alive connection that sends prepared HTTP/1.1 requests in sequence. It only supports
 * answers with Content-Length, so that the client takes little of the shared cores.
 */
export class RawClient {
  #socket: Socket;
  #received = '';
  #settle: { resolve(answer: RawAnswer): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#receive(chunk));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the gateway closed the connection')));
  }

  static open(url: URL): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(url.port), url.hostname);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawClient(socket));
      });
    });
  }

  send(request: string): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      if (this.#socket.destroyed) reject(new Error('the connection is closed'));
      else this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#received);
    const bodyEnd = headEnd + 4 + Number(length?.[1] ?? 0);
    if (this.#received.length < bodyEnd) return;
    const status = Number(this.#received.slice(9, 12));
    const body = this.#received.slice(headEnd + 4, bodyEnd);
    this.#received = this.#received.slice(bodyEnd);
    this.#settle?.resolve({ status, body });
  }
}

/** A request in the form written to a socket. */
export function httpRequest(
  url: URL,
  request: Omit<LoadRequest, 'key'> & { key?: string },
): string {
  const { method, path, key, body, idempotencyKey } = request;
  const headers = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${url.host}`,
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
