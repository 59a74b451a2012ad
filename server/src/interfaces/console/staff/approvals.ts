import {
  type ApprovalKind,
  approvalKinds,
  isOfKind,
  type Requests,
  requestOf,
  staffKindsFor,
} from '../../../backoffice/approvals/approval.ts';
import {
  findStaffApproval,
  listStaffApprovals,
  type StaffApproval,
} from '../../../backoffice/approvals/list.ts';
import { type Finding, readFinding } from '../../../backoffice/resolutions/finding.ts';
import { findWaitingOf, rowIdOf, type Waiting } from '../../../money/review/open-cases.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { lastOfPage, mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import type { StaffAction, StaffPage, View } from '../page.ts';
import { askerOf } from '../parts/approval-actor.ts';
import {
  type ApprovalArea,
  approvalCard,
  approvalHistory,
  refusedDecision,
} from '../parts/approvals.ts';
import { accountFacts } from '../parts/bank-account.ts';
import { amount, given, idText } from '../parts/format.ts';
import { listSection } from '../parts/list-page.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { empty, type Fact } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { words as allWords } from './approvals.words.ts';
import { sides } from './review-comparison.ts';
import { requestedTopUp, topUpFacts } from './top-up.ts';

const shownOpen = 20;
/** Approvers read all details. */
const whole = 1_000;

/** Staff requests that another member of the staff approves, of all merchants. */
export const staffApprovalsPage: StaffPage = {
  path: 'approvals',
  permission: 'approvals.read',
  show: (visit) => view(visit),
  actions: {
    approve: decision('approve', 'settlements.decide', 'approved'),
    reject: decision('reject', 'settlements.decide', 'rejected'),
    'approve-review': decision('approve', 'reviews.resolve', 'approved'),
    'reject-review': decision('reject', 'reviews.resolve', 'rejected'),
    'approve-account': decision('approve', 'bank_accounts.write', 'approved'),
    'reject-account': decision('reject', 'bank_accounts.write', 'rejected'),
    cancel: decision('cancel', 'approvals.read', 'cancelled'),
  },
};

const kindsFor = (visit: StaffContext): ApprovalKind[] =>
  staffKindsFor((permission) => visit.can(permission));

/** The form only names the request, whose details are stored. */
async function requestIn(visit: StaffContext, sent: SentForm) {
  const id = parseId('ap', sent.text('request'));
  const found =
    id && (await findStaffApproval(visit.services.database, id, kindsFor(visit), askerOf(visit)));
  if (!found) throw notFound('request');
  return { tenantId: found.tenantId, id: found.id, by: askerOf(visit) };
}

function decision(
  how: 'approve' | 'reject' | 'cancel',
  permission: StaffAction['permission'],
  done: string,
): StaffAction {
  return {
    permission,
    isSensitive: how !== 'cancel',
    async run(visit, sent) {
      const request = await requestIn(visit, sent);
      try {
        await visit.services.decideApproval[how](request);
      } catch (error) {
        const { problem, status } = refusedDecision(allWords[visit.language], error);
        return { ...(await view(visit, problem)), status };
      }
      return { to: visit.to('approvals', { done }) };
    },
  };
}

async function view(visit: StaffContext, problem?: Html): Promise<View> {
  const words = allWords[visit.language];
  const kinds = kindsFor(visit);
  const looking = askerOf(visit);
  const open = await inOrder(visit, (database) =>
    listStaffApprovals(database, { kinds, isOpen: true }, { limit: shownOpen }, looking),
  );
  const area = areaOf(visit, await waitingAbout(visit, open));
  const history = await listSection(visit, {
    words: allWords,
    async load(_, __, page) {
      const past = { ...page, afterMs: await afterMsIn(visit, page.startingAfter) };
      const rows = await inOrder(visit, (database) =>
        listStaffApprovals(database, { kinds, isOpen: false }, past),
      );
      return { rows: rows.length === 0 ? undefined : rows };
    },
    cursor: 'ap',
    render: (_, words, rows) =>
      html`<h2>${words.history}</h2>${approvalHistory(area, visit, rows)}`,
  });
  const cards = open
    .slice(0, shownOpen)
    .map((each) => approvalCard(area, visitOf(visit, each), each));
  const main = html`${problem ?? doneNotice(visit, words.done)}
<p class="hint">${words.intro}</p>
<h2>${words.waiting}</h2>
${open.length === 0 ? empty(words.nothing, words.nothingHint) : cards}
${open.length > shownOpen ? html`<p>${words.more}</p>` : undefined}
${history}`;
  return { title: words.title, main, scripts: ['staff.css'] };
}

const inOrder = async (
  visit: StaffContext,
  ask: (database: Database) => Promise<StaffApproval[]>,
): Promise<(StaffApproval & InCell)[]> =>
  mergeRows(await everywhere(visit, ask), ({ askedAtMs, id }) => [askedAtMs, id]);

/** The time of the last request on the previous page, which is in one of several cells. */
async function afterMsIn(visit: StaffContext, id: string | undefined): Promise<number | undefined> {
  const last = await lastOfPage(visit.services, id, (database, given) =>
    findStaffApproval(database, given, kindsFor(visit)),
  );
  return last?.askedAtMs;
}

/** The current subjects of open requests about reviews, by the id of the item or row. */
async function waitingAbout(
  visit: StaffContext,
  open: readonly StaffApproval[],
): Promise<ReadonlyMap<string, Waiting>> {
  const reviews = open.filter((each) => isOfKind(each, 'REVIEW_RESOLVE', 'REVIEW_CLOSE'));
  const ids = reviews.map(({ tenantId, subjectId }) => ({ tenantId, id: subjectId }));
  const waiting =
    ids.length === 0 ? [] : await everywhere(visit, (database) => findWaitingOf(database, ids));
  return new Map(waiting.map((each) => [rowIdOf(each), each]));
}

const areaOf = (
  { language }: StaffContext,
  waiting: ReadonlyMap<string, Waiting>,
): ApprovalArea<StaffContext, StaffApproval & InCell> => ({
  words: allWords[language],
  asked,
  isAsker: (_visit, { isAsker }) => isAsker,
  mayDecide(visit, { kind }) {
    const { who } = approvalKinds[kind];
    return who.of === 'STAFF' && visit.can(who.may);
  },
  address: (visit, { cell }) => (cell === undefined ? undefined : visit.to('approvals')),
  suffix(row) {
    if (isOfKind(row, 'BANK_ACCOUNT')) return '-account';
    return isOfKind(row, 'REVIEW_RESOLVE', 'REVIEW_CLOSE') ? '-review' : '';
  },
  more(visit, row) {
    if (!isOfKind(row, 'REVIEW_RESOLVE', 'REVIEW_CLOSE')) return undefined;
    const about = waiting.get(row.subjectId);
    return about ? sides(visit, about) : html`<p class="hint">${allWords[language].gone}</p>`;
  },
});

/** The exact effect of the request. */
function asked(visit: StaffContext, row: StaffApproval): Fact[] {
  const words = allWords[visit.language];
  const mode = row.mode === 'test' ? html` (${visit.words.test})` : undefined;
  const merchant: Fact = [words.merchant, html`${named(row.merchantName)}${mode}`];
  if (isOfKind(row, 'SETTLEMENT_COMPLETE', 'SETTLEMENT_FAIL')) {
    const { netMinor, currency, payoutRef } = requestOf(row);
    const address = visit.to(`settlements/${formatId('se', row.subjectId)}`);
    return [
      [words.about, html`<a href="${address}">${idText('se', row.subjectId)}</a>`],
      [words.net, amount(visit, BigInt(netMinor), currency)],
      merchant,
      [words.payoutRef, payoutRef],
    ];
  }
  if (isOfKind(row, 'BANK_ACCOUNT')) {
    const isWhole = visit.can('bank_accounts.write');
    return [merchant, ...accountFacts(visit, requestOf(row), isWhole)];
  }
  if (isOfKind(row, 'TOP_UP')) return [...topUpFacts(visit, requestedTopUp(row)), merchant];
  if (!isOfKind(row, 'REVIEW_RESOLVE', 'REVIEW_CLOSE')) return [];
  const request = requestOf(row);
  const address = visit.to(`reviews/${request.about}`);
  const link = html`<a href="${address}"><code class="id">${request.about}</code></a>`;
  const what =
    'reason' in request
      ? ([[words.reason, given(request.reason, whole)]] as const)
      : told(visit, request);
  return [[words.about, link], ...what, merchant];
}

/** The operator's answer that the requester wants to record. */
function told(
  visit: StaffContext,
  { finding: written, currency, note }: Requests['REVIEW_RESOLVE'],
): Fact[] {
  const words = allWords[visit.language];
  const finding = readFinding(written);
  const isDebit = finding.kind === 'DEBITED';
  const other = isDebit && finding.isOtherAmount ? html` (${words.otherAmount})` : undefined;
  const debited = isDebit
    ? html`${amount(visit, finding.amountMinor, currency ?? '')}${other}`
    : undefined;
  return [
    [words.finding, words.findings[finding.kind]],
    [words.transaction, transactionIn(visit, finding)],
    [words.debited, debited],
    [words.note, given(note, whole)],
  ];
}

function transactionIn(visit: StaffContext, finding: Finding): Html | undefined {
  if (!('operatorTxId' in finding)) return undefined;
  const { unconfirmed } = allWords[visit.language];
  const doubt = finding.isUnconfirmed ? html` (${unconfirmed})` : undefined;
  return html`${given(finding.operatorTxId, whole)}${doubt}`;
}
