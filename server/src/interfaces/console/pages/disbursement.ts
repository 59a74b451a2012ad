import { isUnsent } from '../../../money/disbursements/cancel.ts';
import type { Disbursement } from '../../../money/disbursements/disbursement.ts';
import { findDisbursement } from '../../../money/disbursements/store.ts';
import { DomainError, type ErrorCode, notFound } from '../../../platform/errors/errors.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { button, form, notice } from '../parts/form.ts';
import { amount, copyButton, status } from '../parts/format.ts';
import { linkToObject } from '../parts/object-pages.ts';
import type { MerchantContext } from '../request-context.ts';
import { disbursementFacts, disbursementTimeline, whereItIs } from './disbursement-details.ts';
import { failureText, recipient } from './disbursements.ts';
import { words as allWords } from './disbursements.words.ts';
import { redeliver } from './payment.ts';
import { metadataCard, paymentPostings } from './payment-details.ts';
import { eventsSection } from './payment-events.ts';
import { loadDisbursementHistory, readerAt } from './payment-history.ts';

/** One disbursement: its details, its history, and its actions. */
export const disbursementPage: ConsolePage = {
  path: 'disbursements/:id',
  permission: 'disbursements.read',
  show: (visit) => view(visit),
  actions: {
    cancel: { permission: 'disbursements.create', run: cancel },
    redeliver: {
      permission: 'deliveries.redeliver',
      async run(visit, sent) {
        const row = await disbursementOf(visit);
        try {
          await redeliver(visit, sent);
        } catch (error) {
          return refused(visit, error, {});
        }
        return done(visit, row, 'redelivered');
      },
    },
  },
};

/** @throws NOT_FOUND the merchant has no such disbursement in this mode */
async function disbursementOf(visit: MerchantContext): Promise<Disbursement> {
  const id = parseId('di', visit.params.id ?? '');
  const found = id && (await findDisbursement(visit.services.database, visit.tenantId, id));
  if (!found) throw notFound('disbursement');
  return found;
}

const done = (visit: MerchantContext, { id }: Disbursement, what: string): Redirect => ({
  to: visit.to(`disbursements/${formatId('di', id)}`, { done: what }),
});

async function cancel(visit: MerchantContext): Promise<View | Redirect> {
  const row = await disbursementOf(visit);
  try {
    await visit.services.cancelDisbursement(row.tenantId, row.id, visit.author);
  } catch (error) {
    return refused(visit, error, { INVALID_STATE: allWords[visit.language].tooLate });
  }
  return done(visit, row, 'cancelled');
}

/** The page with the reason. */
function refused(
  visit: MerchantContext,
  error: unknown,
  texts: Partial<Record<ErrorCode, string>>,
): Promise<View> {
  if (!(error instanceof DomainError)) throw error;
  return view(visit, texts[error.code] ?? visit.words.errors[error.code]);
}

async function view(visit: MerchantContext, problem?: string): Promise<View> {
  const words = allWords[visit.language];
  const row = await disbursementOf(visit);
  const history = await loadDisbursementHistory(readerAt(visit), row);
  const said = problem === undefined ? saidOf(visit, row) : undefined;
  const isOpen = row.status === 'CREATED' || row.status === 'PROCESSING';
  const main = html`${problem === undefined ? undefined : notice(problem, 'bad')}
${said === undefined ? undefined : notice(said, 'good')}
<section class="card">
<p class="bar"><span class="figure">${amount(visit, row.amountMinor, row.currency)}</span> <span data-announce>${status(visit, row.status)}</span></p>
${row.failureCode ? html`<p>${failureText(visit, row)}</p>` : undefined}
<p>${whereItIs(visit, row, history)}</p>
<div class="bar no-print">
${isUnsent(row) && visit.can('disbursements.create') ? form(visit, button('cancel', words.cancel, 'danger')) : undefined}
${copyButton(visit, words.copyId, formatId('di', row.id))}
</div>
</section>
<div class="columns">
<section class="card"><h2>${words.details}</h2>${disbursementFacts(visit, row, { phone: recipient(visit, row), batch: batchOf(visit, row) })}</section>
<section class="card"><h2>${words.timeline}</h2>${disbursementTimeline(visit, row, history)}</section>
</div>
${metadataCard(visit, row)}${eventsSection(visit, history)}${visit.can('money.read') ? paymentPostings(visit, history.postings) : undefined}`;
  const refreshMs = isOpen ? 2_000 : 15_000;
  const shown = { title: words.one, main, scripts: ['payments.css'], refreshMs };
  return problem === undefined ? shown : { ...shown, status: 400 };
}

const batchOf = (visit: MerchantContext, { batchId }: Disbursement) =>
  batchId === null ? undefined : linkToObject(visit, formatId('dib', batchId));

/** The result of the last form, while it is still true. */
function saidOf(visit: MerchantContext, row: Disbursement): string | undefined {
  const { done } = allWords[visit.language];
  const asked = visit.query.get('done') ?? '';
  const isOpen = row.status === 'CREATED' || row.status === 'PROCESSING';
  if (asked === 'sent' && !isOpen) return undefined;
  if (asked === 'cancelled' && row.status !== 'CANCELLED') return undefined;
  const texts: Readonly<Record<string, string>> = done;
  return Object.hasOwn(texts, asked) ? texts[asked] : undefined;
}
