import { element, escaped, label } from '../report/svg.ts';
import type { Assumed } from './assumed.ts';
import { told } from './format.ts';
import { limitsOf } from './limits.ts';

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

/** The position of each limit on a logarithmic scale. */
export function limitsPicture(a: Assumed): string {
  const limits = limitsOf(a);
  const [left, right, top, row] = [460, 880, 40, 34];
  const [least, most] = [100, 100_000];
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
      ...[100, 1_000, 10_000, 100_000].map((mark) =>
        label(at(mark), bottom + 20, 'middle', told(mark)),
      ),
    ],
  );
}
