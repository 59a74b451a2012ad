import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fitsWidth, offences } from './axe.ts';

const pictures = join(import.meta.dirname, 'screenshots');
mkdirSync(pictures, { recursive: true });

/** Checks the current page with axe and takes pictures, on phone and desktop, light and dark. */
export async function lookAt(
  page: Page,
  name: string,
  widths: readonly number[] = [360, 1440],
): Promise<void> {
  const before = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.deepEqual(await offences(page), [], `${name}, ${width} px, ${colorScheme}`);
      await picture(page, `${name}-${width}-${colorScheme}`);
    }
    assert.ok(await fitsWidth(page), `${name}, ${width} px`);
  }
  if (before) await page.setViewportSize(before);
}

export const picture = (page: Page, name: string): Promise<Buffer> =>
  page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
