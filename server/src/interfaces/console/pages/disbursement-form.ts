import { balanceOf } from '../../../money/settlements/balance.ts';
import type { OperatorName } from '../../../platform/config/operator-catalogue.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { feeOf } from '../../../platform/values/fee.ts';
import { type Currency, currencies } from '../../../platform/values/money.ts';
import { parseAmount } from '../parts/amount.ts';
import { button, type FieldErrors, field, form, notice } from '../parts/form.ts';
import { amount, minorText } from '../parts/format.ts';
import { keyField } from '../parts/idempotency-key.ts';
import { operatorsOf, payerFields, payerIn, readPayer } from '../parts/payer.ts';
import { amountField } from '../parts/sale.ts';
import { shopCurrencies } from '../parts/shop-currencies.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './new-disbursement.words.ts';

const longestText = 255;
/** As the API. */
const mostMinor = 100_000_000n;

/** What a person wants to send, and what it costs. */
export interface AskedDisbursement {
  currency: Currency;
  amountMinor: bigint;
  feeMinor: bigint;
  /** What the merchant may pay out in this currency. */
  availableMinor: bigint;
  operator: OperatorName;
  operatorPhone: string;
  externalId: string | null;
  description: string | null;
}

/** The form's disbursement, or its mistakes by field. */
export async function readDisbursementForm(
  visit: MerchantContext,
  sent: SentForm,
): Promise<AskedDisbursement | { errors: FieldErrors }> {
  const words = allWords[visit.language];
  const currency = await chosenCurrency(visit, sent);
  const wallet = readPayer(visit, payerIn(sent), currency, 'recipient');
  const texts = ['order', 'description'].map((name) => sent.text(name));
  const [order = '', description = ''] = texts;
  const tooLong = (text: string) =>
    Array.from(text).length > longestText ? words.tooLong : undefined;
  const availableMinor = await availableIn(visit, currency);
  const operator = 'errors' in wallet ? undefined : wallet.operator;
  const sum = readAmount(visit, sent.text('amount'), { currency, operator, availableMinor });
  const errors: FieldErrors = {
    ...('errors' in wallet && wallet.errors),
    ...('error' in sum && { amount: sum.error }),
    order: tooLong(order),
    description: tooLong(description),
  };
  if ('errors' in wallet || 'error' in sum || Object.values(errors).some(Boolean))
    return { errors };
  return {
    ...sum,
    currency,
    availableMinor,
    operator: wallet.operator,
    operatorPhone: wallet.phone,
    externalId: order || null,
    description: description || null,
  };
}

interface AmountContext {
  currency: Currency;
  operator: OperatorName | undefined;
  availableMinor: bigint;
}

function readAmount(
  visit: MerchantContext,
  text: string,
  { currency, operator, availableMinor }: AmountContext,
): { amountMinor: bigint; feeMinor: bigint } | { error: string } {
  const words = allWords[visit.language];
  const amountMinor = parseAmount(text);
  if (amountMinor === undefined || amountMinor === 0n) return { error: words.noAmount };
  const { maxMinor } = visit.terms.disbursements;
  const limitMinor = maxMinor !== null && maxMinor < mostMinor ? maxMinor : mostMinor;
  if (amountMinor > limitMinor)
    return { error: words.tooMuch(minorText(visit, limitMinor, currency)) };
  const feeMinor = operator === undefined ? 0n : feeIn(visit, operator, amountMinor);
  if (amountMinor + feeMinor > availableMinor)
    return { error: notEnough(visit, { currency, feeMinor, availableMinor }) };
  return { amountMinor, feeMinor };
}

const feeIn = ({ services }: MerchantContext, operator: OperatorName, amountMinor: bigint) =>
  feeOf(amountMinor, services.disbursementSettings.fees[operator]);

/** Says what is available, and that the fee counts too. */
export function notEnough(
  visit: MerchantContext,
  { currency, feeMinor, availableMinor }: Omit<AmountContext, 'operator'> & { feeMinor: bigint },
): string {
  const words = allWords[visit.language];
  const text = (minor: bigint) => minorText(visit, minor, currency);
  return feeMinor === 0n
    ? words.notEnough(text(availableMinor))
    : words.notEnoughWithFee(text(availableMinor), text(feeMinor));
}

/** What the merchant may pay out in a currency; 0 without any movement. */
export async function availableIn(
  { services, tenantId }: MerchantContext,
  currency: Currency,
): Promise<bigint> {
  const balances = await balanceOf(services.database, tenantId);
  return balances.find((each) => each.currency === currency)?.available ?? 0n;
}

async function chosenCurrency(visit: MerchantContext, sent?: SentForm): Promise<Currency> {
  const asked = sent?.text('currency') || visit.query.get('currency');
  const known = currencies.find((each) => each === asked);
  return known ?? (await shopCurrencies(visit))[0] ?? 'CVE';
}

/** The form, with what is wrong at its fields; `page` is the form as a whole. */
export async function disbursementForm(
  visit: MerchantContext,
  { sent, errors = {} }: { sent?: SentForm | undefined; errors?: FieldErrors },
): Promise<Html> {
  const words = allWords[visit.language];
  const currency = await chosenCurrency(visit, sent);
  const own = await shopCurrencies(visit);
  const offered = own.includes(currency) ? own : [...own, currency];
  const availableMinor = await availableIn(visit, currency);
  const sum = { currency, currencies: offered, amount: sent?.text('amount') ?? '' };
  const typed = (name: string) => ({
    value: sent?.text(name),
    error: errors[name],
    maxLength: longestText,
  });
  const available = html`<p class="hint">${words.available} <b>${amount(visit, availableMinor, currency)}</b></p>`;
  if (operatorsOf(visit, currency).length === 0)
    return html`${available}<p class="notice note">${words.noOperator(currency)}</p>`;
  const content = html`${keyField(visit, sent)}
${amountField(visit, sum, errors.amount)}
${available}
<div class="payer">
${await payerFields(visit, currency, sent && payerIn(sent), errors, 'recipient')}
</div>
${field('order', words.order, { ...typed('order'), hint: words.orderHint })}
${field('description', words.description, { ...typed('description'), hint: words.descriptionHint })}
<div class="bar">${button('check', words.check)} <a class="button plain" href="${back(visit)}">${visit.words.cancel}</a></div>`;
  const decimal = visit.language === 'pt' ? ',' : '.';
  const attributes = html` class="card till" autocomplete="off" data-steady data-decimal="${decimal}" data-currency="${currency}"`;
  return html`${errors.page === undefined ? undefined : notice(errors.page, 'bad')}
${form(visit, content, attributes)}`;
}

/** Where a person goes who sends nothing. */
export const back = (visit: MerchantContext): string =>
  visit.to(visit.can('disbursements.read') ? 'disbursements' : '');
