import { Server, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { countIdleConnections } from './idle-connections.ts';
import type { HttpScope } from './server.ts';

/**
 * Stops a listening app from accepting new connections, since other processes accept them on the same port.
 */
export function refuseConnections({ server }: HttpScope): void {
  // The server's own close would also end new connections without a request.
  Server.prototype.close.call(server);
}

const lookMs = 50;
/** A client with something to send uses its kept connection within this many checks. */
const quietLooks = 6;

/**
 * Drains connections before the app closes: from now on each answer closes its connection, so that no client sends on a connection that is about to close. Then the app accepts no more connections, and answers the requests that have arrived.
 * @param limitMs the limit of each of the two phases
 * @returns when no client is connected, or no connection was used for a moment
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
  // Counts checks, each made after reading what has arrived: a suspended process notices no requests, so
  // elapsed time proves nothing.
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

/**
 * Drains connections while other processes serve the port. A proxy must not repeat a payment whose connection closes
 * before the answer, so a connection is closed only by its answer or by its client: live pages still run.
 * @param idleLimitMs longer than proxies keep an idle connection (deploy/: 5 s)
 */
export async function leaveToOtherProcesses(
  app: HttpScope,
  { limitMs, idleLimitMs }: { limitMs: number; idleLimitMs: number },
): Promise<void> {
  refuseConnections(app);
  const startedMs = performance.now();
  await letClientsGo(app, limitMs);
  while (countIdleConnections(app.server) > 0 && performance.now() - startedMs < idleLimitMs) {
    await delay(lookMs);
  }
}

/** Accepts the connections that wait in the kernel, which would reset them when the server closes. */
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
