import { type ApprovalKind, approvalKinds, isOfKind, requestOf } from '../../approvals/approval.ts';
import { collectKey } from '../../approvals/effects.ts';
import { type ListedApproval, listEnded, listOpen } from '../../approvals/list.ts';
import { named } from '../../checkout/page/state.ts';
import { DomainError } from '../../errors.ts';
import { type Html, html } from '../../html.ts';
import { formatId, parseId } from '../../ids.ts';
import type { Action, ConsolePage, View } from '../page.ts';
import { doneNotice } from '../parts/done.ts';
import { button, form, hidden, notice } from '../parts/form.ts';
import { amount, given, idText, instant } from '../parts/format.ts';
import { empty, facts, table } from '../parts/table.ts';
import type { SentForm, Visit } from '../visit.ts';
import { words as allWords } from './approvals.words.ts';
import { askerOf } from './asker.ts';
import { words as keyWords } from './keys.words.ts';
import { madeKey } from './new-key.ts';

/** Whoever approves reads all of it. */
const whole = 1_000;
const shownOpen = 100;
const shownEnded = 50;

/** What one person has asked for and another approves, with what became of it. */
export const approvalsPage: ConsolePage = {
  path: 'approvals',
  permission: 'payments.read',
  show: (visit) => view(visit),
  actions: {
    approve: decision('approve', 'refunds.approve', 'approved'),
    reject: decision('reject', 'refunds.approve', 'rejected'),
    'approve-key': decision('approve', 'keys.write', 'approved'),
    'reject-key': decision('reject', 'keys.write', 'rejected'),
    cancel: decision('cancel', 'payments.read', 'cancelled'),
    collect: { permission: 'keys.write', isSensitive: true, run: collect },
  },
};

/** What the form says is the request alone: what it is about stands as it was asked for. */
const requestIn = (visit: Visit, sent: SentForm) => ({
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

async function collect(visit: Visit, sent: SentForm): Promise<View> {
  const { database, clock, ids } = visit.services;
  try {
    const made = await collectKey({ database, clock, ids }, requestIn(visit, sent));
    const main = madeKey(visit, made.key);
    return { title: keyWords[visit.language].newKey, main, scripts: ['developers.css'] };
  } catch (error) {
    return refused(visit, error);
  }
}

async function refused(visit: Visit, error: unknown): Promise<View> {
  if (!(error instanceof DomainError)) throw error;
  const said = allWords[visit.language].refused[error.code];
  if (said === undefined) throw error;
  const shown = await view(visit, notice(said, 'bad'));
  return { ...shown, status: error.code === 'FORBIDDEN' ? 403 : 409 };
}

/** The kinds that members of a merchant see, by what they may read. */
function kindsFor(visit: Visit): ApprovalKind[] {
  return visit.can('keys.read') ? ['REFUND', 'LIVE_KEY'] : ['REFUND'];
}

/** How many requests wait for this person. */
export async function waitingFor(visit: Visit): Promise<number> {
  const { services, tenantId } = visit;
  const open = await listOpen(services.database, tenantId, kindsFor(visit), shownOpen);
  return open.filter((each) => each.status === 'PENDING' && mayDecide(visit, each)).length;
}

function mayDecide(visit: Visit, { kind, askedBy, expiresAtMs }: ListedApproval): boolean {
  const { who } = approvalKinds[kind];
  const isOther = askedBy !== visit.person.id && expiresAtMs > visit.nowMs;
  return who.of === 'MERCHANT' && isOther && visit.can(who.decides);
}

async function view(visit: Visit, problem?: Html): Promise<View> {
  const words = allWords[visit.language];
  const { services, tenantId } = visit;
  const kinds = kindsFor(visit);
  const [open, ended] = await Promise.all([
    listOpen(services.database, tenantId, kinds, shownOpen),
    listEnded(services.database, tenantId, kinds, shownEnded),
  ]);
  const main = html`${problem ?? doneNotice(visit, words.done)}
<p>${words.intro}</p>
<h2>${words.waiting}</h2>
${open.length === 0 ? empty(words.nothing, words.nothingHint) : open.map((each) => card(visit, each))}
${ended.length === 0 ? undefined : html`<h2>${words.history}</h2>${history(visit, ended)}`}`;
  return { title: words.title, main };
}

function card(visit: Visit, each: ListedApproval): Html {
  const words = allWords[visit.language];
  return html`<section class="card"><h3>${words.kinds[each.kind]}</h3>
${facts([
  ...asked(visit, each),
  [words.askedBy, asker(visit, each)],
  [words.asked, instant(visit, each.askedAtMs)],
  [words.state, words.statuses[each.status]],
  [words.openUntil, each.status === 'PENDING' ? instant(visit, each.expiresAtMs) : undefined],
])}${buttons(visit, each)}</section>`;
}

function asker(visit: Visit, { askedBy, askerName }: ListedApproval): Html {
  const words = allWords[visit.language];
  if (askedBy === visit.person.id) return html`${words.you}`;
  return html`${askerName === null ? words.gone : named(askerName)}`;
}

/** Exactly what would be done. */
function asked(
  visit: Visit,
  each: ListedApproval,
): (readonly [string, Html | string | undefined])[] {
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
  ];
}

function buttons(visit: Visit, each: ListedApproval): Html | undefined {
  const words = allWords[visit.language];
  const isOwn = each.askedBy === visit.person.id;
  const request = hidden('request', formatId('ap', each.id));
  const isKey = each.kind === 'LIVE_KEY';
  if (each.status === 'APPROVED') {
    if (!isKey || !isOwn) return undefined;
    return html`<p>${words.collectHint}</p>${form(visit, html`${request}${button('collect', words.collect)}`)}`;
  }
  if (isOwn) {
    return html`<p class="hint">${words.notYou}</p>${form(visit, html`${request}${button('cancel', words.cancel, 'plain')}`)}`;
  }
  if (!mayDecide(visit, each)) return undefined;
  const suffix = isKey ? '-key' : '';
  return form(
    visit,
    html`${request}<p class="bar">${button(`approve${suffix}`, words.approve)}${button(`reject${suffix}`, words.reject, 'danger')}</p>`,
  );
}

function history(visit: Visit, rows: readonly ListedApproval[]): Html {
  const words = allWords[visit.language];
  return table<ListedApproval>(
    words.history,
    [
      { head: words.asked, cell: ({ askedAtMs }) => instant(visit, askedAtMs) },
      {
        head: words.what,
        cell: (row) => {
          const said = asked(visit, row).map(([, value]) => value);
          return html`<div>${words.kinds[row.kind]} ${said[1]} ${said[0]}</div>`;
        },
      },
      { head: words.askedBy, cell: (row) => asker(visit, row) },
      {
        head: words.decidedBy,
        cell: ({ deciderName }) => (deciderName === null ? undefined : html`${named(deciderName)}`),
      },
      {
        head: words.state,
        cell: ({ status, failure }) =>
          html`<div>${words.statuses[status]}${failure === null ? undefined : html`<p class="hint">${words.failures[failure] ?? visit.words.errors[failure as 'INVALID_STATE']}</p>`}</div>`,
      },
    ],
    rows,
  );
}
