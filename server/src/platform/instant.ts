import { invalid } from './errors.ts';

const pattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** An ISO 8601 instant with its time zone, or a day (its midnight in UTC), in milliseconds; undefined for anything else. */
export function parseInstant(text: string): number | undefined {
  const ms = pattern.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) return undefined;
  // Date.parse takes 30 February for 2 March.
  const day = text.slice(0, 10);
  return new Date(day).toISOString().startsWith(day) ? ms : undefined;
}

/**
 * The same of a field that must be one.
 * @throws VALIDATION_ERROR naming the field
 */
export function requireInstant(field: string, text: string): number {
  const ms = parseInstant(text);
  if (ms === undefined) throw invalid(field, 'must be an ISO 8601 date-time with a time zone');
  return ms;
}
