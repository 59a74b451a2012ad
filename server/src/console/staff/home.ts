import { approvalKinds, staffKindsFor } from '../../approvals/approval.ts';
import { listStaffApprovals } from '../../approvals/list.ts';
import { type Html, html } from '../../html.ts';
import { dueRows } from '../../jobs/due-rows.ts';
import { operatorStates } from '../../operators/health.ts';
import type { StaffPermission } from '../../people/staff-permissions.ts';
import { listReconciliations } from '../../reconciliations/store.ts';
import { waitingPage } from '../../review/queue.ts';
import { unfinishedSettlements } from '../../settlements/store.ts';
import type { StaffPage } from '../page.ts';
import { askerOf } from '../parts/asker.ts';
import { notice } from '../parts/form.ts';
import type { StaffVisit } from '../visit.ts';
import { words as allWords } from './home.words.ts';
import { operatorName } from './operator-parts.ts';
import { overdueSeconds } from './work.ts';

/** More are not counted: whoever has so much to do need not know how much. */
const most = 50;

interface Need {
  page: string;
  text: string;
}

/** Where staff begin: what needs somebody, for those who may see it. */
export const staffHomePage: StaffPage = {
  path: '',
  permission: 'merchants.read',
  async show(visit) {
    const words = allWords[visit.language];
    const asked = sources.filter(({ permission }) => visit.can(permission));
    const needs = (await Promise.all(asked.map(({ find }) => find(visit)))).flat();
    const main =
      needs.length === 0
        ? html`${notice(words.nothing, 'good')}<p class="hint">${words.nothingHint}</p>`
        : list(visit, needs);
    return { title: words.title, main, refreshMs: 30_000, scripts: ['staff.css'] };
  },
};

const list = (visit: StaffVisit, needs: readonly Need[]): Html =>
  html`<section class="card"><h2>${allWords[visit.language].needed}</h2>
<ul class="needs">${needs.map(({ page, text }) => html`<li><a href="${visit.to(page)}">${text}</a></li>`)}</ul></section>`;

/** Each is one bounded statement, and of one page. */
const sources: readonly {
  permission: StaffPermission;
  find: (visit: StaffVisit) => Promise<Need[]>;
}[] = [
  { permission: 'operators.read', find: operators },
  { permission: 'reviews.read', find: reviews },
  { permission: 'approvals.read', find: approvals },
  { permission: 'settlements.read', find: settlements },
  { permission: 'reconciliations.read', find: reconciliations },
  { permission: 'system.read', find: work },
];

async function operators(visit: StaffVisit): Promise<Need[]> {
  const { services, language } = visit;
  const states = await operatorStates(services, services.operatorQueues);
  return states
    .filter(({ state }) => state !== 'UP')
    .map(({ operator, state }) => ({
      page: `operators/${operator}`,
      text: allWords[language].operator[state](operatorName(visit, operator)),
    }));
}

async function reviews({ services, language, nowMs }: StaffVisit): Promise<Need[]> {
  const sentBeforeMs = nowMs - services.staff.config.paymentReviewAfterMs;
  const queue = { mode: 'live', sentBeforeMs } as const;
  const page = { limit: most, after: undefined };
  const waiting = await waitingPage(services.database, queue, page);
  return some('reviews', waiting.length, allWords[language].reviews);
}

/** Those that this person may decide. */
async function approvals(visit: StaffVisit): Promise<Need[]> {
  const kinds = staffKindsFor((permission) => visit.can(permission)).filter((kind) => {
    const { who } = approvalKinds[kind];
    return who.of === 'STAFF' && visit.can(who.may);
  });
  const open = { kinds, status: 'PENDING' } as const;
  const { database } = visit.services;
  const asked = await listStaffApprovals(database, open, { limit: most }, askerOf(visit));
  const others = asked.filter((each) => !each.isAsker && each.expiresAtMs > visit.nowMs);
  return some('approvals', others.length, allWords[visit.language].approvals);
}

async function settlements({ services, language }: StaffVisit): Promise<Need[]> {
  const open = await unfinishedSettlements(services.database);
  const stuck = open.filter(({ payoutError }) => payoutError !== null);
  return some('settlements', stuck.length, allWords[language].settlements);
}

async function reconciliations({ services, language }: StaffVisit): Promise<Need[]> {
  const open = await listReconciliations(services.database, { status: 'OPEN' }, most + 1);
  return some('reconciliations', open.length, allWords[language].reconciliations);
}

async function work({ services, language }: StaffVisit): Promise<Need[]> {
  const rows = await dueRows(services.database, services.clock.nowMs());
  const isLate = rows.some(({ oldestSeconds }) => oldestSeconds > overdueSeconds);
  return isLate ? [{ page: 'work', text: allWords[language].late }] : [];
}

function some(page: string, count: number, words: (count: string) => string): Need[] {
  if (count === 0) return [];
  return [{ page, text: words(count > most ? `${most}+` : String(count)) }];
}
