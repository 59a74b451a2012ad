import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { cleanUp } from './support/cleanup.ts';

const run = join(import.meta.dirname, 'run.ts');
const browser = join(import.meta.dirname, 'browser', 'browser.ts');

const launching = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser } from ${JSON.stringify(browser)};
test('a page opens', async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  assert.equal(await page.evaluate('6 * 7'), 42);
  await browser.close();
});
`;

test('shares one browser among test files on a new machine, and neither trusts nor leaves files in the temporary folder', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-run-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  const temporary = join(folder, 'tmp');
  await mkdir(join(folder, 'browser'));
  await mkdir(temporary);
  for (const open of [folder, temporary]) await chmod(open, 0o755);
  const files = ['one', 'two', 'three'].map((name) => join(folder, 'browser', `${name}.test.mts`));
  for (const file of files) await writeFile(file, launching);
  await writeFile(join(temporary, 'chromium'), '#!/bin/sh\necho of somebody else >&2\nexit 1\n', {
    mode: 0o755,
  });

  const inherited = { ...process.env };
  // Drop this run's settings for its own tests.
  for (const name of ['NODE_TEST_CONTEXT', 'TEST_BROWSER']) delete inherited[name];
  const env = { ...inherited, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  const child = spawn(process.execPath, [run, ...files], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const printed = await text(child.stdout);
  assert.equal(await ended, 0, printed);
  assert.match(printed, /pass 3\n/);
  // An installed browser that is killed may leave a hidden file.
  const left = (await readdir(temporary)).filter((name) => !name.startsWith('.'));
  assert.deepEqual(left, ['chromium']);
});
