import { type Html, html } from '../../../platform/text/html.ts';
import { type InCell, type StaffCells, staffFolderOf } from '../../../tenants/cells/staff-cells.ts';
import type { Column } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './cells.words.ts';

/** Pages that show only one cell, because their data cannot be combined; each cell has its own. */
export const ofOneCell = [
  'reconciliations',
  'bank-statements',
  'operators',
  'work',
  'doctor',
  'processes',
  'backups',
];

/** The current cell, with links to the others; undefined with a single cell. */
export function cellSwitch(visit: StaffContext): Html | undefined {
  const { cells } = visit.services;
  if (cells === undefined) return undefined;
  const words = allWords[visit.language];
  const nameOf = (cell: string) => (cell === cells.names[0] ? words.all : cell);
  const links = cells.names.map((cell) => {
    const here = cell === cells.own ? html` aria-current="true"` : undefined;
    return html`<li><a href="${addressIn(visit, cell)}"${here}>${nameOf(cell)}</a></li>`;
  });
  return html`<details class="menu cells"><summary>${cells.allCells ? undefined : `${words.title}:`} <b>${nameOf(cells.own)}</b></summary>
<ul>${links}</ul></details>`;
}

/** States that a page of the home shows one cell alone. */
export function cellNotes(visit: StaffContext): Html | undefined {
  const { cells } = visit.services;
  return cells && oneAlone(visit, cells);
}

/** A row's cell in a list of all cells; no column elsewhere. */
export const cellColumn = ({ services, language }: StaffContext): Column<InCell>[] =>
  services.cells?.allCells === undefined
    ? []
    : [{ head: allWords[language].title, cell: ({ cell }) => cell }];

/** The merchants that a change here affects; undefined for all. */
export function cellMark({ services, language }: StaffContext): string | undefined {
  const { cells } = services;
  return cells && !cells.allCells ? allWords[language].mark(cells.own) : undefined;
}

/** The cell of a new merchant. */
export const createdIn = ({ services: { cells }, language }: StaffContext): Html | undefined =>
  cells && html`<p class="hint">${allWords[language].createdIn(cells.own)}</p>`;

function oneAlone(visit: StaffContext, { own, names, allCells }: StaffCells): Html | undefined {
  if (allCells === undefined || !ofOneCell.includes(listOf(visit))) return undefined;
  const others = names.filter((name) => name !== own);
  const links = others.map(
    (name, index) =>
      html`${index === 0 ? ' ' : ' · '}<a href="${addressIn(visit, name)}">${name}</a>`,
  );
  return html`<p class="hint">${allWords[visit.language].oneAlone(own)}${links}</p>`;
}

const listOf = ({ page }: StaffContext) => page.split('/')[0] ?? '';

/** The same list in another cell; this cell's objects do not exist there. */
function addressIn(visit: StaffContext, cell: string): string {
  const list = listOf(visit);
  const folder = staffFolderOf(cell);
  return visit.address(list === '' ? folder : `${folder}/${list}`);
}
