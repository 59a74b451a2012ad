import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { statusOf } from '../../src/platform/http/errors.ts';
import type { HttpScope } from '../../src/platform/http/server.ts';
import { type DemoOptions, demoServer, fullKey } from './demo-server.ts';

/** Clients of the demo application, for the tests of the HTTP server. */
export interface Demo {
  app: HttpScope;
  port: number;
  /** Sends a request with the full key, unless the headers have another key, or '' for none. */
  send(method: string, path: string, init?: DemoRequest): Promise<Answer>;
  /** Writes bytes to a new socket and returns everything received until it closes. */
  exchange(...parts: (string | Buffer)[]): Promise<string>;
}

export interface DemoRequest {
  headers?: Record<string, string>;
  body?: string | Buffer | ReadableStream;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export const json = { 'content-type': 'application/json' };

export async function startDemo(t: TestContext, options: DemoOptions = {}): Promise<Demo> {
  const app = demoServer(options);
  t.after(() => app.close());
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  const port = Number(new URL(base).port);
  return {
    app,
    port,
    send: async (method, path, { headers, body } = {}) => {
      const init = { authorization: `Bearer ${fullKey}`, ...headers };
      const response = await fetch(base + path, {
        method,
        headers: Object.fromEntries(Object.entries(init).filter(([, value]) => value !== '')),
        ...(body !== undefined && { body, duplex: 'half' }),
      } as RequestInit);
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    exchange: (...parts) => exchange(port, parts),
  };
}

export function openSocket(port: number): {
  socket: Socket;
  received: () => string;
  closed: Promise<void>;
} {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, received: () => text, closed };
}

async function exchange(port: number, parts: (string | Buffer)[]): Promise<string> {
  const { socket, received, closed } = openSocket(port);
  for (const part of parts) socket.write(part);
  await closed;
  return received();
}

/** Checks that every error is `{"error":{"message","code"}}`, with the field and the request if known. */
export function assertError(
  answer: Pick<Answer, 'status' | 'text'>,
  code: keyof typeof statusOf,
): string {
  const body = JSON.parse(answer.text);
  assert.deepEqual(Object.keys(body), ['error'], answer.text);
  const known = ['message', 'code', 'param', 'requestId'].filter((name) => name in body.error);
  assert.deepEqual(Object.keys(body.error), known, answer.text);
  assert.equal(body.error.code, code, answer.text);
  assert.equal(answer.status, statusOf[code]);
  return body.error.message;
}

/** Splits the consecutive answers of a connection. */
export function parseAnswers(text: string): (Answer & { raw: string })[] {
  const answers = [];
  let rest = text;
  while (rest !== '') {
    const [head = '', ...tail] = rest.split('\r\n\r\n');
    const lines = head.split('\r\n');
    const headers = new Headers(
      lines.slice(1).map((line) => line.split(': ', 2) as [string, string]),
    );
    const length = Number(headers.get('content-length') ?? 0);
    const after = Buffer.from(tail.join('\r\n\r\n'));
    const body = after.subarray(0, length).toString();
    answers.push({ status: Number(lines[0]?.split(' ')[1]), headers, text: body, raw: head });
    rest = after.subarray(length).toString();
  }
  return answers;
}

/** Waits until a condition holds, for at most ten seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const endMs = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > endMs) throw new Error('The condition never held.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
