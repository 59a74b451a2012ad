import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realRequests } from '../gateway/load.ts';
import { Requests } from './requests.ts';

const address = 'http://127.0.0.1:3000';

test('makes real creates complete, each with its own key, and repeats a tenth of them to the byte', () => {
  const requests = new Requests({ address, requests: realRequests('sk_test'), repeatEvery: 10 });
  const sent = Array.from({ length: 2_000 }, () => requests.next());
  const [head, body] = sent[0]!.split('\r\n\r\n') as [string, string];
  assert.equal(Number(/Content-Length: (\d+)/.exec(head)![1]), Buffer.byteLength(body));
  assert.match(head, /Idempotency-Key: [0-9a-f-]{36}(\r|$)/);
  const payment = JSON.parse(body) as object;
  for (const field of ['externalId', 'customerId', 'description', 'metadata']) {
    assert.ok(field in payment, field);
  }
  // Repetitions start once some requests are old enough.
  const repeated = sent.length - new Set(sent).size;
  assert.ok(repeated > 140 && repeated <= 150, `${repeated}`);
  const ages = sent.map((text, index) => index - sent.indexOf(text)).filter((age) => age > 0);
  assert.ok(Math.min(...ages) >= 500, 'the first request has been answered by then');
  const keys = sent.map((text) => /Idempotency-Key: (\S+)/.exec(text)![1]);
  assert.equal(new Set(keys).size, new Set(sent).size);
});

test('sends requests without a placeholder in turn, repeatedly', () => {
  const paths = ['/a', '/b'];
  const given = paths.map((path) => ({ method: 'GET' as const, path, key: 'k' }));
  const requests = new Requests({ address, requests: given });
  const sent = Array.from({ length: 4 }, () => requests.next().split(' ')[1]);
  assert.deepEqual(sent, ['/a', '/b', '/a', '/b']);
});
