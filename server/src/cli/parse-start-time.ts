import { InvalidArgumentError } from 'commander';

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses an age, such as 10m, or an instant: to milliseconds since 1970. */
export function sinceOf(text: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (unit) return Date.now() - Number(count) * unitsMs[unit as keyof typeof unitsMs];
  const instantMs = Date.parse(text);
  if (/^\d{4}-/.test(text) && !Number.isNaN(instantMs)) return instantMs;
  throw new InvalidArgumentError(
    'It must be an age, such as 10m, or an instant, such as 2026-11-21T08:00:00Z.',
  );
}
