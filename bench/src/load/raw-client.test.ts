import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Arrivals } from './arrivals.ts';
import { httpRequest, RawClient } from './raw-client.ts';

test('assembles an answer that arrives in pieces, and reports a failure', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const url = new URL(`http://127.0.0.1:${port}`);
  const [[socket], client] = await Promise.all([
    once(server, 'connection') as Promise<[Socket]>,
    RawClient.open(url),
  ]);
  t.after(() => client.close());
  socket.setNoDelay(true);
  const request = httpRequest(url, { method: 'GET', path: '/', key: 'none' });
  const first = client.send(request);
  for (const piece of ['HTTP/1.1 404 Not Found\r\nContent-', 'Length: 5\r\n\r\nhe', 'llo']) {
    socket.write(piece);
    await turn();
  }
  assert.deepEqual(await first, { status: 404, body: 'hello' });
  const second = client.send(request);
  socket.destroy();
  await assert.rejects(second);
});

test('counts a payment as delivered when every endpoint has its event, in any order of answer and events', async () => {
  const arrivals = new Arrivals(2);
  arrivals.add('early');
  arrivals.add('early');
  await arrivals.all('early');
  let told = false;
  const late = arrivals.all('late').then(() => {
    told = true;
  });
  arrivals.add('late');
  await turn();
  assert.equal(told, false);
  arrivals.add('late');
  await late;
});
