import { formatFigure, formatNumber } from './format.ts';
import type { Spread } from './summary.ts';
import { element, label } from './svg.ts';

export interface Series {
  name: string;
  /** A colour of the page. */
  color: 1 | 2;
  values: (Spread | undefined)[];
  dashed?: boolean;
}

export interface LineChart {
  title: string;
  note: string;
  /** A figure's name, for its unit. */
  figure: string;
  xs: number[];
  xName: string;
  series: Series[];
  scale: 'linear' | 'log';
}

const width = 520;
const height = 280;
const plot = { left: 58, right: 420, top: 16, bottom: 236 };
const labelGap = 15;

/**
 * Lines over the number of connections or endpoints: medians, with the ranges of the runs in the
 * background.
 */
export function lineChart({ title, note, figure, xs, xName, series, scale }: LineChart): string {
  const y = scaleOf(series, scale);
  const x = (index: number) =>
    plot.left + ((plot.right - plot.left) * index) / Math.max(1, xs.length - 1);
  const drawing = element(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title },
    ...y.ticks.flatMap((tick) => [
      element('line', {
        class: 'grid',
        x1: plot.left,
        x2: plot.right,
        y1: y.at(tick),
        y2: y.at(tick),
      }),
      label(plot.left - 8, y.at(tick) + 4, 'tick end', shortFigure(figure, tick)),
    ]),
    ...xs.map((count, index) => label(x(index), plot.bottom + 20, 'tick middle', String(count))),
    label((plot.left + plot.right) / 2, plot.bottom + 38, 'tick middle', xName),
    ...series.map((line) => band(line, x, y.at)),
    ...series.map((line) => curve(line, x, y.at, figure)),
    ...endLabels(series, y.at),
  );
  return `<figure><figcaption><b>${title}</b> <span>${note}</span></figcaption>${drawing}</figure>`;
}

type Place = (value: number) => number;

function band({ values, color }: Series, x: Place, y: Place): string {
  const known = values.flatMap((spread, index) => (spread ? [{ spread, index }] : []));
  const edge = (part: 'min' | 'max') =>
    known.map(({ spread, index }) => `${x(index).toFixed(1)},${y(spread[part]).toFixed(1)}`);
  const points = [...edge('max'), ...edge('min').reverse()].join(' ');
  return element('polygon', { class: `band c${color}`, points });
}

function curve(line: Series, x: Place, y: Place, figure: string): string {
  const known = line.values.flatMap((spread, index) => (spread ? [{ spread, index }] : []));
  const points = known
    .map(({ spread, index }) => `${x(index).toFixed(1)},${y(spread.median).toFixed(1)}`)
    .join(' ');
  const css = `curve c${line.color}${line.dashed ? ' dashed' : ''}`;
  const dots = known.map(({ spread, index }) =>
    element(
      'circle',
      { class: `dot c${line.color}`, cx: x(index), cy: y(spread.median), r: 3.5 },
      element('title', {}, `${line.name}: ${formatFigure(figure, spread.median)}`),
    ),
  );
  return element('polyline', { class: css, points }) + dots.join('');
}

/** Names at the ends of the lines, pushed apart if they would touch. */
function endLabels(series: Series[], y: Place): string[] {
  const ends = series
    .flatMap(({ name, color, values }) => {
      const last = values.findLast((spread) => spread !== undefined);
      return last ? [{ name, color, at: y(last.median) }] : [];
    })
    .sort((a, b) => a.at - b.at);
  for (let index = 1; index < ends.length; index++) {
    ends[index]!.at = Math.max(ends[index]!.at, ends[index - 1]!.at + labelGap);
  }
  return ends.map(({ name, color, at }) => label(plot.right + 12, at + 4, `name t${color}`, name));
}

function scaleOf(series: Series[], kind: 'linear' | 'log'): { at: Place; ticks: number[] } {
  const spreads = series.flatMap(({ values }) => values.filter((spread) => spread !== undefined));
  const highest = Math.max(...spreads.map(({ max }) => max));
  const length = plot.bottom - plot.top;
  if (kind === 'linear') {
    const step = niceStep(highest / 4);
    const top = Math.ceil(highest / step) * step;
    const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step);
    return { at: (value) => plot.bottom - (length * value) / top, ticks };
  }
  const lowest = Math.min(...spreads.map(({ min }) => min));
  const from = Math.floor(Math.log10(lowest));
  const to = Math.max(from + 1, Math.ceil(Math.log10(highest)));
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  const at = (value: number) => plot.bottom - (length * (Math.log10(value) - from)) / (to - from);
  return { at, ticks };
}

function niceStep(rough: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 2.5, 5, 10].find((step) => step * magnitude >= rough) ?? 10) * magnitude;
}

/** For an axis: 0.1 ms, 10 ms, 2,500. */
function shortFigure(figure: string, value: number): string {
  const text = value >= 1 ? value.toLocaleString('en') : String(Number(formatNumber(value)));
  return figure.endsWith('Ms') ? `${text} ms` : text;
}
