/** The Go library against a gateway, and its vectors, where Go is there. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { testGateway } from '../../server/test/support/gateway.ts';
import { blocksOf, lacks, read } from '../../server/test/support/pages.ts';
import { testReceiver } from '../../server/test/support/receiver.ts';
import { methods } from '../scripts/methods.ts';

const run = promisify(execFile);
const operations = Object.keys(methods).length;
const inLibrary = { cwd: join(import.meta.dirname, '..', 'go'), timeout: 240_000 };

const version = spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '';
const minor = Number(/go1\.(\d+)/.exec(version)?.[1] ?? 0);
const skip = minor < 24 && 'there is no Go from 1.24';

test('is formatted and vetted in Go', { skip }, async () => {
  const { stdout } = await run('gofmt', ['-l', '.'], inLibrary);
  assert.equal(stdout, '');
  await run('go', ['vet', './...'], inLibrary);
});

test('gives staticcheck nothing to say', { skip: skip || lacks('staticcheck') }, async () => {
  await run('staticcheck', ['-checks', 'all', './...'], inLibrary);
});

test('runs the block of the README of the Go library', { skip }, async (context) => {
  const { url, key } = await testGateway(context);
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-go-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const name = 'github.com/zimbo-gateway/zimbo/sdk/go';
  const module = `module shop\n\ngo 1.24\n\nrequire ${name} v0.0.0\n\nreplace ${name} => ${inLibrary.cwd}\n`;
  await writeFile(join(folder, 'go.mod'), module);
  await writeFile(join(folder, 'main.go'), blocksOf(read('sdk/go/README.md'), 'go')[0]!);
  const env = { ...process.env, ZIMBO_URL: url, ZIMBO_API_KEY: key };
  const { stdout } = await run('go', ['run', '.'], { ...inLibrary, cwd: folder, env });
  assert.match(stdout, /^pi_\w+ CREATED\npi_\w+ 10000\nVALIDATION_ERROR \w+$/m);
});

test('runs the vectors and calls every operation of a gateway from Go', {
  skip,
}, async (context) => {
  const { url, key } = await testGateway(context);
  const receiver = await testReceiver(context);
  const env = { ...process.env, ZIMBO_URL: url, ZIMBO_API_KEY: key, RECEIVER_URL: receiver.url };
  const { stdout } = await run('go', ['test', '-count=1', '-v', './...'], { ...inLibrary, env });
  assert.match(stdout, new RegExp(`\\b${operations} operations, \\d+ calls: done`));
  assert.match(stdout, /^ok\s/m);
});
