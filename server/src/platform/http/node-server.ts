import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { watchIdleConnections } from './idle-connections.ts';
import { refuseConnect } from './refuse-connection.ts';
import type { HttpTimeouts } from './server.ts';

/** A static import of this module would load its fetch export: 80 ms at every start. */
const { createServer } = process.getBuiltinModule('node:http');

export function createNodeServer(handler: RequestListener, timeouts: HttpTimeouts): Server {
  const server = createServer({
    requestTimeout: timeouts.requestMs,
    headersTimeout: Math.min(timeouts.headersMs, timeouts.requestMs),
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(timeouts.requestMs / 4)),
    // Node would send its own answer; `markAnswer` sends ours.
    requireHostHeader: false,
  });
  server.setTimeout(timeouts.idleMs);
  server.on('connection', rememberAddress);
  watchIdleConnections(server);
  server.on('request', handler);
  server.on('checkExpectation', handler);
  server.on('connect', refuseConnect);
  return server;
}

/**
 * A socket whose address was never read forgets it when it closes, and a request may outlive its connection.
 * Without the address, address rules of keys and rate limits would not work for clients that have hung up.
 */
function rememberAddress(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
}
