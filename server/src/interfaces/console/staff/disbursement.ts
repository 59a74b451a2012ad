import { isUnsent } from '../../../money/disbursements/cancel.ts';
import { findAnyDisbursement, type OwnedDisbursement } from '../../../money/disbursements/store.ts';
import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, idPattern, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { findMerchant } from '../../../tenants/merchants/store.ts';
import type { Redirect, StaffPage, View } from '../page.ts';
import {
  disbursementFacts,
  disbursementTimeline,
  whereItIs,
} from '../pages/disbursement-details.ts';
import { failureText, recipient } from '../pages/disbursements.ts';
import { words as disbursementWords } from '../pages/disbursements.words.ts';
import { metadataCard } from '../pages/payment-details.ts';
import { loadDisbursementHistory } from '../pages/payment-history.ts';
import { button, form, notice } from '../parts/form.ts';
import { amount, idText, status } from '../parts/format.ts';
import { facts } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './disbursement.words.ts';
import { postingsAddress } from './ledger-parts.ts';

/** One disbursement of any merchant: its details, its history, and its cancellation before it is sent. */
export const staffDisbursementPage: StaffPage = {
  path: 'disbursements/:id',
  permission: 'payments.read',
  show: (visit) => view(visit),
  actions: { cancel: { permission: 'merchants.write', isSensitive: true, run: cancel } },
};

const shape = new RegExp(idPattern('di'));

/** @throws NOT_FOUND */
async function disbursementOf({ services, params }: StaffContext): Promise<OwnedDisbursement> {
  const { id = '' } = params;
  const uuid = shape.test(id) ? parseId('di', id) : undefined;
  const found = uuid && (await findAnyDisbursement(services.database, uuid));
  if (!found) throw notFound('disbursement');
  return found;
}

async function cancel(visit: StaffContext): Promise<View | Redirect> {
  const { tenantId, id } = await disbursementOf(visit);
  try {
    await visit.services.cancelDisbursement(tenantId, id, visit.author);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'INVALID_STATE')) throw error;
    return { ...(await view(visit, disbursementWords[visit.language].tooLate)), status: 400 };
  }
  return { to: visit.to(`disbursements/${formatId('di', id)}`, { done: 'cancelled' }) };
}

async function view(visit: StaffContext, problem?: string): Promise<View> {
  const words = disbursementWords[visit.language];
  const row = await disbursementOf(visit);
  const { merchantId, batchId } = row;
  const history = await loadDisbursementHistory(
    {
      database: visit.services.database,
      merchantId,
      seesAudit: visit.can('audit.read'),
      // Webhook deliveries are the merchant's own affair.
      seesEvents: false,
    },
    row,
  );
  const isCancelled = visit.query.get('done') === 'cancelled' && row.status === 'CANCELLED';
  const shown = {
    phone: recipient(visit, row),
    batch: batchId === null ? undefined : linkToBatch(visit, batchId),
  };
  const main = html`${problem === undefined ? undefined : notice(problem, 'bad')}
${isCancelled ? notice(allWords[visit.language].cancelled, 'good') : undefined}
<section class="card">
<p class="bar"><span class="figure">${amount(visit, row.amountMinor, row.currency)}</span> ${status(visit, row.status)}</p>
${row.failureCode ? html`<p>${failureText(visit, row)}</p>` : undefined}
<p>${whereItIs(visit, row, history)}</p>
${await whose(visit, row, formatId('di', row.id))}
</section>
<div class="columns">
<section class="card"><h2>${words.details}</h2>${disbursementFacts(visit, row, shown)}</section>
<section class="card"><h2>${words.timeline}</h2>${disbursementTimeline(visit, row, history)}</section>
</div>
${metadataCard(visit, row)}${isUnsent(row) && visit.can('merchants.write') ? cancelCard(visit) : undefined}`;
  const scripts = ['payments.css', 'developers.css'];
  return { title: words.one, main, scripts, refreshMs: 15_000 };
}

const linkToBatch = (visit: StaffContext, id: string): Html =>
  html`<a href="${visit.to(`disbursement-batches/${formatId('dib', id)}`)}">${idText('dib', id)}</a>`;

/** The merchant, and links to related pages. */
export async function whose(
  visit: StaffContext,
  row: Pick<OwnedDisbursement, 'merchantId' | 'mode'>,
  id: string,
): Promise<Html> {
  const words = allWords[visit.language];
  const merchant = await findMerchant(visit.services.database, row.merchantId);
  const address = visit.to(`merchants/${formatId('me', row.merchantId)}`);
  return html`${facts([
    [words.merchant, html`<a href="${address}">${named(merchant?.name ?? '')}</a>`],
    [words.mode, visit.words[row.mode]],
  ])}
<p class="bar">${visit.can('ledger.read') && id.startsWith('di_') ? html`<a href="${postingsAddress(visit, row, id)}">${words.ledger}</a>` : undefined}
${visit.can('audit.read') ? html`<a href="${visit.to('audit', { subject: id })}">${words.audit}</a>` : undefined}</p>`;
}

/** Opened first, so that nobody cancels by one wrong press. */
function cancelCard(visit: StaffContext): Html {
  const { cancelHint, cancelNow } = allWords[visit.language];
  return html`<details class="card danger-zone"><summary>${disbursementWords[visit.language].cancel}</summary><p>${cancelHint}</p>
${form(visit, button('cancel', cancelNow, 'danger'))}</details>`;
}
