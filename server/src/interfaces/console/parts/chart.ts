import { type Html, html } from '../../../platform/text/html.ts';
import type { RequestContext } from '../request-context.ts';
import { localeOf } from './format.ts';
import { type Column, table } from './table.ts';

/** What is drawn of one column of the table; its cells are made by {@link drawn}. */
export interface Series {
  /** Counted from 0, which is when each row begins. */
  column: number;
  kind: 'bars' | 'line';
  colour: '--accent' | '--soft' | '--bad' | '--wait';
  name: string;
  isDashed?: boolean;
}

export interface Chart<Row> {
  /** Of its table on the page. */
  id: string;
  /** What it shows, in words. */
  said: string;
  /** What its axis of time names. */
  times: 'hours' | 'days';
  /** From one row to the next. */
  stepSeconds: number;
  /** Several series of bars stand on each other, the first at the bottom. */
  series: readonly Series[];
  /** How the figures of its axis are written; short ones if nothing is said. */
  figures?: Intl.NumberFormatOptions;
  /** What stands behind these figures. */
  unit?: string;
  /** The axis reaches up to this at least. */
  most?: number;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The words that unfold the table. */
  asTable: string;
  /** Stands between the chart and its table. */
  note?: Html;
}

/** A figure that is drawn, and how it is written; undefined where there is none. */
export const drawn = (value: number | undefined, text: Html | string): Html =>
  html`<data value="${value}">${text}</data>`;

/** A chart, drawn in the browser from the table below it, which says the same to those who do not see it. */
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
