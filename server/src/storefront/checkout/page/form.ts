import { type OperatorName, phonePrefixes } from '../../../platform/config/operator-catalogue.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { erasedPhone } from '../../../platform/values/phone.ts';
import { hasAttemptsLeft } from '../session.ts';
import { countryOf, nationalPhone } from './phone.ts';
import { amountOf, named, type PaymentPage } from './state.ts';

/** The customer's last input, if it needs correction. */
export interface Entry {
  phone: string;
  operator: string;
  phoneError?: string | undefined;
  operatorError?: string | undefined;
}

/** Why the latest attempt failed, in plain words. */
export function failure({ payment, words }: PaymentPage): Html | undefined {
  if (!payment) return undefined;
  if (payment.status === 'CANCELLED') {
    const { title, advice } = words.cancelled;
    return html`<section class="note" role="status"><h2 tabindex="-1">${title}</h2><p>${advice}</p></section>`;
  }
  const reason = payment.failureCode ? words.failures[payment.failureCode] : undefined;
  const title = payment.status === 'EXPIRED' ? words.notConfirmed : words.declined;
  return html`<section class="failure" role="alert"><h2 tabindex="-1">${title}</h2>
    ${reason === undefined ? undefined : html`<p>${reason}</p>`}</section>`;
}

export const noAttemptsLeft = ({ words }: PaymentPage): Html =>
  html`<p role="alert">${words.noAttemptsLeft}</p>`;

/** The input of the latest attempt, if this browser made it. */
function typedBefore({ payment, mine }: PaymentPage): Entry | undefined {
  if (mine === undefined || !payment || payment.operatorPhone === erasedPhone) return undefined;
  return { phone: nationalPhone(payment.operatorPhone), operator: payment.operator };
}

/** The form, or why there is none. */
export function form(page: PaymentPage, wrong?: Entry): Html {
  const entry = wrong ?? typedBefore(page);
  const { session, shop, operators, words } = page;
  if (shop.terms.suspendedAtMs !== null) return html`<p role="alert">${words.shopNotNow}</p>`;
  if (!hasAttemptsLeft(session)) return noAttemptsLeft(page);
  if (operators.length === 0) return html`<p role="alert">${words.noOperator}</p>`;
  const wasRefused = page.payment && page.payment.status !== 'CANCELLED';
  const label = wasRefused ? words.payAgain : words.pay(amountOf(page));
  return html`<form method="post" id="pay">
    <input type="hidden" name="attempt" value="${session.attemptCount}">
    ${phoneField(page, entry)}
    ${operatorField(page, entry)}
    ${besidePayee(page, html`<button data-sending="${words.sending}">${label}</button>`)}
  </form>`;
}

/** In a frame, another site decides what stands around the page: beside the button stands who gets how much. */
function besidePayee(page: PaymentPage, button: Html): Html {
  if (!page.frame) return button;
  return html`<div class="payee"><p><span>${named(page.shop.name)}</span> <b>${amountOf(page)}</b></p>${button}</div>`;
}

/** Of the country of the currency: no other phone can pay the session. */
function phoneField({ session, words }: PaymentPage, entry?: Entry): Html {
  const { callingCode, example } = countryOf[session.currency];
  const error = entry?.phoneError;
  const described = `phone-code phone-hint${error === undefined ? '' : ' phone-error'}`;
  return html`<div class="field">
    <label for="phone">${words.phone}</label>
    <div class="phone"><span id="phone-code">+${callingCode}</span>
      <input id="phone" name="phone" type="tel" autocomplete="tel-national" required maxlength="64" data-code="${callingCode}"
        placeholder="${example}" value="${entry?.phone}" aria-describedby="${described}"${invalid(error)}>
    </div>
    <p class="hint" id="phone-hint">${words.phoneHint}</p>
    ${fieldError('phone', error)}
  </div>`;
}

function operatorField(page: PaymentPage, entry?: Entry): Html {
  const { operators, troubles, words } = page;
  const error = entry?.operatorError;
  const only = operators.length === 1 ? operators[0] : undefined;
  const chosen = entry?.operator ?? only;
  const described = error === undefined ? undefined : html` aria-describedby="operator-error"`;
  return html`<fieldset class="field"${described}>
    <legend>${words.operator}</legend>
    <div class="choices">${operators.map((name) => choice(page, name, name === chosen))}</div>
    ${operators.some((name) => troubles[name]) ? html`<p class="hint">${words.operatorTrouble}</p>` : undefined}
    <p class="hint" id="suggested" hidden>${words.suggested}</p>
    ${fieldError('operator', error)}
  </fieldset>`;
}

function choice({ troubles, words }: PaymentPage, name: OperatorName, isChosen: boolean): Html {
  const trouble = troubles[name];
  const state = trouble && html` <small>${words.operatorTroubles[trouble]}</small>`;
  const checked = isChosen ? html` checked` : undefined;
  const prefixes = phonePrefixes(name).join(' ');
  return html`<label><input type="radio" name="operator" value="${name}" required
    data-prefixes="${prefixes}"${checked}><span>${words.operators[name]}${state}</span></label>`;
}

/** Focuses the field that needs correction. */
const invalid = (error?: string) =>
  error === undefined ? undefined : html` aria-invalid="true" autofocus`;

const fieldError = (field: string, error?: string) =>
  error === undefined ? undefined : html`<p class="error" id="${field}-error">${error}</p>`;
