import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { runZimbo, type ZimboProcess } from '../support/zimbo.ts';

/**
 * Limits on loaded modules: each costs half a millisecond of every start, and memory. The limits
 * are a little above today's counts.
 */
interface Limits {
  own: number;
  foreign: number;
  /** The packages of the third-party modules. Load any other package on first use. */
  packages: string[];
}

const ofDatabase =
  'pg pg-connection-string pg-int8 pg-pool pg-protocol pg-types postgres-array postgres-bytea postgres-date postgres-interval xtend';
const ofLog =
  'pino pino-std-serializers @pinojs/redact quick-format-unescaped sonic-boom atomic-sleep on-exit-leak-free thread-stream safe-stable-stringify';
const ofFastify =
  'fastify avvio fastq reusify process-warning toad-cache rfdc fast-json-stringify ipaddr.js secure-json-parse semver find-my-way fast-querystring fast-decode-uri-component safe-regex2 ret fast-deep-equal @fastify/error @fastify/proxy-addr @fastify/forwarded';
const ofMetrics = 'prom-client tdigest bintrees @opentelemetry/api';

const namesOf = (...lists: string[]) => lists.flatMap((list) => list.split(' '));

async function modulesOf(
  context: TestContext,
  run: (environment: Record<string, string>) => ZimboProcess | Promise<ZimboProcess>,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-modules-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(
    join(folder, 'demo.env'),
    `ZIMBO_URL=http://127.0.0.1:1\nZIMBO_API_KEY=sk_test_${'a'.repeat(32)}\n`,
  );
  const file = join(folder, 'modules');
  const counter = pathToFileURL(
    join(import.meta.dirname, '..', 'support', 'count-modules.mjs'),
  ).href;
  const environment = { NODE_OPTIONS: `--import=${counter}`, MODULES_FILE: file, DATA_DIR: folder };
  const { ended } = await run(environment);
  await ended;
  return (await readFile(file, 'utf8')).split('\n');
}

function assertWithin(modules: string[], limits: Limits): void {
  const packageOf = (url: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  const nameOf = (url: string) =>
    url.replace(/.*\/(?=(?:node_modules|server|sdk|operator-simulator)\/)/, '');
  const isOwn = (url: string) => packageOf(url) === undefined;
  const [own, foreign] = [modules.filter(isOwn), modules.filter((url) => !isOwn(url))];
  const added = new Set(foreign.map((url) => packageOf(url)!)).difference(new Set(limits.packages));
  assert.deepEqual([...added], [], 'packages that were not loaded before');
  for (const [urls, limit] of [
    [own, limits.own],
    [foreign, limits.foreign],
  ] as const) {
    const count = urls.length;
    assert.ok(count <= limit, `${count} instead of ${limit}: ${urls.map(nameOf).join(' ')}`);
    assert.ok(count > 0.9 * limit, `the limit is ${limit}, but only ${count} are loaded`);
  }
}

test('loads for help the commands, and little of their code', async (context) => {
  const modules = await modulesOf(context, (environment) =>
    runZimbo(context, ['--help'], environment),
  );
  const packages = namesOf('commander uuid uqr', ofDatabase);
  assertWithin(modules, { own: 115, foreign: 65, packages });
});

test('loads for an API command itself and the SDK, and nothing of the gateway', async (context) => {
  const modules = await modulesOf(context, (environment) =>
    runZimbo(context, ['payments', 'get', 'pi_1'], environment),
  );
  assertWithin(modules, { own: 77, foreign: 28, packages: ['commander', 'uuid'] });
});

test('starts a gateway without modules that it may never need', async (context) => {
  const { url } = await testDatabase(context);
  const secrets = { ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
  const modules = await modulesOf(context, async (environment) => {
    const gateway = runZimbo(context, ['start'], {
      ...environment,
      ...secrets,
      DATABASE_URL: url,
      PORT: '0',
    });
    await gateway.says(/Gateway/);
    gateway.child.kill('SIGTERM');
    return gateway;
  });
  const ofSeveral = modules.filter((url) => url.includes('/app/processes/'));
  assert.deepEqual(ofSeveral, [], 'loads no module for several processes into a single one');
  const packages = namesOf('commander uuid uqr undici', ofDatabase, ofLog, ofFastify, ofMetrics);
  assertWithin(modules, { own: 840, foreign: 430, packages });
});

test('stores compiled code while a gateway runs, for the start after a kill', async (context) => {
  const { url } = await testDatabase(context);
  const compiled = await mkdtemp(join(tmpdir(), 'zimbo-compiled-'));
  context.after(() => rm(compiled, { recursive: true, force: true }));
  const gateway = runZimbo(context, ['start'], {
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATABASE_URL: url,
    PORT: '0',
    NODE_COMPILE_CACHE: compiled,
  });
  await gateway.says(/Gateway/);
  const isKept = async () => (await readdir(compiled, { recursive: true })).length > 500;
  try {
    await eventually('the compiled code is in its folder', isKept);
  } finally {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  }
});
