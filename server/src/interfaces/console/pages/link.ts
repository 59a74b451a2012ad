import { listPayments } from '../../../money/payments/list.ts';
import type { ShownPayment } from '../../../money/payments/payment.ts';
import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { linkOf } from '../../../storefront/checkout/link.ts';
import { named, nameText } from '../../../storefront/checkout/page/state.ts';
import type { SessionHead, SessionItem } from '../../../storefront/checkout/session.ts';
import { findSessionHead } from '../../../storefront/checkout/store.ts';
import { icon } from '../icons.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { button, form, notice } from '../parts/form.ts';
import { amount, customerAmount, instant, phone, status } from '../parts/format.ts';
import { codeView, logoView, posterView } from '../parts/poster.ts';
import { words as posterWords } from '../parts/poster.words.ts';
import { shareBar } from '../parts/share-buttons.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { facts, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './link.words.ts';
import { shownPhone } from './payments.ts';

const mostPayments = 20;
const mostItems = 50;

/** A payment link: its QR code for the customer's camera, ways to share it, and its outcome. */
export const linkPage: ConsolePage = {
  path: 'links/:id',
  permission: 'payments.read',
  show: (visit) => view(visit),
  actions: { expire: { permission: 'links.write', run: expire } },
};

/** The QR code alone. */
export const linkCodePage: ConsolePage = {
  path: 'links/:id/qr.svg',
  permission: 'payments.read',
  show: async (visit) => codeView(linkOf(await linkIn(visit), visit.services.publicUrl)),
};

/** The shop's logo, for posters. */
export const linkLogoPage: ConsolePage = {
  path: 'links/:id/logo',
  permission: 'payments.read',
  show: logoView,
};

export const posterPage: ConsolePage = {
  path: 'links/:id/poster',
  permission: 'payments.read',
  async show(visit) {
    const { id, description, amountMinor, currency, expiresAtMs } = await linkIn(visit);
    return posterView(visit, {
      back: `links/${formatId('cs', id)}`,
      description,
      figure: customerAmount(visit, amountMinor, currency),
      hint: html`${allWords[visit.language].until} ${instant(visit, expiresAtMs)}`,
    });
  },
};

/** @throws NOT_FOUND */
async function linkIn({ services, tenantId, params }: MerchantContext): Promise<SessionHead> {
  const id = parseId('cs', params.id ?? '');
  const session = id && (await findSessionHead(services.database, tenantId, id));
  if (!session) throw notFound('link');
  return session;
}

async function view(visit: MerchantContext, error?: string): Promise<View> {
  const words = allWords[visit.language];
  const session = await linkIn(visit);
  const { database } = visit.services;
  const filter = { checkoutSessionId: session.id };
  const payments = await listPayments(database, visit.tenantId, filter, { limit: mostPayments });
  const isOpen = session.status === 'OPEN' && session.expiresAtMs > visit.nowMs;
  const main = html`${error === undefined ? doneNotice(visit, words.done) : notice(error, 'bad')}
<div class="columns">
${isOpen ? toPay(visit, session) : ended(visit, session)}
<section class="card"><h2>${words.about}</h2>
${about(visit, session, isOpen)}
${isOpen && visit.can('links.write') ? form(visit, button('expire', words.expire, 'danger')) : undefined}
</section></div>
${payments.length === 0 ? undefined : html`<h2>${words.payments}</h2>${paymentTable(visit, payments)}`}
${visit.can('payments.charge') ? html`<p><a class="button plain" href="${visit.to('charge')}">${words.anew}</a></p>` : undefined}`;
  const live = isOpen ? { refreshMs: 1_500 } : {};
  const scripts = ['till.css', 'till.js'];
  return {
    title: words.title,
    main,
    scripts,
    ...live,
    ...(error !== undefined && { status: 409 }),
  };
}

function toPay(visit: MerchantContext, session: SessionHead): Html {
  const words = allWords[visit.language];
  const page = `links/${formatId('cs', session.id)}`;
  const address = linkOf(session, visit.services.publicUrl);
  const price = amount(visit, session.amountMinor, session.currency);
  const state = session.attemptInFlight ? words.paying : words.scan;
  const { codeAlt, poster } = posterWords[visit.language];
  return html`<section class="card to-pay">
<p class="figure">${price}</p>
<img class="code" src="${visit.to(`${page}/qr.svg`)}" width="240" height="240" alt="${codeAlt}">
<p data-announce>${state}</p>
${shareBar(visit, words.shareText(nameText(visit.merchant.name)), address)}
<p><a href="${visit.to(`${page}/poster`)}">${icon('print')} ${poster}</a></p>
</section>`;
}

function ended(visit: MerchantContext, session: SessionHead): Html {
  const words = allWords[visit.language];
  const isPaid = session.status === 'COMPLETED';
  return html`<section class="result" data-state="${isPaid ? 'paid' : 'failed'}">
${icon(isPaid ? 'tick' : 'cross')}
<p class="state" data-announce>${isPaid ? words.paid : words.expired}</p>
<p class="sum">${amount(visit, session.amountMinor, session.currency)}</p>
</section>`;
}

function about(visit: MerchantContext, session: SessionHead, isOpen: boolean): Html {
  const words = allWords[visit.language];
  const { customerId, description } = session;
  const order = orderOf(session);
  const isOver = session.status === 'OPEN' && !isOpen;
  return facts([
    [words.status, linkStatus(visit, isOver ? 'EXPIRED' : session.status)],
    [words.description, description === null ? undefined : named(description)],
    [words.items, itemList(visit, session)],
    [words.order, order === undefined ? undefined : named(order)],
    [words.customer, customerId === null ? undefined : named(customerId)],
    [words.created, instant(visit, session.createdAtMs)],
    [words.until, instant(visit, session.expiresAtMs)],
    [words.address, html`<code>${linkOf(session, visit.services.publicUrl)}</code>`],
  ]);
}

/** Links that older versions made in the console have it in their metadata alone. */
function orderOf({ externalId, metadata }: SessionHead): string | undefined {
  if (externalId !== null || metadata === null) return externalId ?? undefined;
  const { order } = JSON.parse(metadata) as { order?: unknown };
  return typeof order === 'string' ? order : undefined;
}

/** A paid or closed link has its own words. */
export const linkStatus = (visit: MerchantContext, value: SessionHead['status']): Html =>
  status({ words: { ...visit.words, statuses: allWords[visit.language].statuses } }, value);

function itemList(visit: MerchantContext, { items, hasMoreItems, currency }: SessionHead) {
  if (items.length === 0) return undefined;
  const shown = items.slice(0, mostItems);
  const line = ({ quantity, name, unitPrice }: SessionItem) =>
    html`<li>${quantity} × ${named(name)} <small>${amount(visit, BigInt(unitPrice), currency)}</small></li>`;
  const isCut = hasMoreItems || shown.length < items.length;
  return html`<ul class="items">${shown.map(line)}${isCut ? html`<li>…</li>` : undefined}</ul>`;
}

function paymentTable(visit: MerchantContext, payments: readonly ShownPayment[]): Html {
  const words = allWords[visit.language];
  return table<ShownPayment>(
    words.payments,
    [
      {
        head: words.created,
        cell: ({ id, createdAtMs }) =>
          html`<a href="${visit.to(`payments/${formatId('pi', id)}`)}">${instant(visit, createdAtMs)}</a>`,
      },
      { head: words.status, cell: (row) => status(visit, row.status) },
      { head: words.phone, cell: (row) => phone(shownPhone(visit, row)) },
    ],
    payments,
  );
}

async function expire(visit: MerchantContext): Promise<View | Redirect> {
  const { services, tenantId, author } = visit;
  const { id } = await linkIn(visit);
  const page = `links/${formatId('cs', id)}`;
  try {
    await services.expireSession(tenantId, id, author);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'INVALID_STATE') throw error;
    // The same form again: the link already has that state.
    if ((await linkIn(visit)).status === 'EXPIRED') return { to: visit.to(page) };
    return view(visit, visit.words.errors.INVALID_STATE);
  }
  return { to: visit.to(page, { done: 'expired' }) };
}
