import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { cleanUp } from './cleanup.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  /** The raw body, which the signature needs. */
  raw: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of all shapes.
  event: any;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The status of each answer; gets the number of earlier deliveries. */
  answer: (index: number) => number;
  /** The headers of its answers. */
  headers: Record<string, string>;
  /** The body of its answers. */
  body: string;
}

/** A merchant's server that receives webhooks on loopback. */
export async function testReceiver(context: Pick<TestContext, 'after'>): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: () => 200,
    headers: {},
    body: 'as you see',
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      // Not a delivery: a client of another test that used this port before.
      if (request.method !== 'POST') {
        response.writeHead(405).end();
        return;
      }
      const index = receiver.received.length;
      receiver.received.push({ headers: request.headers, raw, event: JSON.parse(raw.toString()) });
      response.writeHead(receiver.answer(index), receiver.headers).end(receiver.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}
