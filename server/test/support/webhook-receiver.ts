import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server,
  type Socket,
} from 'node:net';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  createSender,
  type SenderOptions,
  type SendRequest,
} from '../../src/integrations/webhooks/send.ts';

/** Shared by the webhook tests: receivers on loopback and senders, closed with their test. */
export interface Receiver {
  port: number;
  url: string;
  connections: () => number;
  openConnections: () => number;
}

export async function listen(t: TestContext, server: Server, host?: string): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host ?? '127.0.0.1', resolve);
  });
  t.after(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    connections: () => connections,
    openConnections: () => sockets.size,
  };
}

export const receive = (t: TestContext, answer: RequestListener) => listen(t, createServer(answer));

/** A receiver that answers the first bytes of each connection with these, or not at all. */
export const answerRaw = (t: TestContext, answer: (socket: Socket) => void) =>
  listen(
    t,
    createNetServer((socket) => socket.once('data', () => answer(socket))),
  );

export function senderFor(t: TestContext, options: Partial<SenderOptions> = {}) {
  const sender = createSender({
    allowPrivate: { live: false, test: true },
    timeoutMs: 5000,
    ...options,
  });
  t.after(() => sender.close());
  return sender;
}

const tenantId = '01890a5d-ac96-774b-bcce-b302099a8056';
export const endpointId = '01890a5d-ac96-774b-bcce-b302099a8057';

export const requestTo = (url: string, mode: SendRequest['mode'] = 'test'): SendRequest => ({
  tenantId,
  endpointId,
  url,
  mode,
  headers: { 'Content-Type': 'application/json' },
  body: '{"id":"evt_1"}',
});

export async function until(condition: () => boolean): Promise<void> {
  const limitMs = performance.now() + 5000;
  while (!condition()) {
    assert.ok(performance.now() < limitMs, `still not: ${String(condition)}`);
    await setImmediate();
  }
}
