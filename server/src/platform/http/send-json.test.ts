import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { sendJson } from './send-json.ts';

const slice = '1,'.repeat(100_000);

/** What a client gets of an answer whose large part is read like this. */
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

test('a large text is sent as it is read, between what comes before and after it', async () => {
  const text = await answered(async function* () {
    yield Buffer.from(slice);
    yield Buffer.from(slice);
  });
  assert.equal(text, `[${slice}${slice}0]`);
});

test('an answer whose large text cannot be read to its end is no answer', async () => {
  await assert.rejects(
    answered(async function* () {
      yield Buffer.from(slice);
      throw new Error('it is gone');
    }),
  );
});
