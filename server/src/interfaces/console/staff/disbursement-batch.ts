import { isCancellable } from '../../../money/disbursements/batches/cancel.ts';
import {
  countedBatch,
  findAnyBatch,
  type OwnedBatch,
} from '../../../money/disbursements/batches/store.ts';
import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { Redirect, StaffPage, View } from '../page.ts';
import { batchDetails, batchProgress } from '../pages/disbursement-batch.ts';
import { words as batchWords } from '../pages/disbursement-batches.words.ts';
import { button, form, notice } from '../parts/form.ts';
import { given } from '../parts/format.ts';
import { doneNotice } from '../parts/success-notice.ts';
import type { StaffContext } from '../request-context.ts';
import { whose } from './disbursement.ts';
import { words as allWords } from './disbursement.words.ts';

/** One batch of any merchant: its progress, and the cancellation of what has not been sent. */
export const staffBatchPage: StaffPage = {
  path: 'disbursement-batches/:id',
  permission: 'payments.read',
  show: (visit) => view(visit),
  actions: { cancel: { permission: 'merchants.write', isSensitive: true, run: cancel } },
};

/** @throws NOT_FOUND */
async function batchOf({ services, params }: StaffContext): Promise<OwnedBatch> {
  const id = parseId('dib', params.id ?? '');
  const found = id && (await findAnyBatch(services.database, id));
  if (!found) throw notFound('disbursement batch');
  return found;
}

async function cancel(visit: StaffContext): Promise<View | Redirect> {
  const { tenantId, id } = await batchOf(visit);
  try {
    await visit.services.cancelBatch(tenantId, id, visit.author);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'INVALID_STATE')) throw error;
    return { ...(await view(visit, batchWords[visit.language].tooLate)), status: 400 };
  }
  return { to: visit.to(`disbursement-batches/${formatId('dib', id)}`, { done: 'cancelled' }) };
}

async function view(visit: StaffContext, problem?: string): Promise<View> {
  const words = batchWords[visit.language];
  const { database } = visit.services;
  const owned = await batchOf(visit);
  const batch = await countedBatch(database, owned);
  const canCancel = visit.can('merchants.write') && (await isCancellable(database, batch));
  const { cancelBatchHint } = allWords[visit.language];
  // Opened first, so that nobody cancels by one wrong press.
  const card = html`<details class="card danger-zone"><summary>${words.cancel}</summary><p>${cancelBatchHint}</p>
${form(visit, button('cancel', words.cancel, 'danger'))}</details>`;
  const main = html`${problem === undefined ? doneNotice(visit, words.done) : notice(problem, 'bad')}
<section class="card">
<p class="bar"><b>${given(batch.description) ?? words.one}</b> <span class="status" data-status="${batch.status}" data-announce>${words.statuses[batch.status]}</span></p>
${batchProgress(visit, batch)}
${await whose(visit, owned, formatId('dib', owned.id))}
</section>
<section class="card">${batchDetails(visit, batch)}</section>
${canCancel ? card : undefined}`;
  return { title: words.one, main, scripts: ['payments.css'], refreshMs: 15_000 };
}
