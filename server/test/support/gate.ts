import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { cleanUp } from './cleanup.ts';

/** The way of a merchant's program to the API: counts what the program asks, and can be shut, or lose the answers. */
export async function gateTo(context: Pick<TestContext, 'after'>, target: string) {
  const gate = { url: '', isShut: false, losesAnswers: false, asked: new Map<string, number>() };
  const passed = ['authorization', 'content-type', 'idempotency-key'] as const;
  const server = createServer(async (request, response) => {
    const { url = '', method = 'GET' } = request;
    gate.asked.set(url, (gate.asked.get(url) ?? 0) + 1);
    const headers = passed.flatMap((name): [string, string][] => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const body = method === 'GET' ? null : new Uint8Array(await buffer(request));
    const lost = new Response('', { status: 503 });
    const arrived = gate.isShut ? lost : await fetch(target + url, { method, headers, body });
    const answer = gate.losesAnswers ? lost : arrived;
    const contentType = answer.headers.get('content-type') ?? 'text/plain';
    response.writeHead(answer.status, { 'content-type': contentType }).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  gate.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gate;
}
