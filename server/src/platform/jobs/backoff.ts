/** How long to wait after so many tries: twice as long after each, up to the longest. */
export const backoffMs = (tries: number, firstMs: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** tries, longestMs);
