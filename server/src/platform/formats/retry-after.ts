const dayMs = 24 * 60 * 60 * 1_000;

/** `Sat, 31 Jan 2026 12:01:00 GMT`, and `Saturday, 31-Jan-26 12:01:00 GMT` of RFC 850; mails have `+0000` instead. */
const datePattern = /^[A-Z][a-z]+, .* (GMT|[+-]\d{4})$/;
/** `Sat Jan 31 12:01:00 2026`, as C's asctime writes it: it means GMT and does not say so. */
const asctimePattern = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * The wait that `Retry-After` asks for, in seconds or as one of the three forms of an HTTP date (RFC 9110), from 0 to
 * 24 h; of several headers the longest. Null if it says nothing.
 */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | null {
  const waits = valuesOf([header ?? []].flat().join(','))
    .map((value) => waitOf(value, nowMs))
    .filter((waitMs) => !Number.isNaN(waitMs));
  return waits.length === 0 ? null : Math.min(Math.max(0, ...waits), dayMs);
}

/** Several headers may have been joined by commas, and a date holds one after its weekday. */
const valuesOf = (header: string): string[] =>
  header.split(/(?<![A-Z][a-z]{2,8}),/).map((value) => value.trim());

function waitOf(value: string, nowMs: number): number {
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  if (datePattern.test(value)) return Date.parse(value) - nowMs;
  return asctimePattern.test(value) ? Date.parse(`${value} GMT`) - nowMs : Number.NaN;
}
