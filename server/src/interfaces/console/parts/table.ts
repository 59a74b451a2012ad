import { type Html, html } from '../../../platform/text/html.ts';
import type { RequestContext } from '../request-context.ts';
import { amount } from './format.ts';

export interface Column<Row> {
  head: string;
  cell: (row: Row) => Html | string | undefined;
  /** Aligns figures to the right. */
  isNumber?: boolean;
  /** A class of its cells. */
  kind?: string;
}

/** How a table differs from others. */
export interface TableLook<Row> {
  /** A class of the table. */
  kind?: string;
  /** A title above the rows that follow each other and have the same one. */
  group?: (row: Row) => { key: string; title: Html };
}

/** Amounts, each in the currency of its row. */
export const amountColumn = <Row extends { currency: string }>(
  visit: Pick<RequestContext, 'language'>,
  head: string,
  minorOf: (row: Row) => bigint,
): Column<Row> => ({
  head,
  isNumber: true,
  cell: (row) => amount(visit, minorOf(row), row.currency),
});

/** A table; on a phone, each row becomes a card with a name for every value. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  look: TableLook<Row> = {},
): Html {
  const heads = columns.map(({ head, isNumber }) =>
    isNumber
      ? html`<th scope="col" class="number">${head}</th>`
      : html`<th scope="col">${head}</th>`,
  );
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}"><table${look.kind === undefined ? undefined : html` class="${look.kind}"`}>
<caption class="unseen">${caption}</caption>
<thead><tr>${heads}</tr></thead>
${bodies(columns, rows, look)}
</table></div>`;
}

function bodies<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { group }: TableLook<Row>,
): Html {
  if (!group) return html`<tbody>${rows.map((row) => line(columns, row))}</tbody>`;
  const groups = Map.groupBy(rows, (row) => group(row).key);
  return html`${[...groups.values()].map(
    (some) => html`<tbody>
<tr class="group"><th colspan="${columns.length}" scope="rowgroup">${group(some[0]!).title}</th></tr>
${some.map((row) => line(columns, row))}</tbody>`,
  )}`;
}

const line = <Row>(columns: readonly Column<Row>[], row: Row): Html =>
  html`<tr>${columns.map(({ head, cell, isNumber, kind }) => {
    const value = cell(row);
    const classes = [isNumber ? 'number' : undefined, kind].filter(Boolean).join(' ');
    return classes === ''
      ? html`<td data-head="${head}">${value}</td>`
      : html`<td class="${classes}" data-head="${head}">${value}</td>`;
  })}</tr>`;

/** An empty list, with a suggestion. */
export const empty = (title: string, hint?: string, action?: Html): Html =>
  html`<div class="empty"><p><b>${title}</b></p>${hint ? html`<p>${hint}</p>` : undefined}${action}</div>`;

/** The current query, to request again with changes. */
export const askedOf = ({ query }: Pick<RequestContext, 'query'>): Record<string, string[]> =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));

/** A name and a value. */
export type Fact = readonly [string, Html | string | undefined | null];

/** Names and values of one object; undefined values are omitted. */
export function facts(rows: readonly Fact[]): Html {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value ?? undefined}</dd></div>`)}</dl>`;
}
