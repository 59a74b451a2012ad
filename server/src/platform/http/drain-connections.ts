import { Server, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { HttpScope } from './server.ts';

/** Of an app that listens: its server takes no new connections, since others do on the same port. */
export function refuseConnections({ server }: HttpScope): void {
  // Not the server's own close, which would end new connections on which nothing has been asked yet.
  Server.prototype.close.call(server);
}

const lookMs = 50;
/** A client that has something to send uses a kept connection between so many looks. */
const quietLooks = 6;

/**
 * Lets clients go before the app closes: from now on each answer closes its connection, so that nothing is sent on one
 * that is about to be closed. Then it takes no more connections, and answers what has arrived on those that it has.
 * @param limitMs at most, for each of the two
 * @returns when nobody is connected, or no connection was used for a moment
 */
export async function letClientsGo(app: HttpScope, limitMs: number): Promise<void> {
  const { server } = app;
  let wasUsed = false;
  const isNew = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => isNew.add(socket));
  server.prependListener('request', ({ socket }, response) => {
    if (!isNew.has(socket) || !server.listening) wasUsed = true;
    response.setHeader('connection', 'close');
  });
  // Counted in looks, each after reading what has arrived: while a process stands still, it hears of no request.
  const whenQuiet = async () => {
    const startedMs = performance.now();
    const isLate = () => performance.now() - startedMs >= limitMs;
    for (let looks = 0; looks < quietLooks && !isLate(); looks += 1) {
      if (!(await isConnected(server))) return;
      await delay(lookMs);
      await turn();
      if (wasUsed) looks = -1;
      wasUsed = false;
    }
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
