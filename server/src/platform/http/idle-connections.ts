import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const idleOf = new WeakMap<object, Set<Socket>>();

/** Keeps track of the connections that have no request in progress, from the server's first connection on. */
export function watchIdleConnections(server: Server): void {
  const idle = new Set<Socket>();
  idleOf.set(server, idle);
  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.on('close', () => idle.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    response.on('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}

/** @returns how many clients are connected without a request in progress */
export const countIdleConnections = (server: object): number => idleOf.get(server)?.size ?? 0;
