import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { PaymentLink } from '../../../storefront/payment-links/payment-link.ts';
import {
  findLinkTotals,
  findWindowEnd,
  type LinkPayment,
  listLinkPayments,
} from '../../../storefront/payment-links/uses.ts';
import { amount, count, instant, phone, status } from '../parts/format.ts';
import { type Loaded, listSection } from '../parts/list-page.ts';
import { amountColumn } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { shownPhone } from './payments.ts';
import { paymentsWords } from './reusable-links.words.ts';

/** Who paid by a link: how many, how much, and each payment. */
export async function linkPayments(visit: MerchantContext, link: PaymentLink): Promise<Html> {
  const words = paymentsWords[visit.language];
  const list = await listSection(visit, {
    words: paymentsWords,
    load: (_, __, { limit, startingAfter }) => load(visit, link, limit, startingAfter),
    cursor: ({ sessionId }: LinkPayment) => formatId('cs', sessionId),
    columns: () => [
      {
        head: words.created,
        cell: ({ id, createdAtMs }) =>
          html`<a href="${visit.to(`payments/${formatId('pi', id)}`)}">${instant(visit, createdAtMs)}</a>`,
      },
      amountColumn<LinkPayment>(visit, words.amount, ({ amountMinor }) => amountMinor),
      { head: words.status, cell: (row) => status(visit, row.status) },
      { head: words.phone, cell: (row) => phone(shownPhone(visit, row)) },
    ],
  });
  return html`<h2>${words.title}</h2>
${await totals(visit, link)}
${list}`;
}

async function load(
  { services: { database } }: MerchantContext,
  link: PaymentLink,
  limit: number,
  after: string | undefined,
): Promise<Loaded<LinkPayment>> {
  const before = parseId('cs', after ?? '');
  const rows = await listLinkPayments(database, link, { limit, before });
  if (rows.length > limit) return { rows };
  const end = await findWindowEnd(database, link.tenantId, link.id, before ?? null);
  return { rows, next: end && formatId('cs', end.sessionId) };
}

async function totals(visit: MerchantContext, link: PaymentLink): Promise<Html | undefined> {
  const words = paymentsWords[visit.language];
  const { database } = visit.services;
  const found = await findLinkTotals(database, link.tenantId, link.id, null);
  if (!found || found.payments === 0) return undefined;
  const { payments, paidMinor, refundedMinor, uses } = found;
  const returned =
    refundedMinor === 0n
      ? undefined
      : html` · ${words.refunded} ${amount(visit, refundedMinor, link.currency)}`;
  // Some uses are older than the list of them, or it is too long to add up.
  const older =
    uses < link.uses ? html`<p class="hint">${words.latest(count(visit, uses))}</p>` : undefined;
  return html`<p><b>${words.payments(payments, count(visit, payments))} · ${amount(visit, paidMinor, link.currency)}</b>${returned}</p>${older}`;
}
