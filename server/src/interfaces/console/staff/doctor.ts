import type { Result } from '../../../operations/doctor/check.ts';
import { type Diagnosis, thisProcess } from '../../../operations/doctor/doctor.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { StaffPage } from '../page.ts';
import { notice } from '../parts/form.ts';
import { count, instant } from '../parts/format.ts';
import { plainText } from '../parts/plain-text.ts';
import { type Column, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './doctor.words.ts';

/** The checks of `zimbo doctor`, run by the process that answers in the background, while the page follows. */
export const doctorPage: StaffPage = {
  path: 'doctor',
  permission: 'system.read',
  show(visit) {
    const words = allWords[visit.language];
    const diagnosis = visit.services.doctor.look();
    const groups = Map.groupBy(diagnosis.state, ({ group }) => group);
    const main = html`${summary(visit, diagnosis)}
<p class="hint">${words.process} <bdi>${thisProcess.host}</bdi> (${String(thisProcess.pid)}) · ${instant(visit, diagnosis.startedAtMs)} · <a href="${visit.to('doctor')}">${words.again}</a></p>
${[...groups].map(([group, results]) => groupOf(visit, group, results))}
<p class="hint">${words.hint}</p>`;
    const isRunning = diagnosis.endedAtMs === undefined;
    const view = { title: words.title, main, scripts: ['staff.css'] };
    return Promise.resolve(isRunning ? { ...view, refreshMs: 2_000 } : view);
  },
};

function summary(visit: StaffContext, { state, endedAtMs, isBroken }: Diagnosis): Html {
  const words = allWords[visit.language];
  const [errors, warnings] = ['error', 'warning'].map(
    (status) => state.filter((each) => each.status === status).length,
  ) as [number, number];
  const found = words.found(count(visit, errors), count(visit, warnings));
  if (endedAtMs === undefined) return notice(words.running(count(visit, state.length)));
  if (isBroken) return notice(words.broken, 'bad');
  if (errors > 0) return notice(found, 'bad');
  return warnings > 0 ? notice(found) : notice(words.fine, 'good');
}

function groupOf(visit: StaffContext, group: string, results: readonly Result[]): Html {
  const words = allWords[visit.language];
  const title = words.groups[group] ?? group;
  const columns: Column<Result>[] = [
    { head: words.check, cell: ({ name }) => html`<b lang="en">${name}</b>` },
    {
      head: words.state,
      cell: ({ status }) =>
        html`<span class="status" data-status="${tones[status]}">${words.states[status]}</span>`,
    },
    { head: words.finding, cell: (result) => finding(result) },
  ];
  return html`<h2>${title}</h2><div class="checks">${table(title, columns, results)}</div>`;
}

/** The colours of equivalent statuses. */
const tones = { ok: 'SUCCEEDED', warning: 'PENDING', error: 'FAILED' } as const;

/** The checks are in English, like the command. */
function finding(result: Result): Html {
  const advice =
    result.status === 'ok' ? undefined : html`<p class="hint">${plainText(result.advice)}</p>`;
  return html`<div lang="en" dir="ltr"><p>${plainText(result.figure)}</p>${advice}</div>`;
}
