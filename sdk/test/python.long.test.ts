/** The Python library against a gateway, and its vectors; its dependency comes from the registry. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { testGateway } from '../../server/test/support/gateway.ts';
import { testReceiver } from '../../server/test/support/receiver.ts';

const run = promisify(execFile);
const library = join(import.meta.dirname, '..', 'python');
const limitMs = 180_000;
let folder = '';
let python = '';

const version = spawnSync(
  'python3',
  ['-c', 'import sys, venv; print(sys.version_info >= (3, 10))'],
  {
    encoding: 'utf8',
  },
);
const skip = version.stdout?.trim() !== 'True' && 'there is no Python from 3.10 with venv';

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), 'zimbo-python-'));
  await run('python3', ['-m', 'venv', folder], { timeout: limitMs });
  python = join(folder, 'bin', 'python');
  const install = ['-m', 'pip', 'install', '--quiet', library, 'mypy'];
  await run(python, install, { timeout: limitMs });
});

after(() => (folder === '' ? undefined : rm(folder, { recursive: true, force: true })));

const inLibrary = { cwd: library, timeout: limitMs };

test('runs the vectors in Python', { skip }, async () => {
  const { stderr } = await run(python, ['-m', 'unittest', 'discover', '-s', 'tests'], inLibrary);
  assert.match(stderr, /^OK$/m);
});

test('is typed strictly in Python', { skip }, async () => {
  const { stdout } = await run(python, ['-m', 'mypy', '--strict', 'src'], inLibrary);
  assert.match(stdout, /^Success: no issues found/m);
});

test('calls every operation of a gateway from Python, with and without asyncio', {
  skip,
}, async (context) => {
  const { url, key } = await testGateway(context);
  const receiver = await testReceiver(context);
  const env = { ...process.env, ZIMBO_URL: url, ZIMBO_API_KEY: key, RECEIVER_URL: receiver.url };
  const { stdout } = await run(python, ['tests/story.py'], { ...inLibrary, env });
  assert.match(stdout, /^45 operations, .*: done$/m);
});
