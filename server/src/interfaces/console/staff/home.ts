import { approvalKinds, staffKindsFor } from '../../../backoffice/approvals/approval.ts';
import { listStaffApprovals } from '../../../backoffice/approvals/list.ts';
import { listReconciliations } from '../../../backoffice/reconciliations/store.ts';
import { operatorStates } from '../../../integrations/operators/health.ts';
import { waitingPage } from '../../../money/review/queue.ts';
import { unfinishedSettlements } from '../../../money/settlements/store.ts';
import { readBacklog } from '../../../platform/jobs/backlog.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import type { StaffPermission } from '../../../tenants/people/staff-permissions.ts';
import type { StaffPage } from '../page.ts';
import { askerOf } from '../parts/approval-actor.ts';
import { notice } from '../parts/form.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './home.words.ts';
import { volumeSection } from './home-volume.ts';
import { operatorName } from './operator-parts.ts';
import { overdueSeconds } from './work-queue.ts';

/** Counts stop here, because larger numbers change nothing for the reader. */
const most = 50;

/** For a page of a single cell: that cell. */
interface Need extends InCell {
  page: string;
  text: string;
}

/** The start page of staff: open work, by permission. */
export const staffHomePage: StaffPage = {
  path: '',
  permission: 'merchants.read',
  async show(visit) {
    const words = allWords[visit.language];
    const asked = sources.filter(({ permission }) => visit.can(permission));
    const needs = (await Promise.all(asked.map(({ find }) => find(visit)))).flat();
    const volume = visit.can('payments.read') ? await volumeSection(visit) : undefined;
    const main = html`${needs.length === 0 ? nothing(visit) : list(visit, needs)}${volume}`;
    return { title: words.title, main, refreshMs: 30_000, scripts: ['staff.css'] };
  },
};

function nothing({ language }: StaffContext): Html {
  const words = allWords[language];
  return html`${notice(words.nothing, 'good')}<p class="hint">${words.nothingHint}</p>`;
}

const list = (visit: StaffContext, needs: readonly Need[]): Html =>
  html`<section class="card"><h2>${allWords[visit.language].needed}</h2>
<ul class="needs">${needs.map((need) => html`<li><a href="${visitOf(visit, need).to(need.page)}">${need.text}${inCell(need)}</a></li>`)}</ul></section>`;

const inCell = ({ cell }: InCell) => (cell === undefined ? '' : ` · ${cell}`);

/** Each is one bounded statement for each cell, covering one page. */
const sources: readonly {
  permission: StaffPermission;
  find: (visit: StaffContext) => Promise<Need[]>;
}[] = [
  { permission: 'operators.read', find: operators },
  { permission: 'reviews.read', find: reviews },
  { permission: 'approvals.read', find: approvals },
  { permission: 'settlements.read', find: settlements },
  { permission: 'reconciliations.read', find: reconciliations },
  { permission: 'system.read', find: work },
];

async function operators(visit: StaffContext): Promise<Need[]> {
  const { services, language } = visit;
  const { clock, operatorQueues } = services;
  const states = await everywhere(visit, (database) =>
    operatorStates({ database, clock }, operatorQueues),
  );
  return states
    .filter(({ state }) => state !== 'UP')
    .map(({ operator, state, cell }) => ({
      page: `operators/${operator}`,
      ...(cell && { cell }),
      text: allWords[language].operator[state](operatorName(visit, operator)),
    }));
}

async function reviews(visit: StaffContext): Promise<Need[]> {
  const { services, language, nowMs } = visit;
  const sentBeforeMs = nowMs - services.staff.config.paymentReviewAfterMs;
  const queue = { mode: 'live', sentBeforeMs } as const;
  const page = { limit: most, after: undefined };
  const waiting = await everywhere(visit, (database) => waitingPage(database, queue, page));
  return some('reviews', waiting.length, allWords[language].reviews);
}

/** The requests that this person may decide. */
async function approvals(visit: StaffContext): Promise<Need[]> {
  const kinds = staffKindsFor((permission) => visit.can(permission)).filter((kind) => {
    const { who } = approvalKinds[kind];
    return who.of === 'STAFF' && visit.can(who.may);
  });
  const open = { kinds, status: 'PENDING' } as const;
  const asked = await everywhere(visit, (database) =>
    listStaffApprovals(database, open, { limit: most }, askerOf(visit)),
  );
  const others = asked.filter((each) => !each.isAsker && each.expiresAtMs > visit.nowMs);
  return some('approvals', others.length, allWords[visit.language].approvals);
}

async function settlements(visit: StaffContext): Promise<Need[]> {
  const open = await everywhere(visit, unfinishedSettlements);
  const stuck = open.filter(({ payoutError }) => payoutError !== null);
  return some('settlements', stuck.length, allWords[visit.language].settlements);
}

async function reconciliations(visit: StaffContext): Promise<Need[]> {
  const { reconciliations: words } = allWords[visit.language];
  const open = await everywhere(visit, (database) =>
    listReconciliations(database, { status: 'OPEN' }, most + 1),
  );
  return [...Map.groupBy(open, ({ cell }) => cell)].flatMap(([cell, rows]) =>
    some('reconciliations', rows.length, words).map((need) => ({ ...need, ...(cell && { cell }) })),
  );
}

async function work(visit: StaffContext): Promise<Need[]> {
  const nowMs = visit.services.clock.nowMs();
  const rows = await everywhere(visit, (database) => readBacklog(database, nowMs));
  const late = rows.filter(({ oldestSeconds }) => oldestSeconds > overdueSeconds);
  const text = allWords[visit.language].late;
  return [...new Set(late.map(({ cell }) => cell))].map((cell) => ({
    page: 'work',
    text,
    ...(cell && { cell }),
  }));
}

function some(page: string, count: number, words: (count: string) => string): Need[] {
  if (count === 0) return [];
  return [{ page, text: words(count > most ? `${most}+` : String(count)) }];
}
