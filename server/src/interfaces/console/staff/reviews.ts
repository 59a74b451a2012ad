import { idOf } from '../../../backoffice/resolutions/describe-case.ts';
import { positionOf } from '../../../backoffice/resolutions/find-case.ts';
import { viewFor } from '../../../backoffice/resolutions/view.ts';
import type { Waiting } from '../../../money/review/open-cases.ts';
import { placeInQueue, waitingKinds, waitingPage } from '../../../money/review/queue.ts';
import { operatorNames } from '../../../platform/config/operator-catalogue.ts';
import { formatAge } from '../../../platform/formats/display-format.ts';
import { html } from '../../../platform/text/html.ts';
import { findInAnyCell, mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { StaffPage } from '../page.ts';
import { choice, filtersOf, mode } from '../parts/filters.ts';
import { amount, given, status } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { plainText } from '../parts/plain-text.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import { cellColumn } from './cells.ts';
import { sideWordsFor } from './review-comparison.ts';
import { words } from './reviews.words.ts';

/** The open cases of all merchants: a page, oldest first. */
export const reviewsPage: StaffPage = listPage({
  path: 'reviews',
  permission: 'reviews.read',
  words,
  isOldestFirst: true,
  filters: (visit, words) =>
    filtersOf(visit, {
      kind: choice(visit, words.kind, waitingKinds, words.kinds),
      operator: choice(visit, words.operator, operatorNames, visit.words.operators),
      mode: mode(visit),
    }),
  async load(visit, filter, { limit, startingAfter }) {
    const { services, nowMs } = visit;
    const sentBeforeMs = nowMs - services.staff.config.paymentReviewAfterMs;
    const after =
      startingAfter === undefined
        ? undefined
        : await findInAnyCell(services, (database) => positionOf({ database }, startingAfter));
    const rows = await everywhere(visit, (database) =>
      waitingPage(database, { ...filter, sentBeforeMs }, { limit, after }),
    );
    return mergeRows(rows, placeInQueue, { isNewestFirst: false });
  },
  cursor: idOf,
  columns(visit, words) {
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
  },
});
