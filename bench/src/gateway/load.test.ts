import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createRequest, runLoad } from './load.ts';

async function served(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

const answer = (text: string, status = 200): RequestListener => {
  const headers = { 'content-length': Buffer.byteLength(text) };
  return (request, response) => {
    request.resume();
    response.writeHead(status, headers).end(text);
  };
};
const load = { connections: 2, seconds: 0.5, endpoints: 0 };
const requests = [createRequest('sk_test')];

test('counts requests that end in the measured window, and reports its edges', async (context) => {
  let served200 = 0;
  let edges = 0;
  const between: number[] = [];
  const ok = answer('{}');
  const address = await served(context, (request, response) => {
    served200 += 1;
    ok(request, response);
  });
  const { ended, perSecond, unfinished } = await runLoad({ address, requests, ...load }, () => {
    edges += 1;
    between.push(served200);
  });
  assert.equal(edges, 2);
  assert.equal(unfinished, 0);
  // Some 0.4 s of 0.5: the warm-up is served but not counted.
  assert.ok(Math.abs(perSecond - ended / 0.4) < 0.1, `${ended} and ${perSecond} per second`);
  assert.ok(ended > 0 && ended < served200, `${ended} of ${served200}`);
  assert.ok(between[0]! < between[1]!, between.join(' and '));
});

test('reports no rate if requests are rejected', async (context) => {
  const address = await served(context, answer('{"error":{"code":"RATE_LIMITED"}}', 429));
  await assert.rejects(runLoad({ address, requests, ...load }), /the load failed/);
});

test('completes a session when its customer has opened the page', async (context) => {
  const seen = { POST: 0, GET: 0 };
  const session = answer('{"url":"http://shop/pay/cs_1"}');
  const page = answer('<h1>Pay</h1>');
  const address = await served(context, (request, response) => {
    seen[request.method as 'GET' | 'POST'] += 1;
    if (request.method === 'GET') assert.equal(request.url, '/pay/cs_1');
    (request.method === 'GET' ? page : session)(request, response);
  });
  const opens = '"url":"https?://[^/]+(/pay/[^"]+)"';
  await runLoad({ address, requests: [{ ...requests[0]!, opens }], ...load });
  assert.ok(seen.GET > 0);
  assert.equal(seen.GET, seen.POST);
});
