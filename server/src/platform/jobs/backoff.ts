/** The delay after this many attempts: doubles with each, up to the longest. */
export const backoffMs = (tries: number, firstMs: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** tries, longestMs);
