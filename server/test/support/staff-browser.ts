import { ofOneCell } from '../../src/interfaces/console/staff/cells.ts';
import { cellOfTests } from './further-cells.ts';

const home = '/console/staff';
const folder = `${home}/cells/${cellOfTests}`;

/** Tests know of one cell, so addresses in their merchants' cell are read as the home's. */
export const asOfOneCell = (text: string): string =>
  cellOfTests === undefined
    ? text
    : text
        .replaceAll(folder, home)
        .replaceAll(encodeURIComponent(folder), encodeURIComponent(home))
        .replaceAll(` · ${cellOfTests}</a>`, '</a>');

/**
 * Requests pages of all cells from the home, follows it to an object's cell, and requests pages of
 * one object there.
 */
export async function fetchOfCell(url: string, init: RequestInit): Promise<Response> {
  if (cellOfTests === undefined) return fetch(url, init);
  const { origin, pathname, search } = new URL(url);
  const page = pathname.startsWith(`${home}/`) ? pathname.slice(home.length + 1) : '';
  const isOfCell =
    pagesOfOneCell.test(page) || (init.method === 'POST' && formsOfOneCell.includes(page));
  const inCell = isOfCell && (await fetch(`${origin}${folder}/${page}${search}`, init));
  // Some tests have a gateway of one cell.
  const answer = inCell && inCell.status !== 404 ? inCell : await fetch(url, init);
  const location = answer.headers.get('location') ?? '';
  if (answer.status !== 307 || !new URL(location, origin).pathname.startsWith(folder))
    return answer;
  await answer.text();
  return fetch(new URL(location, origin), init);
}

/** On a page of all cells, each form's address names its cell. */
const formsOfOneCell = ['merchants', 'approvals', 'audit'];
const pagesOfOneCell = new RegExp(`^(?:${ofOneCell.join('|')}|audit/verification)(?:/|$)`);
