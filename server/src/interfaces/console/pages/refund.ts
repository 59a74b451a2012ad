import { isClosedWithoutDebit, isOpen } from '../../../money/payments/payment.ts';
import { amountOf } from '../../../money/payments/search-term.ts';
import { findRefundableAmount } from '../../../money/refunds/refundable-amount.ts';
import { ApprovalNeeded, DomainError } from '../../../platform/errors/errors.ts';
import { idempotentRequest } from '../../../platform/idempotency/idempotency.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { Currency } from '../../../platform/values/money.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { askerOf } from '../parts/approval-actor.ts';
import { button, type FieldErrors, field, form, hidden, notice } from '../parts/form.ts';
import { refusalOr, refusalText } from '../parts/form-errors.ts';
import { amount, idText, phone } from '../parts/format.ts';
import { facts } from '../parts/table.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { paymentOf } from './payment.ts';
import { shownPhone } from './payments.ts';
import { words as allWords } from './refund.words.ts';

const longestReason = 255;

/** Refunds a payment, in full or in part. */
export const refundPage: ConsolePage = {
  path: 'payments/:id/refund',
  permission: 'refunds.create',
  show: (visit) => view(visit, visit.kept ? { sent: visit.kept } : {}),
  actions: { refund: { permission: 'refunds.create', isSensitive: true, run: refund } },
};

interface Shown {
  sent?: SentForm;
  errors?: FieldErrors;
  problem?: string;
}

async function refund(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const words = allWords[visit.language];
  const payment = await paymentOf(visit);
  const amountMinor = amountOf(sent.text('amount'));
  const reason = sent.text('reason');
  const key = sent.text('key');
  const errors = {
    amount: amountMinor === undefined ? words.noAmount : undefined,
    reason: reason.length > longestReason ? words.longReason : undefined,
  };
  if (amountMinor === undefined || errors.reason !== undefined)
    return view(visit, { sent, errors });
  // Without its key, the form could take effect twice.
  if (!/^[0-9a-f-]{36}$/.test(key)) {
    return view(visit, { problem: visit.words.errors.VALIDATION_ERROR });
  }
  const { services, tenantId, mode, terms, author } = visit;
  const paymentId = payment.id;
  const asked = { paymentId, amount: amountMinor.toString(), reason };
  try {
    await services.createRefund({
      tenantId,
      mode,
      paymentId,
      amountMinor,
      reason: reason === '' ? null : reason,
      metadata: null,
      apiKey: null,
      terms,
      idempotency: idempotentRequest(`console:${key}`, asked, () => asked),
      author,
    });
  } catch (error) {
    if (error instanceof ApprovalNeeded)
      return ask(visit, { paymentId, amountMinor, reason, key }, sent);
    if (!(error instanceof DomainError)) throw error;
    const said = refusalText(visit, error);
    return error.code === 'REFUND_EXCEEDS_PAYMENT'
      ? view(visit, { sent, errors: { amount: said } })
      : view(visit, { sent, problem: said });
  }
  return { to: visit.to(pageOf(visit, paymentId), { done: 'refunded' }) };
}

/** Nobody refunds this much alone: another person sees exactly this. */
async function ask(
  visit: MerchantContext,
  {
    reason,
    key,
    ...wanted
  }: { paymentId: string; amountMinor: bigint; reason: string; key: string },
  sent: SentForm,
): Promise<View | Redirect> {
  const asking = { tenantId: visit.tenantId, asker: askerOf(visit), key };
  const given = { ...wanted, reason: reason === '' ? null : reason };
  const asked = await refusalOr(visit.services.askApproval.refund(asking, given));
  if (asked instanceof DomainError) {
    return view(visit, { sent, problem: visit.words.errors[asked.code] });
  }
  return { to: visit.to('approvals', { done: 'asked' }) };
}

/** The payment's page; at the till, people see their own charges alone. */
const pageOf = (visit: MerchantContext, id: string) =>
  `${visit.can('payments.read') ? 'payments' : 'charge'}/${formatId('pi', id)}`;

async function view(visit: MerchantContext, { sent, errors = {}, problem }: Shown): Promise<View> {
  const words = allWords[visit.language];
  const payment = await paymentOf(visit);
  const { currency, amountMinor, status } = payment;
  const { services, tenantId } = visit;
  const isPaid = !isOpen(status) && !isClosedWithoutDebit(status);
  const left = isPaid
    ? await findRefundableAmount(services.database, tenantId, payment.id)
    : undefined;
  const leftMinor = left?.leftMinor ?? 0n;
  const isFree = leftMinor > 0n && left?.unexplainedMinor === 0n;
  const back = visit.to(pageOf(visit, payment.id));
  const key = sent?.text('key') || services.ids.next(visit.nowMs);
  const fields = html`${hidden('key', key)}
${field('amount', words.amount(currency), {
  value: sent?.text('amount') ?? plain(leftMinor, visit.language),
  inputMode: 'decimal',
  isRequired: true,
  maxLength: 40,
  hint: words.amountHint,
  error: errors.amount,
})}
${field('reason', words.reason, { value: sent?.text('reason'), maxLength: longestReason, hint: words.reasonHint, error: errors.reason })}
<p class="bar">${button('refund', words.refund, 'danger')} <a href="${back}">${visit.words.cancel}</a></p>`;
  const whyNot = () => {
    if (!isPaid) return words.notPaid;
    return leftMinor > 0n ? words.unexplained : words.nothingLeft;
  };
  const main = html`${problem === undefined ? undefined : notice(problem, 'bad')}
<section class="card">${facts([
    [words.payment, html`<a href="${back}">${idText('pi', payment.id)}</a>`],
    [words.phone, phone(shownPhone(visit, payment))],
    [words.paid, amount(visit, amountMinor, currency)],
    [words.left, amount(visit, leftMinor, currency)],
  ])}
${isFree ? html`<p>${words.note}</p>${limitNote(visit, payment.currency)}${form(visit, fields)}` : html`<p>${whyNot()}</p>`}
</section>`;
  const isWrong = problem !== undefined || Object.values(errors).some(Boolean);
  const shown = { title: words.title, main };
  return isWrong ? { ...shown, status: 400 } : shown;
}

function limitNote(visit: MerchantContext, currency: Currency): Html | undefined {
  const limitMinor = visit.services.refundApprovalAbove[currency];
  if (limitMinor === undefined) return undefined;
  const { above, mustApprove } = allWords[visit.language];
  return html`<p class="notice note">${above} ${amount(visit, limitMinor, currency)}${mustApprove}</p>`;
}

/** In the notation of a person. */
function plain(minor: bigint, language: MerchantContext['language']): string {
  const digits = minor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}${language === 'pt' ? ',' : '.'}${digits.slice(-2)}`;
}
