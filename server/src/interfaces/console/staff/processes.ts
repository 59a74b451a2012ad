import {
  type Difference,
  differencesOf,
  listProcesses,
  type ProcessTimes,
} from '../../../operations/doctor/process-registry.ts';
import { longestOffsetMs } from '../../../platform/postgres/database-clock.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { StaffPage } from '../page.ts';
import { notice } from '../parts/form.ts';
import { given, instant } from '../parts/format.ts';
import { type Column, empty, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './processes.words.ts';

/** The gateway processes on this database, and whether their settings agree. */
export const processesPage: StaffPage = {
  path: 'processes',
  permission: 'system.read',
  async show(visit) {
    const words = allWords[visit.language];
    const processes = await listProcesses(visit.services.database);
    const differences = differencesOf(processes);
    const main = html`${state(visit, processes, differences)}
${processes.length === 0 ? empty(words.none, words.noneHint) : table(words.title, columns(visit), processes)}
${differences.length === 0 ? undefined : differing(visit, differences)}
<p class="hint">${words.hint}</p>`;
    return { title: words.title, main, refreshMs: 30_000 };
  },
};

function state(
  { language }: StaffContext,
  processes: readonly ProcessTimes[],
  differences: readonly Difference[],
): Html | undefined {
  const words = allWords[language];
  if (processes.length === 0) return undefined;
  const isWorking = processes.some(({ role }) => role !== 'api');
  const isOff = ({ clockOffsetMs }: ProcessTimes) => Math.abs(clockOffsetMs) > longestOffsetMs;
  const wrong = [
    isWorking ? undefined : words.noWorker,
    processes.some(isOff) ? words.wrongClock : undefined,
    differences.length === 0 ? undefined : words.differ,
  ].filter((each) => each !== undefined);
  if (wrong.length === 0) return notice(words.fine, 'good');
  return html`${wrong.map((each) => notice(each, 'bad'))}`;
}

function columns(visit: StaffContext): Column<ProcessTimes>[] {
  const words = allWords[visit.language];
  return [
    {
      head: words.host,
      cell: ({ host, pid }) => html`<span>${given(host)} (${String(pid)})</span>`,
    },
    { head: words.role, cell: ({ role }) => words.roles[role] ?? role },
    { head: words.version, cell: ({ version }) => given(version) },
    { head: words.since, cell: ({ startedAtMs }) => instant(visit, startedAtMs) },
    { head: words.seen, cell: ({ seenAtMs }) => instant(visit, seenAtMs) },
    { head: words.clock, isNumber: true, cell: ({ clockOffsetMs }) => words.offset(clockOffsetMs) },
  ];
}

function differing(visit: StaffContext, differences: readonly Difference[]): Html {
  const words = allWords[visit.language];
  const rows = differences.flatMap(({ setting, values }) =>
    values.map(({ value, processes }) => ({ setting, value, processes })),
  );
  const list: Column<(typeof rows)[number]>[] = [
    { head: words.setting, cell: ({ setting }) => html`<code>${setting}</code>` },
    { head: words.value, cell: ({ value }) => given(value, 300) },
    { head: words.where, cell: ({ processes }) => given(processes.join(', '), 500) },
  ];
  return html`<h2>${words.differences}</h2><p class="hint">${words.differencesHint}</p>${table(words.differences, list, rows)}`;
}
