import type { BatchPreview, BatchRow } from '../../../money/disbursements/batches/create.ts';
import { ApprovalNeeded, DomainError } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { askerOf } from '../parts/approval-actor.ts';
import { area, button, field, form, hidden, notice } from '../parts/form.ts';
import { refusalOr, refusalText } from '../parts/form-errors.ts';
import { amount, count, given, minorText, phone } from '../parts/format.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import { facts, table } from '../parts/table.ts';
import { whenDisbursing } from '../parts/when-disbursing.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './disbursement-batches.words.ts';
import {
  carriedRows,
  checkTypedRows,
  type RowProblem,
  readRowsOfFile,
  rowsCarried,
  type TypedRow,
} from './disbursement-csv.ts';
import { availableIn } from './disbursement-form.ts';
import { words as singleWords } from './new-disbursement.words.ts';

const longestName = 255;
const fileBytes = 4 * 1024 * 1024;
/** A file that is a little too large is still told so. */
const formBytes = 2 * fileBytes;
const shownProblems = 100;
const shownRows = 50;

/**
 * Sends money to many people: a file, everything that is wrong with it, or a summary to confirm. The form to confirm
 * carries the rows: nobody stores the file.
 */
export const disbursementUploadPage: ConsolePage = whenDisbursing({
  path: 'disbursements/upload',
  permission: 'disbursements.create',
  formBytes,
  show: (visit) => Promise.resolve(view(visit, visit.kept)),
  actions: {
    // Proved before the file is read: a browser could not keep its rows until the confirmation.
    check: { permission: 'disbursements.create', isSensitive: true, run: check },
    send: { permission: 'disbursements.create', isSensitive: true, run: send },
  },
});

async function check(visit: MerchantContext, sent: SentForm): Promise<View> {
  const { wrong } = allWords[visit.language];
  const pasted = sent.text('pasted');
  const file = (await sent.file('file')) ?? (pasted === '' ? undefined : Buffer.from(pasted));
  if (file === undefined) return view(visit, sent, wrong.file);
  if (file.length > fileBytes) return view(visit, sent, wrong.large);
  const rows = await readRowsOfFile(visit, file);
  return typeof rows === 'string' ? view(visit, sent, rows) : checked(visit, sent, rows);
}

async function checked(
  visit: MerchantContext,
  sent: SentForm,
  rows: readonly TypedRow[],
): Promise<View> {
  const read = checkTypedRows(visit, rows);
  if ('problems' in read) return view(visit, sent, read.problems);
  const { services, tenantId, mode, terms, person } = visit;
  const asking = { tenantId, mode, terms, apiKey: null, personId: person.id };
  const about = { externalId: null, description: nameIn(sent), rows: read.rows };
  try {
    const preview = await services.previewBatch({ ...asking, ...about });
    return await summary(visit, sent, rows, preview);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return view(visit, sent, refusalText(visit, error));
  }
}

const nameIn = (sent: SentForm): string | null =>
  Array.from(sent.text('name')).slice(0, longestName).join('') || null;

/** The file comes last: the fields before it show whether the form is ours. */
function view(visit: MerchantContext, sent?: SentForm, wrong?: string | RowProblem[]): View {
  const words = allWords[visit.language];
  const isAllowed = visit.mode === 'test' || visit.terms.disbursements.isAllowed;
  const pasted = sent?.text('pasted');
  const fields = html`${field('name', words.name, { value: sent?.text('name'), maxLength: longestName, hint: words.nameHint })}
<div class="field"><label for="file">${words.file}</label><input id="file" name="file" type="file" accept=".csv,text/csv,text/plain" aria-describedby="file-hint"><p class="hint" id="file-hint">${words.fileHint}</p></div>
<p class="hint">${words.example}:</p><pre class="given" tabindex="0">${example(visit)}</pre>
<details class="more"${pasted ? html` open` : undefined}><summary>${words.paste}</summary>${area('pasted', words.pasted, { value: pasted, hint: words.pastedHint })}</details>
<div class="bar">${button('check', words.check)} <a class="button plain" href="${visit.to('disbursements')}">${visit.words.cancel}</a></div>`;
  const upload = form(visit, fields, html` class="card narrow" enctype="multipart/form-data"`);
  const said = wrong === undefined || typeof wrong !== 'string' ? undefined : notice(wrong, 'bad');
  const main = html`${said}${Array.isArray(wrong) ? problemList(visit, wrong) : undefined}
${isAllowed ? upload : notice(singleWords[visit.language].notAllowed, 'note')}`;
  const shown = { title: words.many, main, scripts: ['payments.css'] };
  return wrong === undefined ? shown : { ...shown, status: 400 };
}

function example({ language }: MerchantContext): string {
  const { columns } = allWords[language];
  const heads = Object.values(columns).map((each) => each.toLowerCase());
  const line = ['CVMóvel', '991 23 45', language === 'pt' ? '1.500,00' : '1500.00'];
  return `${heads.join(';')}\n${[...line, 'salario-11', 'Ana'].join(';')}`;
}

function problemList(visit: MerchantContext, problems: readonly RowProblem[]): Html {
  const words = allWords[visit.language];
  const first = problems.slice(0, shownProblems);
  const more =
    problems.length > first.length
      ? html`<p class="hint">${words.firstProblems(count(visit, first.length))}</p>`
      : undefined;
  return html`${notice(words.bad(count(visit, problems.length)), 'bad')}${more}
${table<RowProblem>(
  words.problem,
  [
    { head: words.line, cell: ({ line }) => String(line) },
    { head: words.column, cell: ({ column }) => words.columns[column] },
    { head: words.typed, cell: ({ typed }) => given(typed, 60) },
    { head: words.problem, cell: ({ text }) => text },
  ],
  first,
)}`;
}

async function summary(
  visit: MerchantContext,
  sent: SentForm,
  rows: readonly TypedRow[],
  { totals, duplicateOf }: BatchPreview,
): Promise<View> {
  const words = allWords[visit.language];
  const { approvalAbove } = visit.services.disbursementSettings;
  const large = totals.find(
    ({ currency, amount: sum }) => BigInt(sum) > (approvalAbove[currency] ?? BigInt(sum)),
  );
  const cards = await Promise.all(totals.map((total) => totalCard(visit, total)));
  const content = html`${keyField(visit, sent)}${hidden('name', sent.text('name'))}
<textarea name="rows" hidden>${carriedRows(rows)}</textarea>
<div class="bar">${button('send', large ? words.ask : words.send)} <a class="button plain" href="${visit.to('disbursements/upload')}">${words.back}</a></div>`;
  const attributes = html` enctype="multipart/form-data"`;
  const limitMinor = large && approvalAbove[large.currency];
  const main = html`${duplicateOf === null ? undefined : html`<p class="notice bad" role="alert">${words.duplicate} <a href="${visit.to(`disbursements/batches/${formatId('dib', duplicateOf)}`)}"><code>${formatId('dib', duplicateOf)}</code></a></p>`}
${limitMinor === undefined ? undefined : notice(words.mustApprove(minorText(visit, limitMinor, large!.currency)), 'note')}
<section class="card narrow">${nameIn(sent) === null ? undefined : html`<h2>${given(nameIn(sent))}</h2>`}
${facts([[words.people, count(visit, rows.length)]])}${cards}
<p class="hint">${words.note}</p>
${form(visit, content, attributes)}</section>
${rowTable(visit, rows)}`;
  return { title: words.summary, main };
}

async function totalCard(
  visit: MerchantContext,
  { currency, ...sums }: BatchPreview['totals'][number],
): Promise<Html> {
  const words = allWords[visit.language];
  const [amountMinor, feeMinor] = [BigInt(sums.amount), BigInt(sums.feeAmount)];
  const afterMinor = (await availableIn(visit, currency)) - amountMinor - feeMinor;
  const money = (minor: bigint) => amount(visit, minor, currency);
  const short =
    afterMinor < 0n
      ? notice(words.short(minorText(visit, -afterMinor, currency)), 'bad')
      : undefined;
  return html`${facts([
    [words.amount, money(amountMinor)],
    [words.fee, money(feeMinor)],
    [words.total, html`<b>${money(amountMinor + feeMinor)}</b>`],
    [words.after, afterMinor < 0n ? undefined : money(afterMinor)],
  ])}${short}`;
}

function rowTable(visit: MerchantContext, rows: readonly TypedRow[]): Html {
  const words = allWords[visit.language];
  const read = checkTypedRows(visit, rows);
  if ('problems' in read) return html``;
  const shown = read.rows.slice(0, shownRows);
  const left = read.rows.length - shown.length;
  return html`${table(
    words.rows,
    [
      { head: words.columns.phone, cell: ({ operatorPhone }) => phone(operatorPhone) },
      { head: words.columns.operator, cell: ({ operator }) => visit.words.operators[operator] },
      {
        head: words.columns.amount,
        isNumber: true,
        cell: ({ amountMinor, currency }) => amount(visit, amountMinor, currency!),
      },
      { head: words.columns.reference, cell: ({ externalId }) => given(externalId) },
      { head: words.columns.description, cell: ({ description }) => given(description) },
    ],
    shown,
  )}${left > 0 ? html`<p class="hint">${words.more(count(visit, left))}</p>` : undefined}`;
}

async function send(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const words = allWords[visit.language];
  const rows = rowsCarried(sent.text('rows'));
  if (rows === undefined) return view(visit, sent, words.wrong.form);
  const read = checkTypedRows(visit, rows);
  if ('problems' in read) return view(visit, sent, read.problems);
  const { services, tenantId, mode, terms, person, author } = visit;
  const description = nameIn(sent);
  const asked = { description, rows: carriedRows(rows) };
  try {
    const { batch } = await services.createBatch({
      tenantId,
      mode,
      terms,
      author,
      description,
      personId: person.id,
      apiKey: null,
      externalId: null,
      retryOf: null,
      rows: read.rows,
      idempotency: keyedRequest(sent, asked),
    });
    const page = visit.can('disbursements.read') ? `batches/${formatId('dib', batch.id)}` : 'new';
    return { to: visit.to(`disbursements/${page}`, { done: 'sent' }) };
  } catch (error) {
    if (error instanceof ApprovalNeeded) return ask(visit, sent, read.rows);
    if (!(error instanceof DomainError)) throw error;
    return view(visit, sent, refusalText(visit, error));
  }
}

/** Nobody sends this much alone: another person sees exactly these rows. */
async function ask(
  visit: MerchantContext,
  sent: SentForm,
  rows: readonly BatchRow[],
): Promise<View | Redirect> {
  const { services, tenantId, mode, terms, person, merchant } = visit;
  const description = nameIn(sent);
  const asking = { tenantId, merchantId: merchant.id, asker: askerOf(visit) };
  const { key } = keyedRequest(sent, {});
  const batch = { externalId: null, description, rows };
  const about = { tenantId, mode, terms, apiKey: null, personId: person.id };
  const { totals } = await services.previewBatch({ ...about, ...batch });
  const frozen = rows.map((row) => ({
    amountMinor: row.amountMinor,
    currency: row.currency!,
    operator: row.operator,
    operatorPhone: row.operatorPhone,
    externalId: row.externalId,
    description: row.description,
  }));
  const wanted = { description, totals, rows: frozen };
  const asked = await refusalOr(services.askApproval.batch({ ...asking, key }, wanted));
  if (asked instanceof DomainError) return view(visit, sent, visit.words.errors[asked.code]);
  const page = visit.can('payments.read') ? 'approvals' : 'disbursements/new';
  return { to: visit.to(page, { done: 'asked' }) };
}
