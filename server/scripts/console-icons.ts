/**
 * Draws the icons of the console's web app manifest from icon.svg: `node server/scripts/console-icons.ts`. They are
 * committed, since a gateway has no browser to draw them with.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser, launchBrowser } from '../test/browser/browser.ts';

const folder = join(import.meta.dirname, '..', 'src', 'interfaces', 'console', 'assets');
const drawing = readFileSync(join(folder, 'icon.svg'), 'utf8');
const own = mkdtempSync(join(tmpdir(), 'zimbo-icons-'));
const browser = await launchBrowser(await findBrowser(own));
for (const size of [192, 512]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  // Phones cut icons to their own shapes: what matters stays within the middle.
  await page.setContent(
    `<style>body{margin:0;background:#fff}svg{display:block;width:72vw;margin:14vw}</style>${drawing}`,
  );
  await page.screenshot({ path: join(folder, `icon-${size}.png`) });
  await page.close();
}
await browser.close();
rmSync(own, { recursive: true, force: true });
