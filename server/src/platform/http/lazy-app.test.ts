import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { Annex } from './lazy-app.ts';
import { buildPlainServer, type HttpScope } from './server.ts';

const logger = pino({ level: 'silent' });

/** A server with a lazy app that answers under `/annex`. */
async function withAnnex(context: TestContext, make: () => Promise<HttpScope>) {
  const annex = new Annex('/annex', make);
  const app = buildPlainServer({ logger, annex });
  app.get('/*', () => 'main');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  context.after(async () => {
    await app.close();
    await annex.close();
  });
  const ask = async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  return { annex, ask };
}

async function annexApp(): Promise<HttpScope> {
  const app = buildPlainServer({ logger });
  app.get('/*', () => 'annex');
  await app.ready();
  return app;
}

test('creates a lazy app once, at its first request, and routes its path to it', async (context) => {
  let made = 0;
  const { ask } = await withAnnex(context, () => {
    made += 1;
    return annexApp();
  });
  assert.equal((await ask('/')).text, 'main');
  assert.equal((await ask('/annexes')).text, 'main');
  assert.equal(made, 0);
  const asked = ['/annex', '/annex/', '/annex/page', '/annex?query'];
  const answers = await Promise.all(asked.map(async (path) => (await ask(path)).text));
  assert.deepEqual(answers, ['annex', 'annex', 'annex', 'annex']);
  assert.equal(made, 1);
});

test('answers 500 if a lazy app cannot be created, and retries at the next request', async (context) => {
  let isBroken = true;
  const { ask } = await withAnnex(context, async () => {
    if (isBroken) throw new Error('broken');
    return annexApp();
  });
  assert.equal((await ask('/annex')).status, 500);
  assert.equal((await ask('/')).text, 'main');
  isBroken = false;
  assert.equal((await ask('/annex')).text, 'annex');
});
