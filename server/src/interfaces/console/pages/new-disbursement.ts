import { MerchantLimit } from '../../../money/disbursements/caps.ts';
import type { LookedUpName } from '../../../money/disbursements/look-up-name.ts';
import { referenceOf } from '../../../money/disbursements/prepare.ts';
import { findByReference } from '../../../money/disbursements/store.ts';
import { ApprovalNeeded, DomainError, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { askerOf } from '../parts/approval-actor.ts';
import { button, type FieldErrors, form, hidden, notice } from '../parts/form.ts';
import { refusalOr, refusalText } from '../parts/form-errors.ts';
import { amount, given, minorText, phone } from '../parts/format.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { facts } from '../parts/table.ts';
import { whenDisbursing } from '../parts/when-disbursing.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import {
  type AskedDisbursement,
  availableIn,
  disbursementForm,
  notEnough,
  readDisbursementForm,
} from './disbursement-form.ts';
import { words as listWords } from './disbursements.words.ts';
import { words as allWords } from './new-disbursement.words.ts';

/** Sends money to one wallet: a form, a summary to confirm, and the page of what was sent. */
export const newDisbursementPage: ConsolePage = whenDisbursing({
  path: 'disbursements/new',
  permission: 'disbursements.create',
  // After a proof of identity, the person confirms what they had confirmed before.
  show: (visit) => (visit.kept ? check(visit, visit.kept) : view(visit)),
  actions: {
    check: { permission: 'disbursements.create', run: check },
    name: { permission: 'disbursements.look_up_names', run: lookUpHolder },
    change: { permission: 'disbursements.create', run: (visit, sent) => view(visit, { sent }) },
    send: { permission: 'disbursements.create', isSensitive: true, run: send },
  },
});

interface Filled {
  sent?: SentForm;
  errors?: FieldErrors;
}

async function view(visit: MerchantContext, { sent, errors = {} }: Filled = {}): Promise<View> {
  const words = allWords[visit.language];
  const { done } = listWords[visit.language];
  const isAllowed = visit.mode === 'test' || visit.terms.disbursements.isAllowed;
  const main = html`${sent === undefined ? doneNotice(visit, { sent: done.sent, earlier: done.earlier, asked: words.asked }) : undefined}
${isAllowed ? await disbursementForm(visit, { sent, errors }) : notice(words.notAllowed, 'note')}`;
  const isBad = Object.values(errors).some(Boolean);
  const scripts = ['till.css', 'till.js'];
  return { title: words.title, main, scripts, ...(isBad && { status: 400 }) };
}

async function check(visit: MerchantContext, sent: SentForm): Promise<View> {
  const asked = await readDisbursementForm(visit, sent);
  return 'errors' in asked
    ? view(visit, { sent, errors: asked.errors })
    : summary(visit, sent, asked);
}

/** The same summary, with the holder of the wallet as the operator names them. */
async function lookUpHolder(visit: MerchantContext, sent: SentForm): Promise<View> {
  const asked = await readDisbursementForm(visit, sent);
  if ('errors' in asked) return view(visit, { sent, errors: asked.errors });
  return summary(visit, sent, asked, await holderOf(visit, asked));
}

/** @throws NOT_FOUND the page offers no lookup of this wallet */
export async function holderOf(
  visit: MerchantContext,
  wallet: Pick<AskedDisbursement, 'operator' | 'operatorPhone'>,
): Promise<LookedUpName> {
  if (!offersLookup(visit, wallet)) throw notFound('page');
  const { services, tenantId, merchant, mode, author } = visit;
  const { operator, operatorPhone: phone } = wallet;
  const merchantId = merchant.id;
  return services.lookUpName({ mode, operator, phone, tenantId, merchantId, author });
}

/** What the person typed, carried from step to step. */
const fieldNames = ['amount', 'currency', 'phone', 'country', 'operator', 'order', 'description'];

function summary(
  visit: MerchantContext,
  sent: SentForm,
  asked: AskedDisbursement,
  holder?: LookedUpName,
): View {
  const words = allWords[visit.language];
  const { currency, amountMinor, feeMinor, availableMinor } = asked;
  const totalMinor = amountMinor + feeMinor;
  const money = (minor: bigint) => amount(visit, minor, currency);
  const limitMinor = visit.services.disbursementSettings.approvalAbove[currency];
  const needsApproval = limitMinor !== undefined && amountMinor > limitMinor;
  const mayAsk = holder === undefined || holder.kind === 'UNANSWERED';
  const lookUp =
    mayAsk && offersLookup(visit, asked)
      ? html` ${button('name', words.lookUp, 'plain')}`
      : undefined;
  const content = html`${keyField(visit, sent)}
${fieldNames.map((name) => hidden(name, sent.text(name)))}
<div class="bar">${button('send', needsApproval ? words.ask : words.send)} ${button('change', words.change, 'plain')}${lookUp}</div>`;
  const main = html`<section class="card narrow">
<p class="figure">${money(amountMinor)}</p>
${facts([
  [words.to, phone(asked.operatorPhone)],
  [words.operator, visit.words.operators[asked.operator]],
  [words.holder, holder && holderText(visit, holder)],
  [words.order, given(asked.externalId, 255)],
  [words.description, given(asked.description, 255)],
  [words.amount, money(amountMinor)],
  [words.fee, money(feeMinor)],
  [words.total, html`<b>${money(totalMinor)}</b>`],
  [words.after, money(availableMinor - totalMinor)],
])}
${needsApproval ? html`<p class="notice note">${words.mustApprove(minorText(visit, limitMinor, currency))}</p>` : undefined}
<p class="hint">${words.note}</p>
${form(visit, content, html` data-steady`)}
</section>`;
  return { title: words.summary, main, scripts: ['till.css', 'till.js'] };
}

/** Whether this person may look up the holder, this merchant may pay it, and the operator can be asked. */
export function offersLookup(
  visit: MerchantContext,
  { operator }: Pick<AskedDisbursement, 'operator'>,
): boolean {
  const { mode, terms, services } = visit;
  const maySend =
    terms.suspendedAtMs === null && (mode === 'test' || terms.disbursements.isAllowed);
  return (
    maySend &&
    visit.can('disbursements.look_up_names') &&
    services.walletNames.isOffered({ mode, operator })
  );
}

/** The masked name, or why there is none. */
export function holderText(visit: MerchantContext, holder: LookedUpName): Html {
  if (holder.kind === 'FOUND') return html`<b><bdi>${holder.maskedName}</bdi></b>`;
  return html`${allWords[visit.language].noName[holder.kind]}`;
}

async function send(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const asked = await readDisbursementForm(visit, sent);
  // Sent once more, the form finds what it has made, although the balance no longer covers it twice.
  const earlier = await earlierOf(visit, sent);
  if (earlier !== undefined) return made(visit, earlier, 'earlier');
  if ('errors' in asked) return view(visit, { sent, errors: asked.errors });
  const { services, tenantId, mode, terms, author, person } = visit;
  const { availableMinor: _, feeMinor: __, ...wanted } = asked;
  const idempotency = keyedRequest(sent, { ...wanted, amountMinor: String(wanted.amountMinor) });
  try {
    const { disbursement } = await services.createDisbursement({
      ...wanted,
      tenantId,
      mode,
      terms,
      author,
      idempotency,
      personId: person.id,
      apiKey: null,
      customerId: null,
      statementDescriptor: null,
      metadata: null,
    });
    return made(visit, disbursement.id, 'sent');
  } catch (error) {
    if (error instanceof ApprovalNeeded) return ask(visit, sent, asked);
    if (!(error instanceof DomainError)) throw error;
    return view(visit, { sent, errors: await errorsOf(visit, asked, error) });
  }
}

/** Nobody sends this much alone: another person sees exactly this. */
async function ask(
  visit: MerchantContext,
  sent: SentForm,
  asked: AskedDisbursement,
): Promise<View | Redirect> {
  const { availableMinor: _, feeMinor: __, ...wanted } = asked;
  const { services, tenantId, merchant } = visit;
  const { key } = keyedRequest(sent, {});
  const asking = { tenantId, merchantId: merchant.id, asker: askerOf(visit), key };
  const answer = await refusalOr(services.askApproval.disbursement(asking, wanted));
  if (answer instanceof DomainError) {
    return view(visit, { sent, errors: { page: visit.words.errors[answer.code] } });
  }
  return {
    to: visit.to(visit.can('payments.read') ? 'approvals' : 'disbursements/new', { done: 'asked' }),
  };
}

/** The disbursement that this form has made before. */
async function earlierOf(visit: MerchantContext, sent: SentForm): Promise<string | undefined> {
  const { services, tenantId } = visit;
  const reference = referenceOf(tenantId, { idempotency: keyedRequest(sent, {}) });
  const found = await findByReference(services.database, tenantId, reference);
  return found?.id;
}

/** A person who may only send stays at the form. */
function made(visit: MerchantContext, id: string, how: 'sent' | 'earlier'): Redirect {
  const page = visit.can('disbursements.read') ? formatId('di', id) : 'new';
  return { to: visit.to(`disbursements/${page}`, { done: how }) };
}

async function errorsOf(
  visit: MerchantContext,
  { currency, feeMinor }: AskedDisbursement,
  error: DomainError,
): Promise<FieldErrors> {
  const words = allWords[visit.language];
  if (error instanceof MerchantLimit) {
    const limit = minorText(visit, error.limitMinor, currency);
    if (error.scope === 'ONE') return { amount: words.tooMuch(limit) };
    return {
      amount: error.scope === 'WALLET' ? words.limitOfWallet(limit) : words.limitOfDay(limit),
    };
  }
  if (error.code === 'INSUFFICIENT_BALANCE') {
    const availableMinor = await availableIn(visit, currency);
    return { amount: notEnough(visit, { currency, feeMinor, availableMinor }) };
  }
  return { page: refusalText(visit, error) };
}
