import type { Limit } from './limits.ts';
import type { Spread } from './summary.ts';

/** A figure with its unit, which is the last part of its name. */
export function formatFigure(figure: string, value: number): string {
  if (Number.isNaN(value)) return '–';
  const [, unit] = /(PerSecond|perSecond|Microseconds|Ms|megabytes|Bytes)$/.exec(figure) ?? [];
  switch (unit) {
    case 'PerSecond':
    case 'perSecond':
      return `${formatNumber(value)}/s`;
    case 'Ms':
      return value >= 1_000 ? `${(value / 1_000).toFixed(2)} s` : `${formatNumber(value)} ms`;
    case 'Microseconds':
      return `${formatNumber(value)} µs`;
    case 'megabytes':
      return `${formatNumber(value)} MB`;
    case 'Bytes':
      return `${formatNumber(value)} B`;
    default:
      return value.toFixed(2);
  }
}

/** With significant digits only. */
export function formatNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

export function formatSpread(figure: string, { min, max }: Spread): string {
  return min === max ? '' : `${formatFigure(figure, min)} … ${formatFigure(figure, max)}`;
}

export function formatLimit({ figure, atLeast, atMost }: Limit): string {
  return atLeast === undefined
    ? `≤ ${formatFigure(figure, atMost!)}`
    : `≥ ${formatFigure(figure, atLeast)}`;
}
