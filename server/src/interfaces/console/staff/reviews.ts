import { idOf } from '../../../backoffice/resolutions/describe-case.ts';
import { positionOf } from '../../../backoffice/resolutions/find-case.ts';
import { viewFor } from '../../../backoffice/resolutions/view.ts';
import type { Waiting } from '../../../money/review/open-cases.ts';
import { placeInQueue, waitingKinds, waitingPage } from '../../../money/review/queue.ts';
import { operatorNames } from '../../../platform/config/operator-catalogue.ts';
import { formatAge } from '../../../platform/formats/display-format.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { findInAnyCell, mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import type { StaffPage } from '../page.ts';
import { select } from '../parts/form.ts';
import { amount, given, status } from '../parts/format.ts';
import { plainText } from '../parts/plain-text.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { type Column, empty, pager, table } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { cellColumn } from './cells.ts';
import { modeChoices, modeIn } from './mode-filter.ts';
import { sideWordsFor } from './review-comparison.ts';
import { words as allWords } from './reviews.words.ts';

const limit = 25;

/** What waits for a person, of all merchants: a page of it, the oldest first. */
export const reviewsPage: StaffPage = {
  path: 'reviews',
  permission: 'reviews.read',
  async show(visit) {
    const words = allWords[visit.language];
    const waiting = await waitingIn(visit);
    const shown = waiting.slice(0, limit);
    const last = waiting.length > limit ? shown.at(-1) : undefined;
    const isNarrowed = visit.query.has('kind') || visit.query.has('operator');
    const nothing = isNarrowed ? empty(words.noMatch) : empty(words.nothing, words.nothingHint);
    const main = html`${doneNotice(visit, words.done)}
<p>${words.intro}</p>
${filters(visit)}
${shown.length === 0 ? nothing : table(words.title, columns(visit), shown)}
${pager(visit, 'reviews', last && idOf(last), { isNewestFirst: false })}`;
    return { title: words.title, main };
  },
};

async function waitingIn(visit: StaffContext): Promise<(Waiting & InCell)[]> {
  const { services, query, nowMs } = visit;
  const after = query.get('starting_after');
  const queue = {
    mode: modeIn(visit),
    kind: waitingKinds.find((kind) => kind === query.get('kind')),
    operator: operatorNames.find((name) => name === query.get('operator')),
    sentBeforeMs: nowMs - services.staff.config.paymentReviewAfterMs,
  };
  const position =
    after === null
      ? undefined
      : await findInAnyCell(services, (database) => positionOf({ database }, after));
  const page = { limit, after: position };
  const rows = await everywhere(visit, (database) => waitingPage(database, queue, page));
  return mergeRows(rows, placeInQueue, { isNewestFirst: false });
}

function filters(visit: StaffContext): Html {
  const words = allWords[visit.language];
  const { all, apply, operators } = visit.words;
  const chosen = (name: string) => ({ value: visit.query.get(name) ?? '' });
  const kinds = waitingKinds.map((kind) => [kind, words.kinds[kind]] as const);
  const names = operatorNames.map((name) => [name, operators[name]] as const);
  return html`<form class="filters" action="${visit.to('reviews')}">
${select('kind', words.kind, [['', all], ...kinds], chosen('kind'))}
${select('operator', words.operator, [['', all], ...names], chosen('operator'))}
${select('mode', words.mode, modeChoices(visit), { value: modeIn(visit) })}
<div class="bar"><button class="button plain">${apply}</button></div>
</form>`;
}

function columns(visit: StaffContext): Column<Waiting & InCell>[] {
  const words = allWords[visit.language];
  const { operators } = visit.words;
  const said = (waiting: Waiting) =>
    viewFor(visit.can('phones.read'), waiting, visit.nowMs, sideWordsFor(visit));
  return [
    {
      head: words.kind,
      cell: (row) =>
        html`<div><a href="${visitOf(visit, row).to(`reviews/${idOf(row)}`)}"><b>${words.kinds[row.kind]}</b></a><br>${words.subjects[row.subjectKind]} ${row.subject && status(visit, row.subject.status)}</div>`,
    },
    ...cellColumn(visit),
    {
      head: words.merchant,
      cell: ({ subject, operator }) =>
        html`<div>${given(subject?.merchantName) ?? words.noMerchant}<br><span class="hint">${operators[operator]}</span></div>`,
    },
    {
      head: words.amount,
      isNumber: true,
      cell: ({ subject }) => subject && amount(visit, subject.amountMinor, subject.currency),
    },
    { head: words.ours, cell: (row) => given(plainText(said(row).ledger)) },
    { head: words.theirs, cell: (row) => given(plainText(said(row).operatorSays)) },
    { head: words.since, cell: ({ sinceMs }) => formatAge(visit.nowMs - sinceMs) },
  ];
}
