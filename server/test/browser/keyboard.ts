import type { Page } from 'playwright-core';

/** Records the focus and its visibility. */
const watch = `(() => {
  const inputs = 'input:not([type=hidden]):not([disabled]), select:not([disabled]), textarea:not([disabled])';
  const all = document.querySelectorAll('a[href], button:not([disabled]), summary, [tabindex="0"], ' + inputs);
  const isChosen = (one) => one.type !== 'radio' || one.checked ||
    !document.querySelector('input[type=radio][name="' + one.name + '"]:checked') &&
    document.querySelector('input[type=radio][name="' + one.name + '"]') === one;
  const reachable = [...all].filter((one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }) && isChosen(one));
  // From the beginning, also where the page has put the focus on a mistake.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  window.walked = { reachable, reached: [], faint: [] };
  document.addEventListener('focusin', ({ target }) => {
    const { reached, faint } = window.walked;
    if (reached.at(-1) === target) return;
    reached.push(target);
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    const { width, height } = target.getBoundingClientRect();
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2 || width < 2 || height < 2) faint.push(target);
  });
  // The parts of a date or time are stops of their own.
  return reachable.length + 7 * reachable.filter(({ type }) => /^(date|time)/.test(type)).length + 1;
})()`;

const verdict = `(() => {
  const { reachable, reached, faint } = window.walked;
  const say = (one) => one.cloneNode(false).outerHTML.slice(0, 160) + one.textContent.trim().slice(0, 30);
  const faults = [];
  const first = reached.slice(0, reachable.length);
  const wrong = reachable.findIndex((one, index) => one !== first[index]);
  if (wrong >= 0) {
    const found = first[wrong];
    faults.push('Tab leads to ' + (found ? say(found) : 'nothing') + ' instead of ' + say(reachable[wrong]));
  }
  faults.push(...new Set(faint.map((one) => 'focus is not seen on ' + say(one))));
  for (const form of document.forms) {
    const fields = form.querySelectorAll('input:not([type=hidden], [type=checkbox], [type=radio])');
    const sends = [...form.elements].some(({ type }) => type === 'submit');
    // A browser sends a form of one field without a button too.
    if (fields.length > 1 && !sends) faults.push('Enter does not send ' + say(form));
  }
  return faults;
})()`;

/** Tab reaches everything once, in page order, with a visible ring, and leaves at the end. */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const presses = await page.evaluate<number>(watch);
  // In sequence in the browser, without waiting for each key.
  await Promise.all(Array.from({ length: presses }, () => page.keyboard.press('Tab')));
  return page.evaluate<string[]>(verdict);
}
