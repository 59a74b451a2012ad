import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';

const installed = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const hasPackage = process.platform === 'linux' && process.arch === 'x64';
const unpack = `import chromium from '@sparticuz/chromium';
process.stdout.write(await chromium.executablePath());`;

/**
 * The Chrome or Chromium of this machine; without one, that of an npm package (Linux on x64).
 * @param folder a private one of the caller's, for the package to be unpacked in
 * @returns the path of the program; undefined if there is none
 */
export async function findBrowser(folder: string): Promise<string | undefined> {
  const found = installed.find((path) => existsSync(path));
  if (found || !hasPackage) return found;
  // The package unpacks to fixed names in the temporary folder, and takes what it finds there for its own. In the
  // shared one, anybody may have put it there, and two processes would unpack to one file at once.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', unpack],
    { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: folder } },
  );
  return stdout;
}

/** @param executablePath what `findBrowser` found; run.ts finds it once for all tests */
export async function launchBrowser(executablePath = process.env.TEST_BROWSER): Promise<Browser> {
  if (executablePath) {
    const { chromium } = await import('playwright-core');
    if (installed.includes(executablePath)) return chromium.launch({ executablePath });
    // The arguments that the package suggests are for cloud functions: one process, which dies with the first page
    // that closes.
    const args = ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--disable-gpu-watchdog'];
    // Killed at the wrong moment, it leaves a file of its shared memory.
    const env = { ...process.env, TMPDIR: dirname(executablePath) };
    return chromium.launch({ executablePath, args, env });
  }
  throw new Error(
    hasPackage || installed.some((path) => existsSync(path))
      ? 'run it with: node server/test/run.ts FILE, where FILE lies in a folder called browser'
      : 'The browser tests need Google Chrome or Chromium: please install one.',
  );
}
