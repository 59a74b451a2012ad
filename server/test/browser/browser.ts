import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const installed = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The Chrome or Chromium of this machine; without one, that of an npm package (Linux on x64). */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = installed.find((path) => existsSync(path));
  if (executablePath) return chromium.launch({ executablePath });
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The browser tests need Google Chrome or Chromium: please install one.');
  }
  const { default: packaged } = await import('@sparticuz/chromium');
  // Its own arguments are for cloud functions: one process, which dies with the first page that closes.
  const args = ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--disable-gpu-watchdog'];
  return chromium.launch({ executablePath: await packaged.executablePath(), args });
}
