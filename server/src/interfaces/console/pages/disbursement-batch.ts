import {
  type BatchTotal,
  type CountedBatch,
  hasEnded,
} from '../../../money/disbursements/batches/batch.ts';
import { isCancellable } from '../../../money/disbursements/batches/cancel.ts';
import { countedBatch, findBatch } from '../../../money/disbursements/batches/store.ts';
import type { Disbursement } from '../../../money/disbursements/disbursement.ts';
import { listDisbursements } from '../../../money/disbursements/list.ts';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import {
  ApprovalNeeded,
  DomainError,
  type ErrorCode,
  notFound,
} from '../../../platform/errors/errors.ts';
import type { Cell } from '../../../platform/formats/spreadsheet.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { button, form, notice } from '../parts/form.ts';
import { amount, count, given, idText, instant } from '../parts/format.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import { listSection } from '../parts/list-page.ts';
import { sendSheet } from '../parts/spreadsheet.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { facts } from '../parts/table.ts';
import { isDisbursing } from '../parts/when-disbursing.ts';
import type { MerchantContext, SentForm, StaffContext } from '../request-context.ts';
import { words as allWords } from './disbursement-batches.words.ts';
import { disbursementColumns, shownRecipient } from './disbursements.ts';
import { words as listWords } from './disbursements.words.ts';

/** One batch of disbursements: its progress, its rows, and its actions. */
export const disbursementBatchPage: ConsolePage = {
  path: 'disbursements/batches/:id',
  permission: 'disbursements.read',
  show: (visit) => view(visit),
  actions: {
    cancel: { permission: 'disbursements.create', run: cancel },
    retry: { permission: 'disbursements.create', isSensitive: true, run: retry },
  },
};

/** @throws NOT_FOUND the merchant has no such batch in this mode */
async function batchOf({ params, services, tenantId }: MerchantContext): Promise<CountedBatch> {
  const id = parseId('dib', params.id ?? '');
  const found = id && (await findBatch(services.database, tenantId, id));
  if (!found) throw notFound('disbursement batch');
  return countedBatch(services.database, found);
}

const pageOf = (visit: MerchantContext, id: string, done: string): Redirect => ({
  to: visit.to(`disbursements/batches/${formatId('dib', id)}`, { done }),
});

async function cancel(visit: MerchantContext): Promise<View | Redirect> {
  const { id, tenantId } = await batchOf(visit);
  try {
    await visit.services.cancelBatch(tenantId, id, visit.author);
  } catch (error) {
    return refused(visit, error, { INVALID_STATE: allWords[visit.language].tooLate });
  }
  return pageOf(visit, id, 'cancelled');
}

async function retry(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const { id: batchId } = await batchOf(visit);
  const { tenantId, mode, terms, author, person } = visit;
  const asking = { tenantId, mode, terms, author, apiKey: null, personId: person.id };
  const { key: idempotencyKey } = keyedRequest(sent, {});
  try {
    const { batch } = await visit.services.retryBatch({ ...asking, batchId, idempotencyKey });
    return pageOf(visit, batch.id, 'retried');
  } catch (error) {
    const { noRetry, retryTooLarge } = allWords[visit.language];
    const large = error instanceof ApprovalNeeded && { FORBIDDEN: retryTooLarge };
    return refused(visit, error, { INVALID_STATE: noRetry, ...large });
  }
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
  const batch = await batchOf(visit);
  const main = html`${problem === undefined ? doneNotice(visit, words.done) : notice(problem, 'bad')}
<section class="card">
<p class="bar"><b>${given(batch.description) ?? words.one}</b> <span class="status" data-status="${batch.status}" data-announce>${words.statuses[batch.status]}</span></p>
${batchProgress(visit, batch)}
${await actions(visit, batch)}
</section>
<section class="card">${batchDetails(visit, batch)}</section>
<h2>${words.rows}</h2>
${await rowsOf(visit, batch)}`;
  const isOpen = batch.status !== 'COMPLETED';
  const refreshMs = isOpen ? 2_000 : 30_000;
  const shown = { title: words.one, main, scripts: ['payments.css'], refreshMs };
  return problem === undefined ? shown : { ...shown, status: 400 };
}

/** How far it is. */
export function batchProgress(
  visit: MerchantContext | StaffContext,
  { counts, itemCount }: CountedBatch,
): Html {
  const words = allWords[visit.language];
  const names = ['created', 'processing', 'succeeded', 'failed', 'cancelled'] as const;
  const ended = itemCount - counts.created - counts.processing;
  return html`<progress max="${itemCount}" value="${ended}" aria-label="${words.rows}"></progress>
${facts(names.map((name) => [words.progress[name], counts[name] === 0 ? undefined : count(visit, counts[name])]))}`;
}

async function actions(visit: MerchantContext, batch: CountedBatch): Promise<Html> {
  const { id, counts } = batch;
  const words = allWords[visit.language];
  const mayAct = visit.can('disbursements.create');
  const canCancel = mayAct && (await isCancellable(visit.services.database, batch));
  const canRetry = isDisbursing(visit) && mayAct && counts.failed > 0 && hasEnded(counts);
  const results = visit.to(`disbursements/batches/${formatId('dib', id)}/results.csv`);
  return html`<div class="bar no-print">
${canRetry ? form(visit, html`${keyField(visit)}${button('retry', words.retry)}`) : undefined}
${canCancel ? form(visit, button('cancel', words.cancel, 'danger')) : undefined}
<a class="button plain" href="${results}">${words.results}</a></div>`;
}

/** What it is, with links to the batches that it repeats. */
export function batchDetails(visit: MerchantContext | StaffContext, batch: CountedBatch): Html {
  const words = allWords[visit.language];
  const totals = JSON.parse(batch.totals) as BatchTotal[];
  const link = (id: string) =>
    html`<a href="${visit.to(`disbursements/batches/${formatId('dib', id)}`)}">${idText('dib', id)}</a>`;
  return facts([
    [words.id, idText('dib', batch.id)],
    [words.created, instant(visit, batch.createdAtMs)],
    [words.people, count(visit, batch.itemCount)],
    ...totals.flatMap(({ currency, amount: sum, feeAmount }) => [
      [words.amount, amount(visit, BigInt(sum), currency)] as const,
      [words.fee, amount(visit, BigInt(feeAmount), currency)] as const,
    ]),
    [words.retryOf, batch.retryOf === null ? undefined : link(batch.retryOf)],
    [words.duplicate, batch.duplicateOf === null ? undefined : link(batch.duplicateOf)],
  ]);
}

const rowWords = {
  pt: { ...listWords.pt, nothing: allWords.pt.noRows, nothingHint: '' },
  en: { ...listWords.en, nothing: allWords.en.noRows, nothingHint: '' },
};

const rowsOf = (visit: MerchantContext, { id: batchId }: CountedBatch): Promise<Html> =>
  listSection(visit, {
    words: rowWords,
    load: ({ services, tenantId }, _filter, page) =>
      listDisbursements(services.database, tenantId, { batchId }, page),
    cursor: 'di',
    columns: disbursementColumns,
  });

/** What became of each row, for a spreadsheet. */
export const disbursementResultsFile: ConsolePage = {
  path: 'disbursements/batches/:id/results.csv',
  permission: 'disbursements.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { id, tenantId } = await batchOf(visit);
    const { services, author, language } = visit;
    // Recorded first, because no export may go unrecorded.
    await writeAuditRecord(
      services.database,
      { ...services, ...author },
      {
        tenantId,
        action: 'disbursements.exported',
        subject: formatId('dib', id),
        detail: { phones: visit.can('phones.read') },
      },
    );
    const titles = [...Object.values(words.columns), words.status, words.reason, words.id];
    const columns = titles.map((title) => ({ title, width: 22 }));
    const name = `${words.resultsName}-${formatId('dib', id)}`;
    const pages = resultsOf(visit, id);
    return sendSheet(name, { format: 'csv', language, title: words.one, columns, pages });
  },
};

const pageRows = 500;

async function* resultsOf(visit: MerchantContext, batchId: string): AsyncGenerator<Cell[][]> {
  const { services, tenantId } = visit;
  let startingAfter: string | undefined;
  for (;;) {
    const page = { limit: pageRows, startingAfter };
    const rows = await listDisbursements(services.database, tenantId, { batchId }, page);
    const shown = rows.slice(0, pageRows);
    startingAfter = shown.at(-1)?.id;
    if (shown.length > 0) yield shown.map((row) => resultOf(visit, row));
    if (rows.length <= pageRows) return;
  }
}

const resultOf = (visit: MerchantContext, row: Disbursement): Cell[] => [
  visit.words.operators[row.operator],
  shownRecipient(visit, row),
  { amountMinor: row.amountMinor },
  row.externalId,
  row.description,
  visit.words.statuses[row.status] ?? row.status,
  row.failureCode === null ? null : visit.words.failures[row.failureCode],
  formatId('di', row.id),
];
