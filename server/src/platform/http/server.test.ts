import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { assertError, json, startDemo, until } from '../../../test/support/demo-client.ts';
import { fullKey } from '../../../test/support/demo-server.ts';

interface LogLine {
  level: number;
  msg: string;
  requestId: string;
  route?: string;
  status?: number;
  err?: object;
}

function logLines() {
  const lines: LogLine[] = [];
  const log = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  return { lines, log };
}

test('gives every answer a request id: the one in the request if well-formed, otherwise a new one', async (t) => {
  const demo = await startDemo(t);
  const paths = ['/v1/orders', '/v1/nope', '/v1/orders/%zz', '/nope', '/docs', '/openapi.json'];
  for (const path of paths) {
    for (const headers of [{}, { authorization: '' }]) {
      const given = await demo.send('GET', path, {
        headers: { ...headers, 'x-request-id': 'My-Id_1.2' },
      });
      assert.equal(given.headers.get('x-request-id'), 'My-Id_1.2', path);
      assert.equal(given.headers.get('x-content-type-options'), 'nosniff', path);
    }
  }
  for (const id of ['', 'a b', 'x'.repeat(65), '<script>']) {
    const answer = await demo.send('GET', '/v1/orders', { headers: { 'x-request-id': id || ' ' } });
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  }
});

test('forbids caches to store answers of /v1', async (t) => {
  const demo = await startDemo(t);
  for (const path of ['/v1/orders', '/v1/nope', '/v1/orders/%zz', '/v1/broken']) {
    for (const headers of [{}, { authorization: '' }]) {
      const answer = await demo.send('GET', path, { headers });
      assert.equal(answer.headers.get('cache-control'), 'no-store', path);
    }
  }
});

test('answers an unforeseen error with 500 without detail, and logs it with the request id', async (t) => {
  const { lines, log } = logLines();
  const demo = await startDemo(t, { log });
  const headers = { 'x-request-id': 'id-of-the-broken' };
  const answer = await demo.send('GET', '/v1/broken', { headers });
  assert.doesNotMatch(assertError(answer, 'INTERNAL_ERROR'), /secret/);
  await until(() => lines.some((line) => line.level === 50));
  const line = lines.find(({ level }) => level === 50);
  assert.equal(line?.requestId, 'id-of-the-broken');
  assert.match(JSON.stringify(line?.err), /secret detail of the handler/);
});

test('logs requests at debug level, without keys and query values', async (t) => {
  const { lines, log } = logLines();
  const demo = await startDemo(t, { log });
  await demo.send('GET', '/v1/orders?status=OPEN&limit=7');
  await demo.send('GET', '/v1/orders?status=SECRETVALUE');
  await demo.send('POST', '/v1/orders', { headers: json, body: '{"amount":1,"note":"private"}' });
  await until(() => lines.filter((line) => line.msg === 'request').length === 3);
  const [line] = lines.filter(({ msg }) => msg === 'request');
  assert.equal(line?.level, 20);
  assert.equal(line?.route, '/v1/orders');
  assert.equal(line?.status, 200);
  assert.doesNotMatch(JSON.stringify(lines), new RegExp(`${fullKey}|SECRETVALUE|private`));
});
