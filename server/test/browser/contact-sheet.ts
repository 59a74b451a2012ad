import { html } from '../../src/platform/text/html.ts';

/** All pictures on one page: a row for each page or state, a column for each look. */
export function contactSheet(
  of: string,
  names: readonly string[],
  looks: readonly string[],
): string {
  const cell = (name: string, look: string) =>
    html`<td><a href="${name}-${look}.png"><img loading="lazy" src="${name}-${look}.png" alt="${name}, ${look}"></a></td>`;
  const row = (name: string) =>
    html`<tr id="${name}"><th scope="row">${name}</th>${looks.map((look) => cell(name, look))}</tr>`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The looks of ${of}</title>
<style>
body { font: 14px system-ui; margin: 1rem; background: #888; }
td { vertical-align: top; padding: 0 4px 24px; }
th { text-align: left; vertical-align: top; position: sticky; left: 0; top: 0; background: #888; padding: 4px; }
img { width: 220px; max-height: 480px; object-fit: cover; object-position: top; border: 1px solid #444; }
</style></head>
<body><table><thead><tr><th></th>${looks.map((look) => html`<th scope="col">${look}</th>`)}</tr></thead>
<tbody>${names.map(row)}</tbody></table></body></html>
`.text;
}
