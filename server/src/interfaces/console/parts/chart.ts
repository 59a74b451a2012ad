import { type Html, html } from '../../../platform/text/html.ts';
import type { RequestContext } from '../request-context.ts';
import { localeOf } from './format.ts';
import { type Column, table } from './table.ts';

/** The drawing of a table column; {@link drawn} makes its cells. */
export interface Series {
  /** Measured from 0, the start of each row. */
  column: number;
  kind: 'bars' | 'line';
  colour: '--accent' | '--soft' | '--bad' | '--wait';
  name: string;
  isDashed?: boolean;
}

export interface Chart<Row> {
  /** The id of its table on the page. */
  id: string;
  /** A description in words. */
  said: string;
  /** The labels of its time axis. */
  times: 'hours' | 'days';
  /** The distance between rows. */
  stepSeconds: number;
  /** Several series of bars are stacked, the first at the bottom. */
  series: readonly Series[];
  /** The format of the axis labels; short by default. */
  figures?: Intl.NumberFormatOptions;
  /** The unit after the labels. */
  unit?: string;
  /** The axis reaches at least this value. */
  most?: number;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The label that unfolds the table. */
  asTable: string;
  /** Content between the chart and its table. */
  note?: Html;
}

/** The files of a page with charts. */
export const chartFiles = ['uplot.css', 'uplot.js', 'chart.js'];

/** A drawn figure with its text; undefined for none. */
export const drawn = (value: number | undefined, text: Html | string): Html =>
  html`<data value="${value}">${text}</data>`;

/** A chart that the browser draws from the table below, which has the same contents for screen readers. */
export function chartOf<Row>(
  visit: Pick<RequestContext, 'timeZone' | 'words'>,
  chart: Chart<Row>,
): Html {
  const { id, said, series, asTable, note } = chart;
  const { times, stepSeconds, figures = { notation: 'compact' }, unit = '', most = 0 } = chart;
  const drawing = JSON.stringify({ times, stepSeconds, series, figures, unit, most });
  return html`<div class="chart" role="img" aria-label="${said}" data-chart="${id}" data-time-zone="${visit.timeZone}" data-language="${localeOf(visit)}" data-drawing="${drawing}"></div>
${series.length > 1 ? legend(series) : undefined}${note}
<details class="more"><summary>${asTable}</summary><div id="${id}">${table(said, chart.columns, chart.rows)}</div></details>`;
}

const legend = (series: readonly Series[]): Html =>
  html`<ul class="legend">${series.map(({ name, ...each }) => html`<li>${swatch(each)} ${name}</li>`)}</ul>`;

function swatch({ kind, colour, isDashed }: Omit<Series, 'name'>): Html {
  const shape =
    kind === 'bars'
      ? html`<rect x="2" y="1" width="12" height="10" rx="2"/>`
      : isDashed
        ? html`<path d="M0 6h6M10 6h6"/>`
        : html`<path d="M0 6h16"/>`;
  return html`<svg class="swatch ${kind} of${colour}" viewBox="0 0 16 12" aria-hidden="true">${shape}</svg>`;
}
