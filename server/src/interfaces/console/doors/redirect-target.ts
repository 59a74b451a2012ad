const longest = 2_000;
const anywhere = 'http://console.invalid';

/**
 * The console page to redirect to, as a path from `/console` on; undefined for any other target.
 * Parsed like in browsers, which treat a backslash as a slash, and resolve dots.
 */
export function nextPage(given: string | null): string | undefined {
  if (given === null || given.length > longest || !URL.canParse(given, anywhere)) return undefined;
  const { origin, pathname, search } = new URL(given, anywhere);
  if (origin !== anywhere || !/^\/console(\/|$)/.test(pathname)) return undefined;
  return `${pathname}${search}`;
}
