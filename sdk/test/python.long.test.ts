/** The Python library against a gateway, and its vectors; its dependency comes from the registry. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { testGateway } from '../../server/test/support/gateway.ts';
import { blocksOf, read } from '../../server/test/support/pages.ts';
import { testReceiver } from '../../server/test/support/receiver.ts';
import { isReached } from '../../server/test/support/registry.ts';
import { methods } from '../scripts/methods.ts';

const run = promisify(execFile);
const operations = Object.keys(methods).length;
const library = join(import.meta.dirname, '..', 'python');
const limitMs = 180_000;
const folder = await mkdtemp(join(tmpdir(), 'zimbo-python-'));
after(() => rm(folder, { recursive: true, force: true }));

const isThere = 'import sys, venv; sys.exit(sys.version_info < (3, 10))';
const skip =
  spawnSync('python3', ['-c', isThere]).status !== 0 && 'there is no Python from 3.10 with venv';
/** The first one installs. */
const options = { skip, timeout: 3 * limitMs };
let installed: Promise<unknown> | undefined;
const python = join(folder, 'bin', 'python');

/** Installs the library, its dependency and mypy. */
async function install(context: TestContext): Promise<boolean> {
  installed ??= run('python3', ['-m', 'venv', folder], { timeout: limitMs }).then(() =>
    run(python, ['-m', 'pip', 'install', '--quiet', library, 'mypy'], { timeout: limitMs }),
  );
  return isReached(context, installed);
}

const inLibrary = { cwd: library, timeout: limitMs };

test('runs the vectors in Python', options, async (context) => {
  if (!(await install(context))) return;
  const { stderr } = await run(python, ['-m', 'unittest', 'discover', '-s', 'tests'], inLibrary);
  assert.match(stderr, /^OK$/m);
});

test('runs the blocks of the README of the Python library', options, async (context) => {
  if (!(await install(context))) return;
  const { url, key } = await testGateway(context);
  const env = { ...process.env, ZIMBO_URL: url, ZIMBO_API_KEY: key };
  // Those between are receivers, which have a test of their own.
  const all = blocksOf(read('sdk/python/README.md'), 'python');
  const blocks = [all[0]!, all.at(-1)!];
  const printed = await Promise.all(
    blocks.map((block) => run(python, ['-c', block], { ...inLibrary, env })),
  );
  assert.match(printed[0]!.stdout, /^pi_\w+ CREATED\npi_\w+ 10000\nVALIDATION_ERROR amount$/m);
  assert.equal(printed[1]!.stdout, 'payment.invented False\n');
});

test('is typed strictly in Python', options, async (context) => {
  if (!(await install(context))) return;
  const { stdout } = await run(python, ['-m', 'mypy', '--strict', 'src'], inLibrary);
  assert.match(stdout, /^Success: no issues found/m);
});

test('is typed completely for pyright', options, async (context) => {
  if (!(await install(context))) return;
  const PATH = [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const inEnvironment = { ...inLibrary, env: { ...process.env, PATH, VIRTUAL_ENV: folder } };
  const pyright = (...options: string[]) =>
    run('npx', ['--yes', 'pyright@1.1.414', ...options], inEnvironment);
  const checked = pyright('src', 'tests');
  if (!(await isReached(context, checked))) return;
  assert.match((await checked).stdout, /^0 errors, 0 warnings/m);
  const { stdout } = await pyright('--verifytypes', 'zimbo', '--ignoreexternal');
  assert.match(stdout, /^Type completeness score: 100%$/m);
});

test(
  'calls every operation of a gateway from Python, with and without asyncio',
  options,
  async (context) => {
    if (!(await install(context))) return;
    const { url, key } = await testGateway(context);
    const receiver = await testReceiver(context);
    const env = { ...process.env, ZIMBO_URL: url, ZIMBO_API_KEY: key, RECEIVER_URL: receiver.url };
    const { stdout } = await run(python, ['tests/story.py'], { ...inLibrary, env });
    assert.match(stdout, new RegExp(`^${operations} operations, .*: done$`, 'm'));
  },
);
