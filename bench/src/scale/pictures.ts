import { element, escaped, label } from '../report/svg.ts';
import type { Assumed } from './assumed.ts';
import { told } from './format.ts';
import { limitsOf } from './limits.ts';
import type { Year } from './routing/year.ts';

/** Middle greys and full colours: legible on a white page and on a dark one. */
const style =
  '<style>text{font:13px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:#777d86}.end{text-anchor:end}.middle{text-anchor:middle}.strong{font-weight:600}</style>';

function drawing(width: number, height: number, title: string, parts: string[]): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-labelledby': 'title',
  };
  const name = element('title', { id: 'title' }, escaped(title));
  return `${element('svg', attributes, name, style, ...parts.map((part) => `\n  ${part}`), '\n')}\n`;
}

/** Where each limit lies, on a scale on which each step is tenfold. */
export function limitsPicture(a: Assumed): string {
  const limits = limitsOf(a);
  const [left, right, top, row] = [460, 880, 40, 34];
  const [least, most] = [1_000, 1_000_000];
  const at = (perSecond: number) =>
    left + ((right - left) * Math.log(perSecond / least)) / Math.log(most / least);
  const bottom = top + limits.length * row;
  const wanted = at(a.paymentsPerSecond);
  return drawing(
    1_000,
    bottom + 34,
    `What ends at how many payments a second. ${limits.map(({ name, endsAt }) => `${name}: ${told(endsAt)}`).join('; ')}.`,
    [
      ...limits.flatMap(({ name, endsAt }, index) => {
        const y = top + index * row;
        const fill = endsAt < a.paymentsPerSecond ? '#c2410c' : '#0b6e4f';
        const width = at(Math.min(endsAt, most)) - left;
        return [
          label(left - 12, y + 16, 'end', name),
          element('rect', { x: left, y, width, height: 22, rx: 3, fill }),
          label(right + 110, y + 16, 'end strong', `${told(endsAt)}/s`),
        ];
      }),
      element('line', {
        x1: wanted,
        x2: wanted,
        y1: top - 8,
        y2: bottom,
        stroke: '#777d86',
        'stroke-width': 2,
        'stroke-dasharray': '4 4',
      }),
      label(wanted, top - 16, 'middle strong', `${told(a.paymentsPerSecond)} payments a second`),
      ...[1_000, 10_000, 100_000, 1_000_000].map((mark) =>
        label(at(mark), bottom + 20, 'middle', told(mark)),
      ),
    ],
  );
}

const shown: [placement: string, movesAbove: number | undefined, color: string, name: string][] = [
  ['random', undefined, '#c2410c', 'random, never moved'],
  ['better of two', undefined, '#b58900', 'better of two, never moved'],
  ['better of two', 1.2, '#0f9d70', 'better of two, moved above 1.2'],
  ['better of two', 1.5, '#1f6feb', 'better of two, moved above 1.5'],
];

/** Each day with the three before and behind it, so that a line can be followed. */
const weekly = (days: Float64Array) =>
  days.map((_, day) => {
    const week = days.subarray(Math.max(0, day - 3), day + 4);
    return week.reduce((sum, value) => sum + value, 0) / week.length;
  });

/** How much busier the busiest cell is than the mean, as a mean of seven days, without the cells of giants. */
export function yearPicture(year: Year): string {
  const [left, right, top, bottom] = [60, 900, 20, 320];
  const most = 2.5;
  const y = (value: number) => bottom - ((bottom - top) * (Math.min(value, most) - 1)) / (most - 1);
  const lines = shown.map(([placement, movesAbove, stroke]) => {
    const found = year.policies.find(
      ({ policy }) => policy.placement === placement && policy.movesAbove === movesAbove,
    )!;
    const days = weekly(found.busiestOther);
    const points = [...days].map((value, day) => {
      const x = left + ((right - left) * day) / (days.length - 1);
      return `${x.toFixed(1)},${y(value).toFixed(1)}`;
    });
    return element('polyline', {
      points: points.join(' '),
      fill: 'none',
      stroke,
      'stroke-width': 2,
    });
  });
  return drawing(
    940,
    410,
    'The busiest cell divided by the mean, as a mean of seven days of the simulated year, without the cells of giants: put by chance it stays near 1.9, by the better of two near 1.5, and with moves near 1.25.',
    [
      ...[1, 1.5, 2, 2.5].flatMap((mark) => [
        element('line', {
          x1: left,
          x2: right,
          y1: y(mark),
          y2: y(mark),
          stroke: '#777d86',
          'stroke-opacity': 0.3,
        }),
        label(left - 10, y(mark) + 4, 'end', mark.toFixed(1)),
      ]),
      ...lines,
      ...[0, 100, 200, 300].map((day) =>
        label(left + ((right - left) * day) / 364, bottom + 20, 'middle', `day ${day}`),
      ),
      ...shown.flatMap(([, , fill, name], index) => [
        element('rect', {
          x: left + (index % 2) * 300,
          y: bottom + 44 + Math.floor(index / 2) * 26,
          width: 24,
          height: 4,
          fill,
        }),
        label(left + 32 + (index % 2) * 300, bottom + 50 + Math.floor(index / 2) * 26, '', name),
      ]),
    ],
  );
}
