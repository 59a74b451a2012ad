import { type Refund, refundStatuses } from '../../../money/refunds/refund.ts';
import { listRefunds } from '../../../money/refunds/store.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { ConsolePage } from '../page.ts';
import { select } from '../parts/form.ts';
import { amount, given, instant, status } from '../parts/format.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './refunds.words.ts';

const limit = 25;

/** What went back to customers, and why. */
export const refundsPage: ConsolePage = {
  path: 'refunds',
  permission: 'payments.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { query, services, tenantId } = visit;
    const chosen = refundStatuses.find((each) => each === query.get('status'));
    const page = { limit, startingAfter: parseId('re', query.get('starting_after') ?? '') };
    const rows = await listRefunds(services.database, tenantId, { status: chosen }, page);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const choices = refundStatuses.map((each) => [each, visit.words.statuses[each]!] as const);
    const main = html`<form class="filters" action="${visit.to('refunds')}">
${select('status', words.status, [['', visit.words.all], ...choices], { value: chosen })}
<div class="bar"><button class="button plain">${visit.words.apply}</button></div>
</form>
${shown.length === 0 ? nothing(visit, chosen) : list(visit, shown)}
${pager(visit, 'refunds', last && formatId('re', last.id))}`;
    return { title: words.title, main, refreshMs: 10_000 };
  },
};

function nothing(visit: MerchantContext, chosen: string | undefined): Html {
  const words = allWords[visit.language];
  return chosen === undefined ? empty(words.nothing, words.nothingHint) : empty(words.noMatch);
}

function list(visit: MerchantContext, rows: readonly Refund[]): Html {
  const words = allWords[visit.language];
  const address = ({ paymentId }: Refund) => visit.to(`payments/${formatId('pi', paymentId)}`);
  return table<Refund>(
    words.title,
    [
      {
        head: words.created,
        cell: (row) => html`<a href="${address(row)}">${instant(visit, row.createdAtMs)}</a>`,
      },
      { head: words.status, cell: (row) => outcome(visit, row) },
      {
        head: words.amount,
        isNumber: true,
        cell: (row) => amount(visit, row.amountMinor, row.currency),
      },
      { head: words.operator, cell: (row) => visit.words.operators[row.operator] },
      { head: words.reason, cell: (row) => given(row.reason) },
    ],
    rows,
  );
}

function outcome(visit: MerchantContext, { status: reached, failureCode }: Refund): Html {
  const why = failureCode === null ? undefined : visit.words.failures[failureCode];
  return html`<div>${status(visit, reached)}${why === undefined ? undefined : html`<p class="hint">${why}</p>`}</div>`;
}
