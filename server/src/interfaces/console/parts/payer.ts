import { offeredOperators } from '../../../integrations/operators/check.ts';
import type { OperatorName } from '../../../integrations/operators/operator.ts';
import { readTroubles, type Troubles } from '../../../integrations/operators/read-details.ts';
import { phonePrefixes } from '../../../platform/config/operator-catalogue.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Currency } from '../../../platform/values/money.ts';
import { currencyOfPhone, normalizePhone } from '../../../platform/values/phone.ts';
import { countryOf, internationalPhone, offered } from '../../../storefront/checkout/page/phone.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './payer.words.ts';

/** The payer as typed. */
export interface Payer {
  phone: string;
  country: string;
  operator: string;
}

/** Who is asked for: a customer who pays, or a person who is sent money. */
export type Whose = 'payer' | 'recipient';

export interface PayerErrors {
  phone?: string | undefined;
  operator?: string | undefined;
}

export const payerIn = (sent: SentForm): Payer => ({
  phone: sent.text('phone'),
  country: sent.text('country'),
  operator: sent.text('operator'),
});

/** The payer, or the mistakes, in the reader's words. */
export function readPayer(
  visit: MerchantContext,
  typed: Payer,
  currency: Currency,
  whose: Whose = 'payer',
): { phone: string; operator: OperatorName } | { errors: PayerErrors } {
  const words = allWords[visit.language];
  const phone = normalizePhone(internationalPhone(typed.phone, typed.country));
  const operator = operatorsOf(visit, currency).find((each) => each === typed.operator);
  const isForeign = phone !== undefined && currencyOfPhone(phone) !== currency;
  if (phone !== undefined && operator !== undefined && !isForeign) return { phone, operator };
  return {
    errors: {
      phone: phone === undefined ? words.badPhone : isForeign ? words.foreignPhone : undefined,
      operator: operator === undefined ? words[whose].noOperator : undefined,
    },
  };
}

/** The operators that a customer can choose from. */
export const operatorsOf = ({ services, mode }: MerchantContext, currency: Currency) =>
  offeredOperators(services.checkOperator, mode, currency);

/** Phone and operator; a script suggests the operator by the prefix (till.js). */
export async function payerFields(
  visit: MerchantContext,
  currency: Currency,
  typed?: Payer,
  errors: PayerErrors = {},
  whose: Whose = 'payer',
): Promise<Html> {
  const words = allWords[visit.language];
  const operators = operatorsOf(visit, currency);
  const troubles = await readTroubles(visit.services.database, visit.mode);
  const only = operators.length === 1 ? operators[0] : undefined;
  const chosen = typed?.operator ?? only;
  return html`${phoneField(visit, currency, words[whose].phone, typed, errors.phone)}
<fieldset class="field"${errors.operator === undefined ? undefined : html` aria-describedby="operator-error"`}>
<legend>${words.operator}</legend>
<div class="choices">${operators.map((name) => choice(visit, name, name === chosen, troubles[name]))}</div>
${operators.some((name) => troubles[name]) ? html`<p class="hint">${words[whose].trouble}</p>` : undefined}
${problem('operator', errors.operator)}
</fieldset>`;
}

function phoneField(
  visit: MerchantContext,
  currency: Currency,
  label: string,
  typed?: Payer,
  error?: string,
): Html {
  const words = allWords[visit.language];
  const entered = offered.find(({ callingCode }) => callingCode === typed?.country);
  const chosen = entered ?? countryOf[currency];
  const wrong =
    error === undefined ? undefined : html` aria-invalid="true" aria-describedby="phone-error"`;
  return html`<div class="field">
<label for="phone">${label}</label>
<div class="phone-line">
<select name="country" aria-label="${words.country}">${offered.map(({ callingCode }) =>
    callingCode === chosen.callingCode
      ? html`<option value="${callingCode}" selected>+${callingCode}</option>`
      : html`<option value="${callingCode}">+${callingCode}</option>`,
  )}</select>
<input id="phone" name="phone" type="tel" autocomplete="off" required maxlength="64" placeholder="${chosen.example}" value="${typed?.phone}"${wrong}>
</div>
${problem('phone', error)}
</div>`;
}

function choice(
  { words, language }: MerchantContext,
  name: OperatorName,
  isChosen: boolean,
  trouble: Troubles[OperatorName],
): Html {
  const state = trouble && html` <small>${allWords[language].troubles[trouble]}</small>`;
  const checked = isChosen ? html` checked` : undefined;
  return html`<label><input type="radio" name="operator" value="${name}" required data-prefixes="${phonePrefixes(name).join(' ')}"${checked}><span>${words.operators[name]}${state}</span></label>`;
}

const problem = (field: string, error?: string) =>
  error === undefined
    ? undefined
    : html`<p class="error" id="${field}-error" role="alert">${error}</p>`;
