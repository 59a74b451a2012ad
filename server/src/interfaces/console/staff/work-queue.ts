import { type Backlog, readBacklog } from '../../../platform/jobs/backlog.ts';
import { html } from '../../../platform/text/html.ts';
import type { StaffPage } from '../page.ts';
import { notice } from '../parts/form.ts';
import { count } from '../parts/format.ts';
import { type Column, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './work-queue.words.ts';

/** Work that waits longer than this is stuck, as in `zimbo doctor`. */
export const overdueSeconds = 60;

/** The due work of all processes, according to the database. */
export const workPage: StaffPage = {
  path: 'work',
  permission: 'system.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { database, clock } = visit.services;
    const rows = await readBacklog(database, clock.nowMs());
    const isLate = rows.some(({ oldestSeconds }) => oldestSeconds > overdueSeconds);
    const main = html`${isLate ? notice(words.late, 'bad') : notice(words.fine, 'good')}
${table(words.title, columns(visit), rows)}
<p class="hint">${words.hint}</p>`;
    return { title: words.title, main, refreshMs: 10_000 };
  },
};

function columns(visit: StaffContext): Column<Backlog>[] {
  const words = allWords[visit.language];
  return [
    { head: words.queue, cell: ({ kind }) => words.queues[kind] ?? kind },
    { head: words.due, isNumber: true, cell: (row) => count(visit, row.count) },
    {
      head: words.oldest,
      isNumber: true,
      cell: ({ count: due, oldestSeconds }) =>
        due === 0 ? visit.words.none : words.age(Math.round(oldestSeconds)),
    },
  ];
}
