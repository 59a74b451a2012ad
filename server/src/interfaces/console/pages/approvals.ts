import {
  type ApprovalKind,
  approvalKinds,
  isOfKind,
  requestOf,
} from '../../../backoffice/approvals/approval.ts';
import { collectKey } from '../../../backoffice/approvals/execute-approval.ts';
import { type ListedApproval, listEnded, listOpen } from '../../../backoffice/approvals/list.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { Action, ConsolePage, View } from '../page.ts';
import { askerOf } from '../parts/approval-actor.ts';
import {
  type ApprovalArea,
  approvalCard,
  approvalHistory,
  refusedDecision,
} from '../parts/approvals.ts';
import { button, form, hidden } from '../parts/form.ts';
import { amount, given, idText, instant } from '../parts/format.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { empty, type Fact } from '../parts/table.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './approvals.words.ts';
import {
  approvalDetails,
  askedBatch,
  askedDisbursement,
  type LookedUp,
  lookUpHolder,
} from './disbursement-approvals.ts';
import { words as keyWords } from './keys.words.ts';
import { madeKey } from './new-key.ts';

/** Approvers read all details. */
const whole = 1_000;
const shownOpen = 100;
const shownEnded = 50;

/** One person's requests that another approves, with their outcomes. */
export const approvalsPage: ConsolePage = {
  path: 'approvals',
  permission: 'payments.read',
  show: (visit) => view(visit),
  actions: {
    approve: decision('approve', 'refunds.approve', 'approved'),
    reject: decision('reject', 'refunds.approve', 'rejected'),
    'approve-disbursement': decision('approve', 'disbursements.approve', 'approved'),
    'reject-disbursement': decision('reject', 'disbursements.approve', 'rejected'),
    'approve-key': decision('approve', 'keys.write', 'approved'),
    'reject-key': decision('reject', 'keys.write', 'rejected'),
    cancel: decision('cancel', 'payments.read', 'cancelled'),
    name: {
      permission: 'disbursements.look_up_names',
      async run(visit, sent) {
        const open = await openFor(visit);
        return view(visit, undefined, await lookUpHolder(visit, sent, open));
      },
    },
    collect: { permission: 'keys.write', isSensitive: true, run: makeKey },
  },
};

/** The form only names the request, whose details are stored. */
const requestIn = (visit: MerchantContext, sent: SentForm) => ({
  tenantId: visit.tenantId,
  // No request has the merchant's id.
  id: parseId('ap', sent.text('request')) ?? visit.merchant.id,
  by: askerOf(visit),
});

function decision(
  how: 'approve' | 'reject' | 'cancel',
  permission: Action['permission'],
  done: string,
): Action {
  return {
    permission,
    isSensitive: how !== 'cancel',
    async run(visit, sent) {
      try {
        await visit.services.decideApproval[how](requestIn(visit, sent));
      } catch (error) {
        return refused(visit, error);
      }
      return { to: visit.to('approvals', { done }) };
    },
  };
}

async function makeKey(visit: MerchantContext, sent: SentForm): Promise<View> {
  const { database, clock, ids } = visit.services;
  try {
    const made = await collectKey({ database, clock, ids }, requestIn(visit, sent));
    const main = madeKey(visit, made.key);
    return { title: keyWords[visit.language].newKey, main, scripts: ['developers.css'] };
  } catch (error) {
    return refused(visit, error);
  }
}

async function refused(visit: MerchantContext, error: unknown): Promise<View> {
  const { problem, status } = refusedDecision(allWords[visit.language], error);
  return { ...(await view(visit, problem)), status };
}

/** The kinds that members may see: who decides sees what is to be decided. */
function kindsFor(visit: MerchantContext): ApprovalKind[] {
  const seesDisbursements = visit.can('disbursements.read') || visit.can('disbursements.approve');
  return [
    'REFUND',
    ...(visit.can('keys.read') || visit.can('keys.write') ? (['LIVE_KEY'] as const) : []),
    ...(seesDisbursements ? (['DISBURSEMENT', 'DISBURSEMENT_BATCH'] as const) : []),
  ];
}

/** The number of requests that this person may decide. */
export async function waitingFor(visit: MerchantContext): Promise<number> {
  const open = await openFor(visit);
  return open.filter((each) => each.status === 'PENDING' && mayDecide(visit, each)).length;
}

/** Whether the visitor's role may decide it. */
export function mayDecide(
  visit: MerchantContext,
  { kind, askedBy, expiresAtMs }: ListedApproval,
): boolean {
  const { who } = approvalKinds[kind];
  const isOther = askedBy !== visit.person.id && expiresAtMs > visit.nowMs;
  return who.of === 'MERCHANT' && isOther && visit.can(who.decides);
}

const openFor = (visit: MerchantContext) =>
  listOpen(visit.services.database, visit.tenantId, kindsFor(visit), shownOpen);

async function view(visit: MerchantContext, problem?: Html, lookedUp?: LookedUp): Promise<View> {
  const words = allWords[visit.language];
  const { services, tenantId } = visit;
  const kinds = kindsFor(visit);
  const [open, ended] = await Promise.all([
    openFor(visit),
    listEnded(services.database, tenantId, kinds, shownEnded),
  ]);
  const main = html`${problem ?? doneNotice(visit, words.done)}
<p class="hint">${words.intro}</p>
<h2>${words.waiting}</h2>
${open.length === 0 ? empty(words.nothing, words.nothingHint) : open.map((each) => approvalCard(area(visit, lookedUp), visit, each))}
${ended.length === 0 ? undefined : html`<h2>${words.history}</h2>${approvalHistory(area(visit), visit, ended)}`}`;
  return { title: words.title, main };
}

const area = (
  { language }: MerchantContext,
  lookedUp?: LookedUp,
): ApprovalArea<MerchantContext, ListedApproval> => ({
  words: allWords[language],
  asked,
  isAsker: ({ person }, { askedBy }) => askedBy === person.id,
  mayDecide,
  more: (visit, each) => approvalDetails(visit, each, lookedUp),
  suffix: ({ kind }) => suffixes[kind] ?? '',
  collect,
});

/** Of the names of the actions. */
const suffixes: Partial<Record<ApprovalKind, string>> = {
  LIVE_KEY: '-key',
  DISBURSEMENT: '-disbursement',
  DISBURSEMENT_BATCH: '-disbursement',
};

/** The exact effect of the request. */
function asked(visit: MerchantContext, each: ListedApproval): Fact[] {
  const words = allWords[visit.language];
  if (isOfKind(each, 'REFUND')) {
    const { amountMinor, currency, reason } = requestOf<'REFUND'>(each);
    const id = formatId('pi', each.subjectId);
    return [
      [words.of, html`<a href="${visit.to(`payments/${id}`)}">${idText('pi', each.subjectId)}</a>`],
      [words.amount, amount(visit, BigInt(amountMinor), currency)],
      [words.reason, reason === null ? undefined : given(reason, whole)],
    ];
  }
  if (isOfKind(each, 'DISBURSEMENT')) return askedDisbursement(visit, each);
  if (isOfKind(each, 'DISBURSEMENT_BATCH')) return askedBatch(visit, each);
  if (!isOfKind(each, 'LIVE_KEY')) return [];
  const key = requestOf<'LIVE_KEY'>(each);
  const limit = (minor: string | null) =>
    minor === null ? words.noLimit : amount(visit, BigInt(minor), 'CVE / AOA');
  return [
    [words.label, key.label === null ? undefined : given(key.label, whole)],
    [words.permissions, key.permissions.join(', ')],
    [words.addresses, key.allowedAddresses.join(', ') || words.everywhere],
    [
      words.keyExpires,
      key.expiresAt === null ? words.noLimit : instant(visit, Date.parse(key.expiresAt)),
    ],
    [words.maxPayment, limit(key.maxPaymentMinor)],
    [words.maxRefunded, limit(key.maxRefundedPerDayMinor)],
    ...(key.permissions.includes('disbursements:write')
      ? ([
          [words.maxDisbursement, limit(key.maxDisbursementMinor ?? null)],
          [words.maxDisbursedPerDay, limit(key.maxDisbursedPerDayMinor ?? null)],
        ] as const)
      : []),
  ];
}

/** The requester creates the approved key. */
function collect(visit: MerchantContext, { id, kind, askedBy }: ListedApproval): Html | undefined {
  const words = allWords[visit.language];
  if (kind !== 'LIVE_KEY' || askedBy !== visit.person.id) return undefined;
  const content = html`${hidden('request', formatId('ap', id))}${button('collect', words.collect)}`;
  return html`<p>${words.collectHint}</p>${form(visit, content)}`;
}
