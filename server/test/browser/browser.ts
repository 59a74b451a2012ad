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
 * This machine's Chrome or Chromium; otherwise the one of an npm package (Linux on x64). @param
 * folder the caller's private folder, where the package is unpacked @returns the path of the
 * program; undefined if there is none
 */
export async function findBrowser(folder: string): Promise<string | undefined> {
  const found = installed.find((path) => existsSync(path));
  if (found || !hasPackage) return found;
  // The package unpacks to fixed names in the temporary folder, and trusts existing files there. In
  // a shared folder, anybody could plant such files, and two processes would write one file at
  // once.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', unpack],
    { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: folder } },
  );
  return stdout;
}

/** @param executablePath the result of `findBrowser`, which run.ts calls once for all tests */
export async function launchBrowser(executablePath = process.env.TEST_BROWSER): Promise<Browser> {
  if (executablePath) {
    const { chromium } = await import('playwright-core');
    if (installed.includes(executablePath)) return chromium.launch({ executablePath });
    // The package's own arguments suit cloud functions: a single process, which dies with the first
    // closed page.
    const args = ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--disable-gpu-watchdog'];
    // Killed at the wrong moment, the browser leaves a shared-memory file.
    const env = { ...process.env, TMPDIR: dirname(executablePath) };
    return chromium.launch({ executablePath, args, env });
  }
  throw new Error(
    hasPackage || installed.some((path) => existsSync(path))
      ? 'run it with: node server/test/run.ts FILE, where FILE lies in a folder called browser'
      : 'The browser tests need Google Chrome or Chromium: please install one.',
  );
}
