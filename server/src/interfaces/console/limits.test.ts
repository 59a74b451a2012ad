import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import cookie from '@fastify/cookie';
import { pino } from 'pino';
import { eventually } from '../../../test/support/eventually.ts';
import { type Allowance, RateLimiter } from '../../platform/http/rate-limit.ts';
import { buildPlainServer } from '../../platform/http/server.ts';
import { boundPages, createPace, createPageTurns } from './limits.ts';
import { consoleAddress } from './session.ts';

const atOnce = 4;

/** A console whose pages finish when the test says so. */
async function heldPages(context: TestContext) {
  const made: ((page: unknown) => void)[] = [];
  const app = buildPlainServer({ logger: pino({ level: 'silent' }) });
  await app.register(cookie);
  boundPages(app, createPageTurns(consoleAddress('http://localhost')));
  const page = () => new Promise((resolve) => made.push(resolve));
  app.get('/page', page);
  app.post('/page', page);
  app.get('/plain', async () => 'plain');
  context.after(() => app.close());
  const ask = (session: string | undefined, url = '/page', method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ url, method, ...(session !== undefined && { cookies: { zimbo: session } }) });
  const underWay = (count: number) =>
    eventually(`${count} are under way`, () => made.length === count);
  const pages = (count: number) => Promise.all(Array.from({ length: count }, () => ask('one')));
  return { app, made, ask, pages, underWay };
}

test('of one session a few pages are made at once, and the others wait', async (context) => {
  const { made, ask, pages, underWay } = await heldPages(context);
  const all = pages(20);
  await underWay(atOnce);
  assert.equal((await ask('another', '/plain')).body, 'plain');
  assert.equal((await ask(undefined, '/plain')).body, 'plain');
  for (let index = 0; index < 20; index++) {
    await underWay(Math.min(index + atOnce, 20));
    made[index]!(`page ${index}`);
  }
  for (const { statusCode } of await all) assert.equal(statusCode, 200);
  const heads = Array.from({ length: 10 }, () => ask('one', '/plain', 'HEAD'));
  for (const { statusCode } of await Promise.all(heads)) assert.equal(statusCode, 200);
});

test('a page that fails lets the next one begin', async (context) => {
  const { made, pages, underWay } = await heldPages(context);
  const all = pages(2 * atOnce);
  await underWay(atOnce);
  for (const resolve of made.slice()) resolve(Promise.reject(new Error('a page fails')));
  await underWay(2 * atOnce);
  for (const resolve of made.slice(atOnce)) resolve('made');
  const codes = (await all).map(({ statusCode }) => statusCode);
  assert.equal(codes.filter((code) => code === 500).length, atOnce);
  assert.equal(codes.filter((code) => code === 200).length, atOnce);
});

test('a download that is read slowly holds no turn', async (context) => {
  const { made, ask, pages, underWay } = await heldPages(context);
  const downloads = pages(atOnce);
  await underWay(atOnce);
  const files = made.map((resolve) => {
    const file = new PassThrough();
    resolve(file);
    return file;
  });
  assert.equal((await ask('one', '/plain')).body, 'plain');
  for (const file of files) file.end('the end');
  for (const { body } of await downloads) assert.equal(body, 'the end');
});

test('a page that nobody waits for any more is not made, and a form is', async (context) => {
  const { app, made, underWay } = await heldPages(context);
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/page`;
  const headers = { cookie: 'zimbo=one' };
  let open = 0;
  app.server.on('connection', (socket) => {
    open += 1;
    socket.on('close', () => (open -= 1));
  });
  const first = Array.from({ length: atOnce }, () => fetch(url, { headers }));
  const early = Promise.any(first).then(({ status }) => assert.fail(`answered ${status} at once`));
  await Promise.race([underWay(atOnce), early]);
  early.catch(() => {});
  let arrived = 0;
  app.server.on('request', () => (arrived += 1));
  const leaving = new AbortController();
  const { signal } = leaving;
  const given = ['GET', 'GET', 'POST'].map((method) => fetch(url, { method, headers, signal }));
  await eventually('all have arrived', () => arrived === given.length);
  leaving.abort();
  for (const answer of given) await assert.rejects(answer, { name: 'AbortError' });
  await eventually('the server has seen them go', () => open === atOnce);
  const last = fetch(url, { headers });
  await eventually('the last has arrived', () => arrived === given.length + 1);
  for (const resolve of made.slice()) resolve('first');
  // The form, and the page that a person waits for.
  await underWay(atOnce + 2);
  for (const resolve of made.slice(atOnce)) resolve('last');
  assert.equal(await (await last).text(), 'last');
  for (const answer of first) assert.equal((await answer).status, 200);
  assert.equal(made.length, atOnce + 2);
});

test('a session that has used up its pages waits for the next', async () => {
  let nowMs = 0;
  const limiter = new RateLimiter({ perSecond: 1_000, burst: 2 });
  const waits: Allowance[] = [];
  const pace = createPace(
    { nowMs: () => nowMs },
    {
      take(key) {
        const allowance = limiter.take(key, nowMs);
        // Time passes while the request waits.
        if (!allowance.allowed) {
          waits.push(allowance);
          nowMs += allowance.retryInMs;
        }
        return allowance;
      },
      charge: () => {},
      giveBack: () => {},
    },
  );
  for (let index = 0; index < 5; index++) await pace('one');
  assert.equal(waits.length, 3);
  await pace('another');
  assert.equal(waits.length, 3);
  await createPace({ nowMs: () => nowMs }, undefined)('one');
});
