import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { sendJson } from './send-json.ts';

const slice = '1,'.repeat(100_000);

/** The response that a client gets if its large part is read like this. */
async function answered(read: () => AsyncGenerator<Buffer>): Promise<string> {
  const app = Fastify();
  app.get('/', (_, reply) => {
    sendJson(reply, '[', { bytes: 2 * slice.length, read }, '0]');
    return reply;
  });
  try {
    return await (await fetch(await app.listen({ host: '127.0.0.1', port: 0 }))).text();
  } finally {
    await app.close();
  }
}

test('streams a large text between the parts before and after it', async () => {
  const text = await answered(async function* () {
    yield Buffer.from(slice);
    yield Buffer.from(slice);
  });
  assert.equal(text, `[${slice}${slice}0]`);
});

test('breaks off a response whose large text cannot be read to its end', async () => {
  await assert.rejects(
    answered(async function* () {
      yield Buffer.from(slice);
      throw new Error('it is gone');
    }),
  );
});
