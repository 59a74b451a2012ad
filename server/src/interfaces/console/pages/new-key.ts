import { minorOf } from '../../../integrations/operators/amount.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { allPermissions, unlistedPermissions } from '../../../tenants/merchants/api-key.ts';
import type { KeyTerms } from '../../../tenants/merchants/key-restrictions.ts';
import { issueKey, type KeyOrder } from '../../../tenants/merchants/keys.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { askerOf } from '../parts/approval-actor.ts';
import { shownOnce } from '../parts/code-block.ts';
import {
  area,
  button,
  type FieldErrors,
  type FieldOptions,
  field,
  form,
  hidden,
  notice,
  select,
} from '../parts/form.ts';
import { formErrors, refusalOr } from '../parts/form-errors.ts';
import { addressesIn, expiryIn, lifetimes, permissionsField } from '../parts/key-form.ts';
import { isDisbursing } from '../parts/when-disbursing.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './keys.words.ts';

/** Creates a key; only the answer to the form shows it. */
export const newKeyPage: ConsolePage = {
  path: 'keys/new',
  permission: 'keys.write',
  async show(visit) {
    return visit.mode === 'live' && !visit.services.allowsLiveKeys
      ? noLiveKeys(visit)
      : view(visit, keyForm(visit, visit.kept));
  },
  actions: {
    create: { permission: 'keys.write', isSensitive: true, run: create },
  },
};

const view = (visit: MerchantContext, main: Html, status = 200): View => ({
  title: allWords[visit.language].newKey,
  main,
  status,
  scripts: ['developers.css'],
});

const noLiveKeys = (visit: MerchantContext): View =>
  view(visit, notice(allWords[visit.language].noLive, 'bad'), 400);

async function create(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const words = allWords[visit.language];
  const { database, clock, ids, allowsLiveKeys, fourEyes } = visit.services;
  if (visit.mode === 'live' && !allowsLiveKeys) return noLiveKeys(visit);
  const amounts = {
    payment: amountOf(sent, 'maxPayment'),
    refunded: amountOf(sent, 'maxRefunded'),
    ...disbursementAmounts(visit, sent),
  };
  const expiresAtMs = expiryIn(visit, sent);
  const errors: FieldErrors = {
    maxPayment: amounts.payment === undefined ? words.wrong.amount : undefined,
    maxRefunded: amounts.refunded === undefined ? words.wrong.amount : undefined,
    maxDisbursement: amounts.disbursement === undefined ? words.wrong.amount : undefined,
    maxDisbursedPerDay: amounts.disbursed === undefined ? words.wrong.amount : undefined,
    expires: expiresAtMs === undefined ? words.wrong.expires : undefined,
  };
  if (Object.values(errors).some(Boolean)) return view(visit, keyForm(visit, sent, errors), 400);
  const order = {
    merchantId: visit.merchant.id,
    mode: visit.mode,
    permissions: sent.all('permissions'),
    terms: {
      label: sent.text('label') || null,
      expiresAtMs: expiresAtMs ?? null,
      allowedAddresses: addressesIn(sent),
      maxPaymentMinor: amounts.payment ?? null,
      maxRefundedPerDayMinor: amounts.refunded ?? null,
      maxDisbursementMinor: amounts.disbursement ?? null,
      maxDisbursedPerDayMinor: amounts.disbursed ?? null,
    },
    once: sent.text('once') || ids.next(visit.nowMs),
  };
  if (visit.mode === 'live' && fourEyes.has('live-keys')) return ask(visit, sent, order);
  const dependencies = { database, clock, ids, fourEyes, ...visit.author };
  const issued = await refusalOr(issueKey(dependencies, order));
  if ('key' in issued) return view(visit, madeKey(visit, issued.key));
  if (issued.code === 'INVALID_STATE') return view(visit, madeBefore(visit), 409);
  return again(visit, sent, issued);
}

/** Nobody creates a live key alone: another person sees exactly this. */
async function ask(
  visit: MerchantContext,
  sent: SentForm,
  { merchantId, permissions, terms, once }: AskedKey,
): Promise<View | Redirect> {
  const asking = { tenantId: visit.tenantId, merchantId, asker: askerOf(visit), key: once };
  const asked = await refusalOr(visit.services.askApproval.liveKey(asking, { permissions, terms }));
  if (asked instanceof DomainError) return again(visit, sent, asked);
  return { to: visit.to('approvals', { done: 'asked' }) };
}

function again(visit: MerchantContext, sent: SentForm, refused: DomainError): View {
  const { wrong } = allWords[visit.language];
  return view(visit, keyForm(visit, sent, formErrors(visit, refused, { wrong })), 400);
}

type AskedKey = Required<Pick<KeyOrder, 'merchantId' | 'permissions' | 'once'>> & {
  terms: KeyTerms;
};

/** The key, shown only once. */
export const madeKey = (visit: MerchantContext, key: string, more?: Html): Html => {
  const words = allWords[visit.language];
  return html`${shownOnce(visit, words.made, key, words.madeHint)}${more}${toKeys(visit)}`;
};

/** The same form was submitted before. Perhaps nobody has stored its key. */
export const madeBefore = (visit: MerchantContext): Html =>
  html`${notice(allWords[visit.language].madeBefore, 'bad')}${toKeys(visit)}`;

const toKeys = (visit: MerchantContext) =>
  visit.can('keys.read')
    ? html`<p><a href="${visit.to('keys')}">${allWords[visit.language].backToKeys}</a></p>`
    : undefined;

/** Limits mean something only for a key that disburses. */
function disbursementAmounts(visit: MerchantContext, sent: SentForm) {
  if (!isDisbursing(visit) || !sent.all('permissions').includes('disbursements:write'))
    return { disbursement: null, disbursed: null };
  return {
    disbursement: amountOf(sent, 'maxDisbursement'),
    disbursed: amountOf(sent, 'maxDisbursedPerDay'),
  };
}

/** In minor units; null: empty; undefined: not an amount. */
function amountOf(sent: SentForm, name: string): bigint | null | undefined {
  const text = sent.text(name);
  if (text === '') return null;
  // A point before three digits can mean thousands or a fraction.
  if (!/^\d{1,13}([.,]\d{1,2})?$/.test(text)) return undefined;
  const amountMinor = minorOf(text.replace(',', '.'));
  const isOfOne = name === 'maxPayment' || name === 'maxDisbursement';
  return amountMinor === 0n && isOfOne ? undefined : amountMinor;
}

/** The style sheet shows them while the permission is chosen. */
function disbursementFields(
  { language, ownCurrency }: MerchantContext,
  typed: (name: string) => FieldOptions,
): Html {
  const words = allWords[language];
  const hint = words.disbursementHint(ownCurrency);
  const limit = (name: 'maxDisbursement' | 'maxDisbursedPerDay') =>
    field(name, words[name], { ...typed(name), hint, inputMode: 'decimal' });
  return html`<div class="pair of-disbursements">${limit('maxDisbursement')}
${limit('maxDisbursedPerDay')}</div>`;
}

function keyForm(visit: MerchantContext, sent?: SentForm, errors: FieldErrors = {}): Html {
  const words = allWords[visit.language];
  const typed = (name: string) => ({ value: sent?.text(name), error: errors[name] });
  const once = sent?.text('once') || visit.services.ids.next(visit.nowMs);
  const chosen = sent?.all('permissions') ?? unlistedPermissions(visit.mode);
  const permissions = allPermissions.map(
    (each) => [each, words.permission[each], chosen.includes(each)] as const,
  );
  const choices = lifetimes.map((days) => [days, words.days(days)] as const);
  return html`${errors.page && notice(errors.page, 'bad')}<section class="card">${form(
    visit,
    html`${hidden('once', once)}
${field('label', words.label, { ...typed('label'), hint: words.labelHint, maxLength: 100 })}
${permissionsField(words, permissions, errors.permissions)}
<div class="pair">${select('expires', words.expiry, [['', words.noExpiry], ...choices], typed('expires'))}
${field('maxPayment', words.maxPayment, { ...typed('maxPayment'), hint: words.amountHint, inputMode: 'decimal' })}
${field('maxRefunded', words.maxRefunded, { ...typed('maxRefunded'), hint: words.amountHint, inputMode: 'decimal' })}</div>
${isDisbursing(visit) ? disbursementFields(visit, typed) : undefined}
${area('addresses', words.addresses, { ...typed('addresses'), hint: words.addressesHint })}
${button('create', words.create)}`,
  )}</section>`;
}
