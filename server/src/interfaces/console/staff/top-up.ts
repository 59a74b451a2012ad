import { type Approval, requestOf } from '../../../backoffice/approvals/approval.ts';
import { type ListedApproval, listOpen } from '../../../backoffice/approvals/list.ts';
import {
  checkTopUp,
  createTopUp,
  isBooked,
  type TopUpDetails,
} from '../../../money/top-ups/create.ts';
import { invalid, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { currencies } from '../../../platform/values/money.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { findMerchant, findTenant, type Merchant } from '../../../tenants/merchants/store.ts';
import type { Redirect, StaffPage, View } from '../page.ts';
import { parseAmount } from '../parts/amount.ts';
import { askerOf } from '../parts/approval-actor.ts';
import { authorInCell } from '../parts/author.ts';
import { button, type FieldErrors, field, form, hidden, notice, select } from '../parts/form.ts';
import { formErrors } from '../parts/form-errors.ts';
import { amount, given, instant } from '../parts/format.ts';
import { freshKey, keyField } from '../parts/idempotency-key.ts';
import { type Fact, facts } from '../parts/table.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { disburses } from './disbursement-card.ts';
import type { Shown } from './merchant.ts';
import { words as allWords } from './top-up.words.ts';

const permission = 'settlements.decide';

/** Books a transfer to our bank account for a merchant's balance: a form, and a summary to confirm. */
export const topUpPage: StaffPage = {
  path: 'merchants/:id/top-up',
  permission,
  // After a proof of identity, the person confirms what they had confirmed before.
  show: (visit) => (visit.kept ? check(visit, visit.kept) : view(visit)),
  actions: {
    check: { permission, run: check },
    change: { permission, run: (visit, sent) => view(visit, { sent }) },
    book: { permission, isSensitive: true, run: book },
  },
};

const needsTwo = ({ services }: StaffContext) => services.fourEyes.has('top-ups');

/** @throws NOT_FOUND */
async function merchantOf(visit: StaffContext): Promise<Merchant> {
  const id = parseId('me', visit.params.id ?? '');
  const found = id && disburses(visit) && (await findMerchant(visit.services.database, id));
  if (!found) throw notFound('merchant');
  return found;
}

interface Filled {
  sent?: SentForm;
  errors?: FieldErrors;
}

async function view(visit: StaffContext, { sent, errors = {} }: Filled = {}): Promise<View> {
  const words = allWords[visit.language];
  const merchant = await merchantOf(visit);
  const typed = (name: string) => ({ value: sent?.text(name), error: errors[name] });
  const choices = currencies.map((each) => [each, each] as const);
  const content = html`${keyField(visit, sent)}
${field('amount', words.amount, { ...typed('amount'), isRequired: true, inputMode: 'decimal', maxLength: 20, autoComplete: 'off' })}
${select('currency', words.currency, choices, typed('currency'))}
${field('bankReference', words.reference, { ...typed('bankReference'), hint: words.referenceHint, isRequired: true, maxLength: 140, autoComplete: 'off' })}
<div class="bar">${button('check', words.check)} <a class="button plain" href="${merchantPage(visit, merchant)}">${visit.words.cancel}</a></div>`;
  const main = html`${errors.page === undefined ? undefined : notice(errors.page, 'bad')}
<section class="card"><p><b>${named(merchant.name)}</b></p>
<p class="hint">${words.hint}</p>
${needsTwo(visit) ? html`<p class="notice note">${words.needsTwo}</p>` : undefined}
${form(visit, content)}</section>`;
  const isBad = Object.values(errors).some(Boolean);
  return { title: words.title, main, scripts: ['staff.css'], ...(isBad && { status: 400 }) };
}

const merchantPage = (visit: StaffContext, { id }: Merchant, done?: string): string =>
  visit.to(`merchants/${formatId('me', id)}`, { done });

/** @throws VALIDATION_ERROR names the field */
function topUpIn(sent: SentForm): TopUpDetails {
  const currency = currencies.find((each) => each === sent.text('currency'));
  if (currency === undefined) throw invalid('currency', 'is not known');
  const amountMinor = parseAmount(sent.text('amount'));
  if (amountMinor === undefined) throw invalid('amount', 'is no amount');
  return checkTopUp({ currency, amountMinor, bankReference: sent.text('bankReference') });
}

async function check(visit: StaffContext, sent: SentForm): Promise<View> {
  const words = allWords[visit.language];
  const merchant = await merchantOf(visit);
  let details: TopUpDetails;
  try {
    details = topUpIn(sent);
  } catch (error) {
    return again(visit, sent, error);
  }
  if (await isBooked(visit.services.database, details)) {
    return view(visit, { sent, errors: { bankReference: words.booked } });
  }
  const isTwo = needsTwo(visit);
  const content = html`${keyField(visit, sent)}
${['amount', 'currency', 'bankReference'].map((name) => hidden(name, sent.text(name)))}
<div class="bar">${button('book', isTwo ? words.ask : words.book)} ${button('change', words.change, 'plain')}</div>`;
  const main = html`<section class="card">
<p class="figure">${amount(visit, details.amountMinor, details.currency)}</p>
${facts([[words.merchant, named(merchant.name)], ...topUpFacts(visit, details)])}
${isTwo ? html`<p class="notice note">${words.needsTwo}</p>` : undefined}
<p class="hint">${words.note}</p>
${form(visit, content)}
</section>`;
  return { title: words.summary, main, scripts: ['staff.css'] };
}

async function book(visit: StaffContext, sent: SentForm): Promise<View | Redirect> {
  const merchant = await merchantOf(visit);
  const { database, fourEyes, askApproval } = visit.services;
  try {
    const details = topUpIn(sent);
    if (!needsTwo(visit)) {
      await createTopUp({ ...authorInCell(visit), fourEyes }, merchant.id, details);
      return { to: merchantPage(visit, merchant, 'toppedUp') };
    }
    const live = await findTenant(database, merchant.id, 'live');
    const asking = { tenantId: live!.id, merchantId: merchant.id, asker: askerOf(visit) };
    await askApproval.topUp({ ...asking, key: freshKey(visit, sent) }, details);
    return { to: merchantPage(visit, merchant, 'topUpAsked') };
  } catch (error) {
    return again(visit, sent, error);
  }
}

/** The form with its mistakes. @throws errors that no form can fix */
function again(visit: StaffContext, sent: SentForm, error: unknown): Promise<View> {
  const words = allWords[visit.language];
  const codes = { INVALID_STATE: { bankReference: words.booked } };
  return view(visit, { sent, errors: formErrors(visit, error, { wrong: words.wrong, codes }) });
}

/** The transfer of a request. */
export function requestedTopUp(approval: Approval<'TOP_UP'>): TopUpDetails {
  const { amountMinor, ...details } = requestOf(approval);
  return { ...details, amountMinor: BigInt(amountMinor) };
}

/** A transfer as people compare it with the bank's statement; the first two entries distinguish requests. */
export function topUpFacts(visit: StaffContext, details: TopUpDetails): Fact[] {
  const words = allWords[visit.language];
  return [
    [words.reference, given(details.bankReference, 140)],
    [words.amount, amount(visit, details.amountMinor, details.currency)],
  ];
}

/** The requested top-ups of a merchant, and the way to another. */
export async function topUpCard(visit: StaffContext, { merchant, tenants }: Shown): Promise<Html> {
  const words = allWords[visit.language];
  const waiting = await listOpen(visit.services.database, tenants.live, ['TOP_UP'], shownWaiting);
  const address = visit.to(`merchants/${formatId('me', merchant.id)}/top-up`);
  return html`<section class="card"><h2>${words.card}</h2>
<p class="hint">${words.hint}</p>
${waiting.map((each) => asked(visit, each))}
${visit.can(permission) ? html`<p><a class="button plain" href="${address}">${words.title}</a></p>` : undefined}</section>`;
}

const shownWaiting = 10;

function asked(visit: StaffContext, approval: ListedApproval): Html {
  const words = allWords[visit.language];
  return html`<p class="notice note">${words.waiting}</p>
${facts([
  ...topUpFacts(visit, requestedTopUp(approval as ListedApproval & Approval<'TOP_UP'>)),
  [words.askedBy, given(approval.askerName) ?? words.gone],
  [words.askedAt, instant(visit, approval.askedAtMs)],
])}`;
}
