const longest = 2_000;
const anywhere = 'http://console.invalid';

/**
 * The page of the console that somebody is to come to, as a path from `/console` on; undefined for what leads
 * anywhere else. It is read as browsers read it: they take a backslash for a slash, and resolve dots.
 */
export function nextPage(given: string | null): string | undefined {
  if (given === null || given.length > longest || !URL.canParse(given, anywhere)) return undefined;
  const { origin, pathname, search } = new URL(given, anywhere);
  if (origin !== anywhere || !/^\/console(\/|$)/.test(pathname)) return undefined;
  return `${pathname}${search}`;
}
