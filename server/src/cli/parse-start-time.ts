import { InvalidArgumentError } from 'commander';
import { parseInstant } from '../platform/formats/instant.ts';

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses an age, such as 10m, or an instant with its time zone: to milliseconds since 1970. */
export function sinceOf(text: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const sinceMs = unit
    ? Date.now() - Number(count) * unitsMs[unit as keyof typeof unitsMs]
    : parseInstant(text);
  if (sinceMs !== undefined && sinceMs >= 0) return sinceMs;
  throw new InvalidArgumentError(
    'It must be an age, such as 10m, or an instant, such as 2026-11-21T08:00:00Z.',
  );
}

/** Parses a day (its midnight in UTC), or an instant with its time zone: to milliseconds since 1970. */
export function instantOf(text: string): number {
  const ms = parseInstant(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(
    'It must be a day, such as 2026-11-21, or an instant, such as 2026-11-21T08:00:00Z.',
  );
}
