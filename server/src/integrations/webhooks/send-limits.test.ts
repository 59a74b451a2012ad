import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import {
  answerRaw,
  receive,
  requestTo,
  senderFor,
  until,
} from '../../../test/support/webhook-receiver.ts';
import type { SendResult } from './send.ts';

/** Writes continuously, as fast as the other side reads, until the connection is closed. */
function flood(socket: Socket, chunk: string): void {
  const fill = () => {
    while (!socket.destroyed && socket.write(chunk)) {}
  };
  socket.on('drain', fill);
  fill();
}

/** Writes little by little, until the connection is closed. */
function drip(socket: Socket, chunk: string): void {
  const timer = setInterval(() => socket.write(chunk), 10);
  socket.on('close', () => clearInterval(timer));
}

/** The time-out of an attempt that ends by a limit. */
async function outcomeOf(attempt: Promise<SendResult>): Promise<SendResult> {
  let result: SendResult | undefined;
  void attempt.then((ended) => {
    result = ended;
  });
  return eventually('the attempt ends by itself', () => result);
}

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

test('limits the time of a slow drip, anywhere in the answer', {
  timeout: 60_000,
}, async (t) => {
  const drips = {
    'the status line': ['HTTP/1.1 200 ', 'O'],
    'a header': ['HTTP/1.1 200 OK\r\nX-Drip: ', '.'],
    headers: ['HTTP/1.1 200 OK\r\n', 'a:b\r\n'],
    'a body of known length': ['HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n', '.'],
    'a body in chunks': [chunked, '1\r\n.\r\n'],
    'the length of a chunk': [chunked, '0'],
    'an extension of a chunk': [`${chunked}1;x=`, 'y'],
    trailers: [`${chunked}0\r\n`, 'a:b\r\n'],
    'a body without end': ['HTTP/1.0 200 OK\r\n\r\n', '.'],
    'interim answers': ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  } as const;
  for (const [where, [start, chunk]] of Object.entries(drips)) {
    const receiver = await answerRaw(t, (socket) => {
      socket.write(start);
      drip(socket, chunk);
    });
    const result = await outcomeOf(senderFor(t, { timeoutMs: 300 }).send(requestTo(receiver.url)));
    assert.deepEqual([result.delivered, result.error], [false, 'timed out after 0.3 s'], where);
    await until(() => receiver.openConnections() === 0);
  }
});

test('cuts off a flood outside of the body, too: at a limit, or by the time-out', {
  timeout: 60_000,
}, async (t) => {
  const tooLarge = 'the headers of the answer are too large';
  const timedOut = 'timed out after 0.5 s';
  const floods: Record<string, [start: string, chunk: string, error: string]> = {
    'a header': ['HTTP/1.1 200 OK\r\nX-Pad: ', 'a'.repeat(1_000), tooLarge],
    headers: ['HTTP/1.1 200 OK\r\n', `X-Pad: ${'a'.repeat(1_000)}\r\n`, tooLarge],
    'tiny headers': ['HTTP/1.1 200 OK\r\n', 'a:b\r\n'.repeat(100), tooLarge],
    'headers of an interim answer': [
      'HTTP/1.1 103 Early Hints\r\n',
      'a:b\r\n'.repeat(100),
      tooLarge,
    ],
    trailers: [`${chunked}0\r\n`, 'a:b\r\n'.repeat(100), tooLarge],
    'interim answers': ['', 'HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n'.repeat(20), timedOut],
    'an extension of a chunk': [`${chunked}1;x=`, 'y'.repeat(1_000), timedOut],
  };
  for (const [where, [start, chunk, error]] of Object.entries(floods)) {
    const receiver = await answerRaw(t, (socket) => {
      socket.write(start);
      flood(socket, chunk);
    });
    // An answer that ends by a limit has time to reach it on a slow machine.
    const timeoutMs = error === timedOut ? 500 : 20_000;
    const result = await outcomeOf(senderFor(t, { timeoutMs }).send(requestTo(receiver.url)));
    assert.deepEqual([result.delivered, result.error], [false, error], where);
    await until(() => receiver.openConnections() === 0);
  }
});

test('cuts an endless answer off at the limit, and counts its status', {
  timeout: 60_000,
}, async (t) => {
  for (const status of [200, 500]) {
    const receiver = await receive(t, (_request, response) => {
      response.statusCode = status;
      const flood = () => {
        while (!response.destroyed && response.write('é'.repeat(8192))) {}
      };
      response.on('drain', flood);
      flood();
    });
    const result = await senderFor(t).send(requestTo(receiver.url));
    assert.deepEqual([result.delivered, result.statusCode], [status === 200, status]);
    assert.equal(result.responseSnippet, 'é'.repeat(512));
    await until(() => receiver.openConnections() === 0);
  }
});
