import { createServer, type Server, type Socket } from 'node:net';

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** A webhook receiver that answers 200 to every POST and does nothing else, on its own or a given port. */
export function startReceiver(
  onBody: (body: string) => void,
  givenPort = 0,
): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let received = '';
    socket.on('data', (chunk: string) => {
      received += chunk;
      for (;;) {
        const headEnd = received.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const length = /\r\ncontent-length: (\d+)/i.exec(received);
        const bodyEnd = headEnd + 4 + Number(length?.[1] ?? 0);
        if (received.length < bodyEnd) return;
        const body = received.slice(headEnd + 4, bodyEnd);
        received = received.slice(bodyEnd);
        socket.write(answer);
        onBody(body);
      }
    });
  });
  return new Promise((resolve) => {
    server.listen(givenPort, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      resolve({
        url: `http://127.0.0.1:${port}/`,
        close() {
          for (const socket of sockets) socket.destroy();
          server.close();
        },
      });
    });
  });
}
