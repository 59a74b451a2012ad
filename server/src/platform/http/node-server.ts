import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { refuseConnect } from './refuse-connection.ts';
import type { HttpTimeouts } from './server.ts';

/** An import of this module would load the fetch that is among its exports: 80 ms of every start. */
const { createServer } = process.getBuiltinModule('node:http');

export function createNodeServer(handler: RequestListener, timeouts: HttpTimeouts): Server {
  const server = createServer({
    requestTimeout: timeouts.requestMs,
    headersTimeout: Math.min(timeouts.headersMs, timeouts.requestMs),
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(timeouts.requestMs / 4)),
    // Node would answer in its own words; `markAnswer` does in ours.
    requireHostHeader: false,
  });
  server.setTimeout(timeouts.idleMs);
  server.on('connection', rememberAddress);
  server.on('request', handler);
  server.on('checkExpectation', handler);
  server.on('connect', refuseConnect);
  return server;
}

/**
 * A socket that was never asked for its address forgets it when it closes, and a request may outlive its connection.
 * Whoever has hung up by now has none: keys and limits that ask for it could not hold.
 */
function rememberAddress(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
}
