import { formatSchedule, scheduledPlace } from '../../../operations/backup/schedule.ts';
import {
  type BackupRow,
  type BackupTimes,
  backupTimes,
  listBackups,
} from '../../../operations/backup/store.ts';
import { longestAgeMs } from '../../../operations/doctor/backup-check.ts';
import { formatBytes } from '../../../platform/formats/display-format.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { StaffPage } from '../page.ts';
import { notice } from '../parts/form.ts';
import { given, instant } from '../parts/format.ts';
import { age } from '../parts/format-age.ts';
import { type Column, empty, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './backups.words.ts';

const mostListed = 20;

/** The backups, and the age of the last good one. */
export const backupsPage: StaffPage = {
  path: 'backups',
  permission: 'system.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { database, staff } = visit.services;
    const { backup } = staff.config;
    const { schedule } = backup;
    const times = await backupTimes(database, scheduledPlace(backup));
    const rows = await listBackups(database, mostListed);
    const plan = schedule
      ? html`${words.schedule}: <span lang="en">${formatSchedule(schedule)}</span>`
      : words.noSchedule;
    const main = html`${state(visit, times)}
<p class="hint">${plan}</p>
${rows.length === 0 ? empty(words.none, words.noneHint) : table(words.title, columns(visit), rows)}
<p class="hint">${words.hint}</p>`;
    return { title: words.title, main, scripts: ['staff.css'], refreshMs: 30_000 };
  },
};

function state(visit: StaffContext, { goodAtMs, failedAtMs }: BackupTimes): Html | undefined {
  const words = allWords[visit.language];
  const { clock } = visit.services;
  const failed = failedAtMs === null ? undefined : notice(words.lastFailed, 'bad');
  if (goodAtMs === null) return failed;
  const ageMs = Math.max(0, clock.nowMs() - goodAtMs);
  const old = age(Math.round(ageMs / 1_000));
  const isOld = ageMs > longestAgeMs;
  return html`${failed}${isOld ? notice(words.old(old), 'bad') : notice(words.fine(old), 'good')}`;
}

function columns(visit: StaffContext): Column<BackupRow>[] {
  const words = allWords[visit.language];
  return [
    { head: words.began, cell: ({ beganAtMs }) => instant(visit, beganAtMs) },
    { head: words.state, cell: (row) => stateOf(visit, row) },
    {
      head: words.took,
      isNumber: true,
      cell: ({ beganAtMs, endedAtMs }) =>
        endedAtMs === null ? visit.words.none : age(Math.ceil((endedAtMs - beganAtMs) / 1_000)),
    },
    {
      head: words.size,
      isNumber: true,
      cell: ({ bytes }) => (bytes === null ? visit.words.none : formatBytes(Number(bytes))),
    },
    { head: words.encrypted, cell: ({ isEncrypted }) => (isEncrypted ? words.yes : words.no) },
    {
      head: words.where,
      cell: ({ place, name }) => given(place === null ? name : `${place}/${name}`, 300),
    },
  ];
}

function stateOf(visit: StaffContext, row: BackupRow): Html {
  const { states } = allWords[visit.language];
  const label = (tone: string, text: string) =>
    html`<span class="status" data-status="${tone}">${text}</span>`;
  if (row.endedAtMs === null) return label('PENDING', states.running);
  if (row.error !== null) {
    return html`${label('FAILED', states.failed)} <span lang="en">${given(row.error, 300)}</span>`;
  }
  if (row.removedAtMs !== null) return label('EXPIRED', states.removed);
  return label('SUCCEEDED', row.verifiedAtMs === null ? states.good : states.verified);
}
