import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  assertError,
  type Demo,
  openSocket,
  parseAnswers,
  startDemo,
  until,
} from '../../../test/support/demo-client.ts';
import { fullKey } from '../../../test/support/demo-server.ts';

const authorization = `Authorization: Bearer ${fullKey}`;
const host = 'Host: localhost';

/**
 * Asserts that an exchange has a single answer, a 400 in our own format, and that the connection then closes.
 */
async function assertRefused(demo: Demo, ...dependencies: (string | Buffer)[]): Promise<string> {
  const answers = parseAnswers(await demo.exchange(...dependencies));
  assert.equal(answers.length, 1, JSON.stringify(dependencies).slice(0, 100));
  const [answer] = answers;
  const requestId = answer?.headers.get('x-request-id') ?? '';
  assert.match(requestId, /^[\w.-]{1,64}$/);
  assert.equal(JSON.parse(answer!.text).error.requestId, requestId);
  assert.match(answer?.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer?.headers.get('connection'), 'close');
  return assertError(answer!, 'VALIDATION_ERROR');
}

const request = (...lines: string[]) => [...lines, '', ''].join('\r\n');

test('answers a request that is not HTTP with our own error', async (t) => {
  const demo = await startDemo(t);
  const nonsense = [
    'nonsense\r\n\r\n',
    '\0\0\0\0',
    'GET\r\n\r\n',
    'GET /v1/orders HTTP/9.9\r\n\r\n',
    'GET /v1/orders FTP/1.1\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'FROBNICATE /v1/orders HTTP/1.1\r\n\r\n',
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]),
    request('GET /v1/orders HTTP/1.1', host, 'Bad Header: x'),
    request('GET /v1/orders HTTP/1.1', host, 'X: a\0b'),
    request('GET /v1/orders HTTP/1.1', host, 'Content-Length: -1'),
    request('POST /v1/orders HTTP/1.1', host, 'Content-Length: 1', 'Transfer-Encoding: chunked'),
    request('CONNECT example.com:443 HTTP/1.1', host),
  ];
  for (const bytes of nonsense) await assertRefused(demo, bytes);
});

test('refuses over-long headers and paths as invalid', async (t) => {
  const demo = await startDemo(t);
  const long = 'x'.repeat(200_000);
  const message = await assertRefused(demo, request('GET / HTTP/1.1', host, `X-Long: ${long}`));
  assert.match(message, /too long/);
  await assertRefused(demo, request(`GET /v1/${long} HTTP/1.1`, host));
  const path = await demo.send('GET', `/v1/orders/${'x'.repeat(5000)}`);
  assert.match(assertError(path, 'VALIDATION_ERROR'), /path/);
});

test('refuses a missing Host and an unknown Expect as invalid', async (t) => {
  const demo = await startDemo(t);
  const close = 'Connection: close';
  const noHost = await assertRefused(
    demo,
    request('GET /v1/orders HTTP/1.1', authorization, close),
  );
  assert.match(noHost, /Host/);
  const expect = await assertRefused(
    demo,
    request('GET /v1/orders HTTP/1.1', host, authorization, 'Expect: a miracle', close),
  );
  assert.match(expect, /Expect/);
});

test('supports Expect: 100-continue', async (t) => {
  const demo = await startDemo(t);
  const body = '{"amount":1}';
  const text = await demo.exchange(
    request(
      'POST /v1/orders HTTP/1.1',
      host,
      authorization,
      'Expect: 100-continue',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ) + body,
  );
  assert.match(text, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
});

test('answers requests for * and in absolute form', async (t) => {
  const demo = await startDemo(t);
  const close = 'Connection: close';
  const asterisk = parseAnswers(await demo.exchange(request('OPTIONS * HTTP/1.1', host, close)));
  assertError(asterisk[0]!, 'NOT_FOUND');
  const absolute = request('GET http://localhost/v1/orders HTTP/1.1', host, authorization, close);
  assert.equal(parseAnswers(await demo.exchange(absolute))[0]?.status, 200);
  const old = request('GET /v1/orders HTTP/1.0', authorization);
  assert.equal(parseAnswers(await demo.exchange(old))[0]?.status, 200);
});

test('answers a valid request although garbage follows it', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const demo = await startDemo(t, { slow: () => promise });
  const { socket, received, closed } = openSocket(demo.port);
  const slow = request('POST /v1/slow HTTP/1.1', host, authorization, 'Content-Length: 0');
  const quick = request('GET /v1/orders?limit=1 HTTP/1.1', host, authorization);
  socket.write(`${slow}${quick}garbage\r\n\r\n`);
  // If the garbage had been answered at once, that answer would come first.
  await demo.send('GET', '/v1/orders');
  assert.equal(received(), '');
  resolve();
  await closed;
  const answers = parseAnswers(received());
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200, 400],
  );
  assert.equal(answers[0]?.text, '{"done":true}');
  assertError(answers[2]!, 'VALIDATION_ERROR');
});

test('refuses a body that turns into garbage at once', async (t) => {
  const demo = await startDemo(t);
  await assertRefused(
    demo,
    request(
      'POST /v1/orders HTTP/1.1',
      host,
      authorization,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ),
    'this is no chunk\r\n',
  );
});

test('cuts off requests that arrive too slowly, with an answer', async (t) => {
  const demo = await startDemo(t, { timeouts: { requestMs: 100, headersMs: 100 } });
  const head = `POST /v1/orders HTTP/1.1\r\n${host}\r\n`;
  const body = `${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  for (const part of ['GET', head, head + body]) {
    assert.match(await assertRefused(demo, part), /too long to arrive/);
  }
});

test('closes a connection without requests silently', async (t) => {
  const demo = await startDemo(t, { timeouts: { requestMs: 100, headersMs: 100 } });
  const { received, closed } = openSocket(demo.port);
  await closed;
  assert.equal(received(), '');
});

test('disconnects a client that does not hang up after a refusal', async (t) => {
  const demo = await startDemo(t);
  const ended = new Promise<void>((resolve) => {
    demo.app.server.once('connection', (socket) => socket.once('close', () => resolve()));
  });
  const socket = connect({ port: demo.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write('garbage\r\n\r\n');
  await ended;
  socket.destroy();
});

test('survives clients that vanish during a request', async (t) => {
  const demo = await startDemo(t);
  const start = `POST /v1/orders HTTP/1.1\r\n${host}\r\n${authorization}\r\nContent-Length: 9\r\n`;
  for (const part of ['garbage\r\n\r\n', start, `${start}\r\n{"am`]) {
    const { socket, closed } = openSocket(demo.port);
    socket.write(part, () => socket.resetAndDestroy());
    await closed;
  }
  assert.equal((await demo.send('GET', '/v1/orders')).status, 200);
});

test('knows the address of a client that has hung up', async (t) => {
  const demo = await startDemo(t);
  const asked = Promise.withResolvers<Socket>();
  demo.app.server.once('request', (incoming) => asked.resolve(incoming.socket));
  const { socket } = openSocket(demo.port);
  socket.write(request('GET /nothing HTTP/1.1', host));
  const peer = await asked.promise;
  const closed = new Promise((resolve) => peer.once('close', resolve));
  socket.resetAndDestroy();
  await closed;
  assert.equal(peer.remoteAddress, '127.0.0.1');
});

test('lets a client that sends too much read why it was refused', async (t) => {
  const demo = await startDemo(t);
  // More than fits into the buffers between the two.
  const length = 16 * 1024 * 1024;
  const head = ['POST /v1/orders HTTP/1.1', host, authorization, 'Content-Type: application/json'];
  const starts: [start: string, message: RegExp][] = [
    [request(...head, `Content-Length: ${length}`), /1 MiB/],
    [[...head, 'X-Long: '].join('\r\n'), /headers of the request are too long/],
  ];
  for (const [start, message] of starts) {
    const { socket, received } = openSocket(demo.port);
    socket.pause();
    const sent = Promise.withResolvers<void>();
    socket.write(start);
    socket.write(Buffer.alloc(length, 'x'), () => sent.resolve());
    await sent.promise;
    socket.resume();
    await until(() => received().endsWith('}}'));
    const answers = parseAnswers(received());
    assert.equal(answers.length, 1);
    assert.match(assertError(answers[0]!, 'VALIDATION_ERROR'), message);
    socket.destroy();
  }
});

test('close() answers the requests in flight on a connection, then ends it', {
  timeout: 20_000,
}, async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let started = false;
  const slow = () => {
    started = true;
    return promise;
  };
  const demo = await startDemo(t, { slow, timeouts: { closeMs: 60_000 } });
  const idle = openSocket(demo.port);
  idle.socket.write(request('GET /v1/orders HTTP/1.1', host, authorization));
  await until(() => idle.received() !== '');
  const silent = openSocket(demo.port);
  const { socket, received, closed } = openSocket(demo.port);
  socket.write(request('POST /v1/slow HTTP/1.1', host, authorization, 'Content-Length: 0'));
  await until(() => started);
  const closing = demo.app.close();
  await until(() => !demo.app.server.listening);
  await new Promise((written) => {
    socket.write(request('GET /v1/orders HTTP/1.1', host, authorization), written);
  });
  // The server has read the request after one round of the event loop.
  for (let turns = 0; turns < 3; turns += 1) await turn();
  resolve();
  await Promise.all([closing, closed, idle.closed, silent.closed]);
  const statuses = parseAnswers(received()).map((answer) => answer.status);
  assert.deepEqual(statuses, [200, 200]);
  await assert.rejects(demo.send('GET', '/v1/orders'));
});

test('close() also ends a connection without a second request', {
  timeout: 20_000,
}, async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let started = false;
  const slow = () => {
    started = true;
    return promise;
  };
  const demo = await startDemo(t, { slow, timeouts: { closeMs: 60_000 } });
  const { socket, received, closed } = openSocket(demo.port);
  socket.write(request('POST /v1/slow HTTP/1.1', host, authorization, 'Content-Length: 0'));
  await until(() => started);
  const closing = demo.app.close();
  await until(() => !demo.app.server.listening);
  resolve();
  await Promise.all([closing, closed]);
  assert.equal(parseAnswers(received())[0]?.text, '{"done":true}');
});

test('close() waits for an incomplete request no longer than its limit', {
  timeout: 20_000,
}, async (t) => {
  const demo = await startDemo(t, { timeouts: { closeMs: 50 } });
  const { socket, closed } = openSocket(demo.port);
  socket.write(`POST /v1/orders HTTP/1.1\r\n${host}\r\n`);
  await demo.send('GET', '/v1/orders');
  await Promise.all([demo.app.close(), closed]);
});
