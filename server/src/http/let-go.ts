import { Server, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { HttpScope } from './server.ts';

/** Of an app that listens: its server takes no new connections, since others do on the same port. */
export function refuseConnections({ server }: HttpScope): void {
  // Not the server's own close, which would end new connections on which nothing has been asked yet.
  Server.prototype.close.call(server);
}

const lookMs = 50;
/** A client that uses a kept connection at all uses it within this time while it has something to send. */
const quietMs = 300;

/**
 * Lets clients go before the app closes: from now on each answer closes its connection, so that nothing is sent on one
 * that is about to be closed. Then it takes no more connections, and answers what has arrived on those that it has.
 * @param limitMs at most, for each of the two
 * @returns when nobody is connected, or no connection was used for a moment
 */
export async function letClientsGo(app: HttpScope, limitMs: number): Promise<void> {
  const { server } = app;
  let usedMs = performance.now();
  const isNew = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => isNew.add(socket));
  server.prependListener('request', ({ socket }, response) => {
    if (!isNew.has(socket) || !server.listening) usedMs = performance.now();
    response.setHeader('connection', 'close');
  });
  const whenQuiet = async () => {
    const startedMs = performance.now();
    usedMs = startedMs;
    const isUsed = () => performance.now() - usedMs < quietMs;
    while (isUsed() && (await isConnected(server)) && performance.now() - startedMs < limitMs)
      await delay(lookMs);
  };
  await whenQuiet();
  if (!server.listening) return;
  await takeWaiting(server, limitMs);
  refuseConnections(app);
  await whenQuiet();
}

/** Takes the connections that wait in the kernel, which would reset them when the server closes. */
async function takeWaiting(server: Server, limitMs: number): Promise<void> {
  const startedMs = performance.now();
  let hasTaken = true;
  server.on('connection', () => {
    hasTaken = true;
  });
  while (hasTaken && performance.now() - startedMs < limitMs) {
    hasTaken = false;
    await turn();
  }
}

const isConnected = (server: Server): Promise<boolean> =>
  new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count > 0));
  });
