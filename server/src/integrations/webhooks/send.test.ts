import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Agent } from 'undici';
import {
  answerRaw,
  endpointId,
  listen,
  receive,
  requestTo,
  senderFor,
  until,
} from '../../../test/support/webhook-receiver.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { AttemptHandler, type SendResult } from './response-limits.ts';

test('sends the exact body, the headers and our user agent', async (t) => {
  const body = '{"id":"evt_1","data":{"description":"café ☕"}}';
  let seen: unknown;
  const receiver = await receive(t, (request, response) => {
    const { method, url, headers } = request;
    void text(request).then((body) => {
      seen = { method, url, headers, body };
      response.end('thank you');
    });
  });
  const headers = { 'Content-Type': 'application/json', 'X-Service-Timestamp': '1700000000' };
  const url = `${receiver.url}?shop=1#part`;
  const request = requestTo(url);
  const delivery = { ...request, headers, body: Buffer.from(body) };
  const result = await senderFor(t).send(delivery);
  const { durationMs, ...rest } = result;
  assert.deepEqual(rest, {
    delivered: true,
    statusCode: 200,
    error: null,
    retryAfterMs: null,
    responseSnippet: 'thank you',
  });
  assert.ok(durationMs >= 0);
  assert.deepEqual(seen, {
    method: 'POST',
    url: '/hook?shop=1',
    headers: {
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'x-service-timestamp': '1700000000',
      'user-agent': 'Zimbo/0.1.0',
      'content-length': String(Buffer.byteLength(body)),
    },
    body,
  });
});

test('counts only 2xx as delivered', async (t) => {
  const receiver = await receive(t, (request, response) => {
    response.statusCode = Number(request.url?.slice(1));
    response.end();
  });
  const sender = senderFor(t);
  for (const status of [200, 201, 202, 204, 299]) {
    const result = await sender.send(requestTo(`http://127.0.0.1:${receiver.port}/${status}`));
    assert.deepEqual([result.delivered, result.statusCode, result.error], [true, status, null]);
  }
  for (const status of [400, 401, 404, 410, 429, 500, 503]) {
    const result = await sender.send(requestTo(`http://127.0.0.1:${receiver.port}/${status}`));
    const expected = [false, status, `answered ${status}`];
    assert.deepEqual([result.delivered, result.statusCode, result.error], expected);
  }
});

test('skips interim answers', async (t) => {
  const receiver = await receive(t, (_request, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.end('done');
  });
  const result = await senderFor(t).send(requestTo(receiver.url));
  assert.deepEqual([result.delivered, result.statusCode], [true, 200]);
  const interimOnly = await answerRaw(t, (socket) => {
    socket.end('HTTP/1.1 103 Early Hints\r\nRetry-After: 60\r\n\r\n');
  });
  const unanswered = await senderFor(t).send(requestTo(interimOnly.url));
  assert.deepEqual([unanswered.statusCode, unanswered.retryAfterMs], [null, null]);
});

test('counts a redirect as a failure and never follows it', async (t) => {
  const elsewhere = await receive(t, (_request, response) => response.end());
  const sender = senderFor(t);
  const locations = [
    elsewhere.url,
    `//127.0.0.1:${elsewhere.port}/`,
    `http://2130706433:${elsewhere.port}/`,
  ];
  for (const status of [300, 301, 302, 303, 304, 305, 306, 307, 308, 399]) {
    for (const location of locations) {
      const receiver = await receive(t, (_request, response) => {
        const headers = {
          Location: location,
          Refresh: `0; url=${location}`,
          'Content-Location': location,
        };
        response.writeHead(status, headers).end();
      });
      const result = await sender.send(requestTo(receiver.url));
      assert.equal(result.error, `answered ${status}; redirects are not followed`);
      assert.equal(result.delivered, false);
    }
  }
  assert.equal(elsewhere.connections(), 0);
});

test('reports the Retry-After of a failure, in seconds or as a date, to 24 h at most', async (t) => {
  const nowMs = Date.UTC(2026, 0, 31, 12);
  const receiver = await receive(t, (request, response) => {
    const value = decodeURIComponent(request.url?.slice(1) ?? '');
    response.writeHead(value === '7' ? 200 : 503, { 'Retry-After': value }).end();
  });
  const sender = senderFor(t, { clock: { nowMs: () => nowMs } });
  const reported = async (value: string) => {
    const url = `http://127.0.0.1:${receiver.port}/${encodeURIComponent(value)}`;
    return (await sender.send(requestTo(url))).retryAfterMs;
  };
  assert.equal(await reported('120'), 120_000);
  assert.equal(await reported('Sat, 31 Jan 2026 12:00:30 GMT'), 30_000);
  assert.equal(await reported('99999999999'), 86_400_000);
  assert.equal(await reported('soon'), null);
  assert.equal(await reported('7'), null);
});

test('reports the longest of several Retry-After, with any spaces around them', async (t) => {
  const receiver = await answerRaw(t, (socket) => {
    const headers = 'Retry-After: 10\r\nRetry-After:  60 \t\r\nRetry-After: soon\r\n';
    socket.end(`HTTP/1.1 503 Busy\r\n${headers}Content-Length: 0\r\n\r\n`);
  });
  const result = await senderFor(t).send(requestTo(receiver.url));
  assert.equal(result.retryAfterMs, 60_000);
});

test('gives up in time on a receiver that never answers', async (t) => {
  const receiver = await answerRaw(t, () => {});
  const result = await senderFor(t, { timeoutMs: 200 }).send(requestTo(receiver.url));
  assert.deepEqual([result.delivered, result.statusCode], [false, null]);
  assert.equal(result.error, 'timed out after 0.2 s');
});

test('counts the time spent waiting for a free connection', async (t) => {
  const receiver = await receive(t, () => {});
  const sender = senderFor(t, { timeoutMs: 200, connectionsPerOrigin: 1 });
  const both = [sender.send(requestTo(receiver.url)), sender.send(requestTo(receiver.url))];
  for (const result of await Promise.all(both)) assert.equal(result.error, 'timed out after 0.2 s');
});

test('never sends a request whose time was up before it had a connection', async (t) => {
  let requests = 0;
  const receiver = await receive(t, (_request, response) => {
    requests += 1;
    response.end();
  });
  const { promise: result, resolve: settle } = Promise.withResolvers<SendResult>();
  const limits = { timeoutMs: 1, maxResponseBytes: 1 };
  const attempt = new AttemptHandler({ ...limits, clock: systemClock, settle });
  assert.equal((await result).error, 'timed out after 0.001 s');
  const agent = new Agent();
  const { origin } = new URL(receiver.url);
  agent.dispatch({ origin, path: '/', method: 'POST', body: 'late' }, attempt);
  await agent.close();
  assert.deepEqual([receiver.connections(), requests], [1, 0]);
});

test('describes broken answers as failures, in words', async (t) => {
  const closed = 'the connection was closed before the answer was complete';
  const cases: [answer: (socket: Socket) => void, error: string][] = [
    [(socket) => socket.resetAndDestroy(), closed],
    [(socket) => socket.end(), closed],
    [(socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'), closed],
    [
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'),
      closed,
    ],
    [(socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'the answer is not valid HTTP'],
    [
      (socket) =>
        socket.end('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'),
      closed,
    ],
  ];
  for (const [answer, error] of cases) {
    const receiver = await answerRaw(t, answer);
    const result = await senderFor(t).send(requestTo(receiver.url));
    assert.deepEqual([result.delivered, result.error], [false, error]);
  }
});

test('accepts an answer that ends with its connection as complete', async (t) => {
  const receiver = await answerRaw(t, (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nfine'));
  const result = await senderFor(t).send(requestTo(receiver.url));
  assert.deepEqual([result.delivered, result.responseSnippet], [true, 'fine']);
});

test('keeps an answer that is not text as text that can be stored', async (t) => {
  const receiver = await receive(t, (_request, response) =>
    response.end(Buffer.of(65, 0, 255, 66)),
  );
  const result = await senderFor(t).send(requestTo(receiver.url));
  assert.equal(result.responseSnippet, 'A\ufffd\ufffdB');
});

test('reaches localhost on 127.0.0.1 when ::1 refuses', async (t) => {
  const receiver = await receive(t, (request, response) => response.end(request.headers.host));
  const lookup = async () => [{ address: '::1' }, { address: '127.0.0.1' }];
  const url = `http://localhost:${receiver.port}/hook`;
  const result = await senderFor(t, { lookup }).send(requestTo(url));
  assert.deepEqual(
    [result.delivered, result.responseSnippet],
    [true, `localhost:${receiver.port}`],
  );
});

test('distinguishes a closed port from an unknown name', async (t) => {
  const receiver = await receive(t, (_request, response) => response.end());
  const nobody = createServer();
  const { url } = await listen(t, nobody);
  await new Promise((resolve) => nobody.close(resolve));
  const notFound = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  const sender = senderFor(t, { lookup: () => Promise.reject(notFound) });
  assert.equal((await sender.send(requestTo(url))).error, 'connection refused');
  const named = receiver.url.replace('127.0.0.1', 'shop.example');
  assert.equal((await sender.send(requestTo(named))).error, 'name not found');
});

test('returns a result for a request that cannot be sent at all, and never throws', async (t) => {
  const receiver = await receive(t, (_request, response) => response.end());
  const sender = senderFor(t);
  const broken = { ...requestTo(receiver.url), headers: { 'X-Broken': 'a\nb' } };
  const result = await sender.send(broken);
  assert.deepEqual([result.delivered, result.error], [false, 'not sent (UND_ERR_INVALID_ARG)']);
  await sender.close();
  const late = await sender.send(requestTo(receiver.url));
  assert.deepEqual([late.delivered, late.error], [false, 'the gateway is stopping']);
});

test('reuses connections, limits them per origin, and closes them with the sender', async (t) => {
  let current = 0;
  let most = 0;
  const server = createHttpServer((request, response) => {
    current += 1;
    most = Math.max(most, current);
    request.resume().on('end', () => {
      current -= 1;
      response.end('ok');
    });
  });
  const receiver = await listen(t, server);
  const sender = senderFor(t, { connectionsPerOrigin: 3 });
  const results = await Promise.all(
    Array.from({ length: 200 }, () => sender.send(requestTo(receiver.url))),
  );
  assert.ok(results.every((result) => result.delivered));
  assert.equal(receiver.connections(), 3);
  assert.ok(most <= 3);
  await sender.close();
  await until(() => receiver.openConnections() === 0);
});

test('looks a name up once at a time, for any number of endpoints', async (t) => {
  const receiver = await receive(t, (_request, response) => response.end());
  const { port } = new URL(receiver.url);
  const found = Promise.withResolvers<{ address: string }[]>();
  let lookups = 0;
  const lookup = () => {
    lookups += 1;
    return found.promise;
  };
  const sender = senderFor(t, { lookup });
  const endpointIds = Array.from({ length: 64 }, (_, index) => {
    return endpointId.slice(0, -4) + index.toString(16).padStart(4, '0');
  });
  const request = requestTo(`http://shop.example:${port}/`);
  const sent = endpointIds.map((id) => sender.send({ ...request, endpointId: id }));
  await until(() => lookups > 0);
  found.resolve([{ address: '127.0.0.1' }]);
  for (const { delivered } of await Promise.all(sent)) assert.equal(delivered, true);
  assert.equal(lookups, 1);
});
