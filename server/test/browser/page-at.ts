import { pages } from '../../src/interfaces/console/pages/index.ts';
import { staffPages } from '../../src/interfaces/console/staff/index.ts';

/** Every page of the console, by its distinguishing feature. */
export const allPages: readonly string[] = [
  ...pages.map(({ path }) => `merchant: ${path}`),
  ...staffPages.map(({ path }) => `staff: ${path}`),
];

/** The page at an address of the console, as in {@link allPages}; undefined for sign-in pages and receipts. */
export function pageAt(path: string): string | undefined {
  const [, of, below = ''] = /^\/console\/(staff|me_\w+\/\w+)(?:\/([^?]*))?/.exec(path) ?? [];
  if (of === undefined) return undefined;
  if (of === 'staff') return named('staff', patternAt(staffPages, below));
  return named('merchant', patternAt(pages, below));
}

const named = (whose: string, pattern: string | undefined) =>
  pattern === undefined ? undefined : `${whose}: ${pattern}`;

/** The most specific of several matches. */
function patternAt(these: readonly { path: string }[], below: string): string | undefined {
  const open = (pattern: string) => pattern.split(':').length;
  return these
    .map(({ path }) => path)
    .filter((pattern) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(below))
    .sort((left, right) => open(left) - open(right))[0];
}
