import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** The findings of axe on a page or in a frame, in a form that fails a comparison with no findings. */
export async function offences(page: Page | Frame): Promise<string[]> {
  await page.evaluate(axe.source);
  // Preloading would write a shadow tree's styles into the page, which the page's policy forbids.
  const run = 'axe.run(document, { preload: false })';
  const { violations } = await page.evaluate<axe.AxeResults>(run);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  );
}

export const fitsWidth = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
