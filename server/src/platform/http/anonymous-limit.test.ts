import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoServer } from '../../../test/support/demo-server.ts';

test('limits a client that keeps sending requests without a key, but not another address', async (context) => {
  const app = demoServer({ nowMs: () => 1_000 });
  context.after(() => app.close());
  const ask = (remoteAddress: string) => app.inject({ url: '/openapi.json', remoteAddress });
  for (let count = 0; count < 200; count++) {
    assert.equal((await ask('192.0.2.1')).statusCode, 200);
  }
  const refused = await ask('192.0.2.1');
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '1']);
  assert.equal(refused.json().error.code, 'RATE_LIMITED');
  assert.equal((await ask('192.0.2.2')).statusCode, 200);
});
