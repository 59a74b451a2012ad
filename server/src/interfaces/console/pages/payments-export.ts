import { listExports, type PaymentExport } from '../../../money/payments/export-store.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { ConsolePage, Sent, View } from '../page.ts';
import { button, notice } from '../parts/form.ts';
import { count, instant } from '../parts/format.ts';
import { askedOf, type Column, facts, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { filterOf, filterText } from './payment-filter.ts';
import { words as allWords } from './payments-export.words.ts';

const shownExports = 5;

/** Exports filtered payments as a file, and shows the progress of each file. */
export const paymentsExportPage: ConsolePage = {
  path: 'payments/export',
  permission: 'payments.export',
  show: (visit) => view(visit),
  actions: {
    csv: { permission: 'payments.export', run: (visit) => download(visit, 'CSV') },
    excel: { permission: 'payments.export', run: (visit) => download(visit, 'XLSX') },
  },
};

async function download(
  visit: MerchantContext,
  format: PaymentExport['format'],
): Promise<View | Sent> {
  const { filter, errors } = filterOf(visit);
  if (Object.keys(errors).length > 0) return view(visit, visit.words.errors.VALIDATION_ERROR);
  const { tenantId, language, timeZones, author, services } = visit;
  const showPhones = visit.can('phones.read');
  const { statuses, operators, failures } = visit.words;
  const screen = { statuses, operators, failures };
  const order = { tenantId, filter, format, language, timeZones, showPhones, screen, author };
  try {
    const begun = await services.exportPayments(order);
    return {
      send: (reply) => sendFile(reply, begun),
    };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'LIMIT_REACHED') throw error;
    return view(visit, allWords[language].tooMany);
  }
}

async function view(visit: MerchantContext, problem?: string): Promise<View> {
  const words = allWords[visit.language];
  const { services, tenantId, author } = visit;
  const exports = await listExports(services.database, tenantId, author.actor, shownExports);
  const filters = filterText(visit);
  const main = html`${problem === undefined ? undefined : notice(problem, 'bad')}
<section class="card">
<p>${visit.can('phones.read') ? words.what : words.whatMasked}</p>
${filters.length === 0 ? html`<p class="hint">${words.all}</p>` : facts(filters.map(([name, text]) => [name, html`<bdi>${text}</bdi>`]))}
<form method="post"><input type="hidden" name="csrf" value="${visit.csrfToken}">
<p class="bar">${button('csv', words.csv)} ${button('excel', words.excel, 'plain')} ${visit.can('payments.read') ? html`<a href="${visit.to('payments', askedOf(visit))}">${words.back}</a>` : undefined}</p></form>
</section>
${exports.length === 0 ? undefined : html`<section><h2>${words.latest}</h2></section>${list(visit, exports)}`}`;
  const shown = { title: words.title, main, scripts: ['payments.css'], refreshMs: 2_000 };
  return problem === undefined ? shown : { ...shown, status: 400 };
}

function list(visit: MerchantContext, exports: readonly PaymentExport[]): Html {
  const words = allWords[visit.language];
  const columns: Column<PaymentExport>[] = [
    { head: words.begun, cell: ({ createdAtMs }) => instant(visit, createdAtMs) },
    { head: words.format, cell: ({ format }) => (format === 'CSV' ? 'CSV' : 'Excel') },
    { head: words.state, cell: ({ state }) => words.states[state] },
    { head: words.progress, cell: (row) => progress(visit, row) },
  ];
  return table(words.latest, columns, exports);
}

function progress(visit: MerchantContext, { state, rowsWritten, rowsTotal }: PaymentExport): Html {
  const words = allWords[visit.language];
  const written = count(visit, Number(rowsWritten));
  if (state !== 'RUNNING') return html`${words.rows(written)}`;
  if (rowsTotal === null)
    return html`<progress aria-label="${words.progress}"></progress> ${words.rows(written)}`;
  const total = Math.max(Number(rowsTotal), 1);
  return html`<progress aria-label="${words.progress}" value="${Number(rowsWritten)}" max="${total}"></progress> ${words.rowsOf(written, count(visit, total))}`;
}
