import { formatFigure, formatLimit } from './format.ts';
import type { Verdict } from './limits.ts';
import { element, label } from './svg.ts';

const width = 1_060;
const rowHeight = 34;
const plot = { left: 290, right: 800 };

/** One row: a bar from 0 to a value, with an optional mark, on the row's own scale from 0 to 1. */
interface Bar {
  name: string;
  share: number;
  mark?: number;
  css: string;
  told: string;
}

function barChart(title: string, note: string, bars: Bar[]): string {
  if (bars.length === 0) return '';
  const height = bars.length * rowHeight + 8;
  const at = (share: number) => plot.left + (plot.right - plot.left) * Math.min(1, share);
  const drawing = element(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title, class: 'wide' },
    ...bars.flatMap(({ name, share, mark, css, told }, index) => {
      const y = index * rowHeight + 6;
      return [
        label(plot.left - 14, y + 17, 'row end', name),
        element('rect', {
          class: 'track',
          x: plot.left,
          y,
          width: plot.right - plot.left,
          height: 24,
          rx: 3,
        }),
        element('rect', {
          class: css,
          x: plot.left,
          y,
          width: Math.max(2, at(share) - plot.left),
          height: 24,
          rx: 3,
        }),
        ...(mark === undefined
          ? []
          : [
              element('line', {
                class: 'limit',
                x1: at(mark),
                x2: at(mark),
                y1: y - 4,
                y2: y + 28,
              }),
            ]),
        label(plot.right + 16, y + 17, 'row', told),
      ];
    }),
  );
  return `<figure class="full"><figcaption><b>${title}</b> <span>${note}</span></figcaption>${drawing}</figure>`;
}

const told = (verdict: Verdict) =>
  `${verdict.met ? '✓' : '✗'} ${formatFigure(verdict.figure, verdict.spread.median)}   (${formatLimit(verdict)})`;

const cssOf = ({ met }: Verdict) => (met ? 'met' : 'missed');

/** Ratios: a bar should pass its mark. All share one scale. */
export function ratioBars(verdicts: readonly Verdict[]): string {
  const ratios = verdicts.filter(({ atLeast }) => atLeast !== undefined);
  const reached = ratios.flatMap(({ spread, atLeast }) => [spread.median, atLeast!]);
  const top = Math.max(1, ...reached) * 1.05;
  const bars = ratios.map((verdict) => ({
    name: verdict.about,
    share: verdict.spread.median / top,
    mark: verdict.atLeast! / top,
    css: cssOf(verdict),
    told: told(verdict),
  }));
  return barChart('Ratios to the floors', 'more is better; the line is the limit', bars);
}

/** Budgets: a bar should end before its mark; all limits are at the same position. */
export function budgetBars(verdicts: readonly Verdict[]): string {
  const limitShare = 0.75;
  const bars = verdicts
    .filter(({ atMost }) => atMost !== undefined)
    .map((verdict) => ({
      name: verdict.about,
      share: (verdict.spread.median / verdict.atMost!) * limitShare,
      mark: limitShare,
      css: cssOf(verdict),
      told: told(verdict),
    }));
  return barChart(
    'Budgets',
    'less is better; the line is the limit; a full row is a third more, or worse',
    bars,
  );
}

/** Rates next to each other. */
export function rateBars(
  title: string,
  note: string,
  rates: [name: string, perSecond: number][],
): string {
  const top = Math.max(...rates.map(([, perSecond]) => perSecond));
  const bars = rates.map(([name, perSecond]) => ({
    name,
    share: perSecond / top,
    css: name.startsWith('floor') ? 'floor' : 'rate',
    told: formatFigure('perSecond', perSecond),
  }));
  return barChart(title, note, bars);
}
