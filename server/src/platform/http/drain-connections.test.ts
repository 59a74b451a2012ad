import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openSocket, parseAnswers, startDemo, until } from '../../../test/support/demo-client.ts';
import { fullKey } from '../../../test/support/demo-server.ts';
import { leaveToOtherProcesses, letClientsGo, refuseConnections } from './drain-connections.ts';

const head = (...lines: string[]) =>
  [...lines, 'Host: localhost', `Authorization: Bearer ${fullKey}`, '', ''].join('\r\n');

test('close() waits for an incomplete request no longer than its limit when connections are refused', {
  timeout: 20_000,
}, async (t) => {
  const demo = await startDemo(t, { timeouts: { leaveMs: 50 } });
  const { socket, closed } = openSocket(demo.port);
  socket.write('POST /v1/orders HTTP/1.1\r\nHost: localhost\r\n');
  await demo.send('GET', '/v1/orders');
  refuseConnections(demo.app);
  await Promise.all([demo.app.close(), closed]);
});

test('close() ends a connection once it is answered when connections are refused', {
  timeout: 20_000,
}, async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let started = false;
  const slow = () => {
    started = true;
    return promise;
  };
  const demo = await startDemo(t, { slow, timeouts: { leaveMs: 60_000 } });
  const { socket, received, closed } = openSocket(demo.port);
  socket.write(head('POST /v1/slow HTTP/1.1', 'Content-Length: 0'));
  await until(() => started);
  refuseConnections(demo.app);
  const closing = demo.app.close();
  // By now the idle connections have been closed.
  for (let turns = 0; turns < 10; turns += 1) await turn();
  resolve();
  await Promise.all([closing, closed]);
  assert.equal(parseAnswers(received())[0]?.text, '{"done":true}');
});

test('each answer closes its connection once draining has begun', async (t) => {
  const demo = await startDemo(t);
  const { socket, received, closed } = openSocket(demo.port);
  socket.write(head('GET /v1/orders HTTP/1.1'));
  await until(() => received() !== '');
  const going = letClientsGo(demo.app, 2_000);
  socket.write(head('GET /v1/orders HTTP/1.1'));
  await Promise.all([closed, going]);
  const answers = parseAnswers(received());
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('connection')),
    ['keep-alive', 'close'],
  );
});

test('a process that was suspended does not take its clients for idle', async (t) => {
  const demo = await startDemo(t);
  const { socket, received, closed } = openSocket(demo.port);
  socket.write(head('GET /v1/orders HTTP/1.1'));
  await until(() => received() !== '');
  const closing = letClientsGo(demo.app, 10_000).then(() => demo.app.close());
  await until(() => !demo.app.server.listening);
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(nobody, 0, 0, 1_000);
  // By then the process has checked its clients once or twice.
  await delay(60);
  socket.write(head('GET /v1/orders HTTP/1.1'));
  await Promise.all([closed, closing]);
  assert.equal(parseAnswers(received()).length, 2);
});

test('a replaced process answers a client that was idle, and closes only then', async (t) => {
  const demo = await startDemo(t);
  const { socket, received, closed } = openSocket(demo.port);
  socket.write(head('GET /v1/orders HTTP/1.1'));
  await until(() => received() !== '');
  const limits = { limitMs: 0, idleLimitMs: 60_000 };
  const leaving = leaveToOtherProcesses(demo.app, limits).then(() => demo.app.close());
  for (let turns = 0; turns < 50; turns += 1) await turn();
  socket.write(head('GET /v1/orders HTTP/1.1'));
  await Promise.all([closed, leaving]);
  assert.deepEqual(
    parseAnswers(received()).map(({ headers }) => headers.get('connection')),
    ['keep-alive', 'close'],
  );
});

test('a replaced process does not wait for a page that stays open', async (t) => {
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const slow = () => {
    resolve();
    return new Promise<void>(() => {});
  };
  const demo = await startDemo(t, { slow, timeouts: { leaveMs: 50 } });
  const { socket } = openSocket(demo.port);
  socket.write(head('POST /v1/slow HTTP/1.1', 'Content-Length: 0'));
  await started;
  await leaveToOtherProcesses(demo.app, { limitMs: 0, idleLimitMs: 2 ** 31 });
});

/**
 * Sends a request, and repeats it after the answer. Reports when the second request has been sent, and the
 * answers.
 */
const clientText = `
const { connect } = require('node:net');
const { parentPort, workerData: { port, request, sent } } = require('node:worker_threads');
const socket = connect(port, '127.0.0.1');
let received = '';
socket.setEncoding('utf8').once('data', () => parentPort.postMessage('answered'));
socket.on('data', (part) => (received += part)).on('error', () => {});
socket.on('close', () => parentPort.postMessage(received));
socket.write(request);
parentPort.on('message', () => socket.write(request, () => {
  Atomics.store(sent, 0, 1);
  Atomics.notify(sent, 0);
}));`;

/** Connects and sends one request. Reports when the request has been sent, and the answer. */
const newcomerText = `
const { connect } = require('node:net');
const { parentPort, workerData: { port, request, sent } } = require('node:worker_threads');
parentPort.once('message', () => {
  let received = '';
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8').on('data', (part) => (received += part)).on('error', () => {});
  socket.on('close', () => parentPort.postMessage(received));
  socket.write(request, () => {
    Atomics.store(sent, 0, 1);
    Atomics.notify(sent, 0);
  });
});
parentPort.postMessage('ready');`;

test('close() answers a connection that has not been accepted yet', async (t) => {
  const demo = await startDemo(t);
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const request = head('GET /v1/orders HTTP/1.1');
  const workerData = { port: demo.port, request, sent };
  const client = new Worker(newcomerText, { eval: true, workerData });
  t.after(() => client.terminate());
  await once(client, 'message');
  const closing = new Promise<void>((resolve, reject) => {
    const stop = async () => {
      await letClientsGo(demo.app, 2_000);
      await demo.app.close();
    };
    setTimeout(() => stop().then(resolve, reject));
  });
  client.postMessage('connect');
  // This thread accepts nothing until the request lies in the kernel.
  Atomics.wait(sent, 0, 0);
  const [received] = (await once(client, 'message')) as [string];
  await closing;
  assert.equal(parseAnswers(received).length, 1);
});

test('close() answers a request that arrived before it, even in a late process', async (t) => {
  const demo = await startDemo(t);
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const request = head('GET /v1/orders HTTP/1.1');
  const workerData = { port: demo.port, request, sent };
  const client = new Worker(clientText, { eval: true, workerData });
  t.after(() => client.terminate());
  await once(client, 'message');
  const closing = new Promise<void>((resolve, reject) => {
    setTimeout(() => demo.app.close().then(resolve, reject));
  });
  client.postMessage('again');
  // This thread does nothing else until the request lies in its socket.
  Atomics.wait(sent, 0, 0);
  const [received] = (await once(client, 'message')) as [string];
  await closing;
  assert.equal(parseAnswers(received).length, 2);
});
