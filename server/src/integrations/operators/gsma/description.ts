/** Of `descriptionText` in the standard, in code points. */
const longest = 160;

/**
 * A text for the customer's statement, as long as the standard allows; undefined if nothing readable is left. Cut
 * between visible characters, which may be several code points.
 */
export function descriptionOf(text: string | null | undefined): string | undefined {
  const line = (text ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const cut = line.length <= longest ? line : beginningOf(line);
  return cut === '' ? undefined : cut;
}

function beginningOf(line: string): string {
  let end = 0;
  let left = longest;
  for (const { segment } of new Intl.Segmenter('pt').segment(line)) {
    left -= Array.from(segment).length;
    if (left < 0) break;
    end += segment.length;
  }
  return line.slice(0, end).trimEnd();
}
