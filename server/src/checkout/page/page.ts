import { type OperatorName, operatorNames } from '../../operators/operator.ts';
import type { Payment } from '../../payments/payment.ts';
import { formatId } from '../../platform/ids.ts';
import { withSessionId } from '../return-url.ts';
import { type CheckoutSession, itemsOf, maxAttempts, type SessionItem } from '../session.ts';
import type { Shop } from '../store.ts';
import { type Html, html } from './html.ts';
import { document } from './layout.ts';
import { failureReasons, money, operatorLabels } from './words.ts';

export interface PaymentPage {
  session: CheckoutSession;
  shop: Shop;
  /** The payment of the latest attempt. */
  payment: Payment | undefined;
  /** Those that the customer can choose from. */
  operators: readonly OperatorName[];
  nowMs: number;
}

/** What the customer has just sent, where it has to be put right. */
export interface Entry {
  phone: string;
  operator: string;
  phoneError?: string | undefined;
  operatorError?: string | undefined;
}

const waitingRefresh = html`<meta http-equiv="refresh" content="2">`;

/** The page of a session as it is now. */
export function paymentPage(page: PaymentPage, entry?: Entry): string {
  const { session, shop, nowMs } = page;
  const frame = (content: Html, head?: Html) =>
    document({ title: `Pagar a ${shop.name}`, head, test: shop.mode === 'test', content });
  if (session.status === 'COMPLETED') {
    return frame(html`${heading(page)}${completed(session)}`, completionRefresh(session));
  }
  if (session.attemptInFlight) return frame(html`${heading(page)}${waiting}`, waitingRefresh);
  if (session.status === 'EXPIRED' || session.expiresAtMs <= nowMs) {
    return frame(html`${heading(page)}${expired}${backToShop(session)}`);
  }
  return frame(html`${heading(page)}${items(session)}${failure(page)}${form(page, entry)}
    ${backToShop(session)}`);
}

function heading({ session, shop }: PaymentPage): Html {
  return html`<h1>${shop.name}</h1>
    <p class="total">${money(session.amountMinor, session.currency)}</p>`;
}

function items(session: CheckoutSession): Html | undefined {
  const list = itemsOf(session);
  if (list.length === 0) return undefined;
  return html`<ul class="items">${list.map(item)}</ul>`;
}

function item({ name, quantity, unitPrice, currency }: SessionItem): Html {
  const sum = money(BigInt(quantity) * BigInt(unitPrice), currency);
  return html`<li><span>${quantity} × ${name}</span><span class="sum">${sum}</span></li>`;
}

const waiting = html`<div role="status"><h2>Confirme o pagamento no seu telemóvel</h2>
  <p>A aguardar confirmação… Esta página atualiza-se sozinha.</p></div>`;

const expired = html`<div role="status"><h2>Sessão expirada</h2>
  <p>Já não é possível pagar com esta ligação. Peça uma nova à loja.</p></div>`;

function completed(session: CheckoutSession): Html {
  const onward =
    session.completionUrl === null
      ? undefined
      : html`<p><a class="button" href="${shopLink(session, session.completionUrl)}">Continuar</a></p>`;
  return html`<div role="status"><h2>Pagamento concluído</h2>
    <p>Obrigado. O seu pagamento foi recebido.</p></div>${onward ?? backToShop(session)}`;
}

/** The customer has a moment to read that it is paid. */
function completionRefresh(session: CheckoutSession): Html | undefined {
  if (session.completionUrl === null) return undefined;
  const target = shopLink(session, session.completionUrl);
  return html`<meta http-equiv="refresh" content="3; url=${target}">`;
}

function failure({ payment }: PaymentPage): Html | undefined {
  if (!payment) return undefined;
  const isCancelled = payment.status === 'CANCELLED';
  const reason = payment.failureCode ? failureReasons[payment.failureCode] : '';
  return html`<div class="failure" role="alert">
    <h2>${isCancelled ? 'Pagamento cancelado' : 'Pagamento recusado'}</h2><p>${reason}</p></div>`;
}

function form({ session, operators }: PaymentPage, entry?: Entry): Html {
  if (session.attemptCount >= maxAttempts) {
    return html`<p role="alert">Já não há mais tentativas para este pagamento. Volte à loja para recomeçar.</p>`;
  }
  if (operators.length === 0) {
    return html`<p role="alert">Não há nenhum operador disponível para este pagamento.</p>`;
  }
  const label = session.attemptCount > 0 ? 'Tentar novamente:' : '';
  return html`<form method="post">
    <label for="operator">Operador</label>
    <select id="operator" name="operator"${describedBy('operator', entry?.operatorError)}>
      ${operators.map((name) => option(name, entry?.operator))}
    </select>
    ${fieldError('operator', entry?.operatorError)}
    <label for="phone">Número de telemóvel</label>
    <input id="phone" name="phone" type="tel" autocomplete="tel" inputmode="tel" required maxlength="64"
      placeholder="+238 991 23 45" value="${entry?.phone}"${describedBy('phone', entry?.phoneError)}>
    ${fieldError('phone', entry?.phoneError)}
    <button>${label} Pagar ${money(session.amountMinor, session.currency)}</button>
  </form>`;
}

const option = (name: OperatorName, chosen?: string) =>
  name === chosen
    ? html`<option value="${name}" selected>${operatorLabels[name]}</option>`
    : html`<option value="${name}">${operatorLabels[name]}</option>`;

const describedBy = (field: string, error?: string) =>
  error === undefined ? undefined : html` aria-invalid="true" aria-describedby="${field}-error"`;

const fieldError = (field: string, error?: string) =>
  error === undefined ? undefined : html`<p class="error" id="${field}-error">${error}</p>`;

function backToShop(session: CheckoutSession): Html | undefined {
  if (session.returnUrl === null) return undefined;
  return html`<p><a href="${shopLink(session, session.returnUrl)}">Voltar à loja</a></p>`;
}

const shopLink = (session: CheckoutSession, url: string) =>
  withSessionId(url, formatId('cs', session.id));

/** Which of all operators this page can offer. */
export function offered(isUsable: (operator: OperatorName) => boolean): OperatorName[] {
  return operatorNames.filter(isUsable);
}
