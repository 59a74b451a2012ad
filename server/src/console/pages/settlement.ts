import { Readable } from 'node:stream';
import { writeAuditRecord } from '../../audit/record.ts';
import { notFound } from '../../errors.ts';
import { type Cell, csvOf } from '../../formats/sheet.ts';
import { type Html, html } from '../../html.ts';
import { formatId, parseId } from '../../ids.ts';
import { findAccount } from '../../merchants/bank-account-store.ts';
import { exportWords } from '../../payments/export-rows.ts';
import {
  itemView,
  listItems,
  positionOf,
  type SettlementItem,
} from '../../settlements/items/list.ts';
import type { Settlement } from '../../settlements/settlement.ts';
import { findSettlement } from '../../settlements/store.ts';
import type { ConsolePage } from '../page.ts';
import { accountEnd } from '../parts/bank-account.ts';
import { notice } from '../parts/form.ts';
import { amount, count, idText, instant, status } from '../parts/format.ts';
import { plainText } from '../parts/plain-text.ts';
import { empty, facts, pager, table } from '../parts/table.ts';
import type { Visit } from '../visit.ts';
import { words as allWords } from './settlements.words.ts';

const limit = 50;

/** @throws NOT_FOUND */
async function settlementOf(visit: Visit): Promise<Settlement> {
  const id = parseId('se', visit.params.id ?? '');
  const found = id && (await findSettlement(visit.services.database, visit.tenantId, id));
  if (!found) throw notFound('settlement');
  return found;
}

/** One payout: what has become of it, and what is in it. */
export const settlementPage: ConsolePage = {
  path: 'settlements/:id',
  permission: 'money.read',
  async show(visit) {
    const words = allWords[visit.language];
    const settlement = await settlementOf(visit);
    const position = positionOf(visit.query.get('starting_after') ?? undefined);
    const rows = await listItems(visit.services.database, settlement, position, limit);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? itemView(shown.at(-1)!).id : undefined;
    const account = await accountOf(visit, settlement);
    const path = `settlements/${formatId('se', settlement.id)}`;
    const main = html`${visit.query.get('done') === 'started' ? notice(words.started, 'good') : undefined}
${summary(visit, settlement, account)}
<p class="bar spread"><b>${words.items}</b> ${shown.length === 0 ? undefined : html`<a class="button plain" href="${visit.to(`${path}/items.csv`)}">${words.file}</a>`}</p>
${shown.length === 0 ? empty(words.noItems) : items(visit, shown)}
${pager(visit, path, last)}`;
    const isOpen = settlement.status === 'PENDING' || settlement.status === 'PROCESSING';
    const scripts = ['money.css'];
    return { title: words.one, main, scripts, refreshMs: isOpen ? 5_000 : 60_000 };
  },
};

/** How the number of the account ends that it goes to; undefined where none was known at the cut. */
async function accountOf({ services }: Visit, { merchantId, bankAccountId }: Settlement) {
  if (bankAccountId === null) return undefined;
  const account = await findAccount(services.database, merchantId, bankAccountId);
  return account && accountEnd(account.accountNumber);
}

function summary(visit: Visit, settlement: Settlement, account: Html | undefined) {
  const words = allWords[visit.language];
  const { currency, completedAtMs, processedAtMs, payoutError } = settlement;
  const minor = (value: bigint) => amount(visit, value, currency);
  const at = (ms: number | null) => (ms === null ? undefined : instant(visit, ms));
  return html`<section class="card">
<p class="bar"><span class="figure">${minor(settlement.netMinor)}</span> <span data-announce>${status(visit, settlement.status)}</span></p>
<p>${words.meanings[settlement.status]}</p>
${payoutError === null ? undefined : html`<p class="notice bad">${words.fileError} <code>${plainText(payoutError)}</code></p>`}
<div class="sums">${facts([
    [words.gross, minor(settlement.grossMinor)],
    [words.fees, minor(-settlement.feeMinor)],
    [words.refunds, minor(-settlement.refundMinor)],
    [words.net, html`<b>${minor(settlement.netMinor)}</b>`],
  ])}</div>
</section>
<section class="card">${facts([
    [words.id, idText('se', settlement.id)],
    [words.reference, settlement.payoutRef],
    [words.account, account],
    [words.count, count(visit, Number(settlement.itemCount))],
    [
      words.period,
      html`${instant(visit, settlement.periodStartMs)} – ${instant(visit, settlement.periodEndMs)}`,
    ],
    [words.sent, at(processedAtMs)],
    [words.completed, at(completedAtMs)],
  ])}
</section>`;
}

function items(visit: Visit, rows: readonly SettlementItem[]) {
  const words = allWords[visit.language];
  const minor = (row: SettlementItem, value: string) => amount(visit, BigInt(value), row.currency);
  return table<SettlementItem>(
    words.items,
    [
      { head: words.date, cell: (row) => instant(visit, row.createdAtMs) },
      { head: words.type, cell: (row) => words.types[itemView(row).type] },
      {
        head: words.payment,
        cell: (row) =>
          html`<a href="${visit.to(`payments/${formatId('pi', row.paymentId)}`)}">${idText('pi', row.paymentId)}</a>`,
      },
      { head: words.amount, isNumber: true, cell: (row) => minor(row, itemView(row).amount) },
      { head: words.fee, isNumber: true, cell: (row) => minor(row, `-${row.feeMinor}`) },
      { head: words.adds, isNumber: true, cell: (row) => minor(row, itemView(row).netAmount) },
    ],
    rows,
  );
}

/** What is in a payout, for a spreadsheet. */
export const settlementItemsFile: ConsolePage = {
  path: 'settlements/:id/items.csv',
  permission: 'money.read',
  async show(visit) {
    const words = allWords[visit.language];
    const settlement = await settlementOf(visit);
    const { tenantId, id } = settlement;
    const subject = formatId('se', id);
    const { database } = visit.services;
    // Written first: nothing leaves without a record of it.
    const author = { ...visit.services, ...visit.author };
    await writeAuditRecord(database, author, { tenantId, action: 'settlement.exported', subject });
    const titles = [words.date, words.type, words.payment, words.refund, words.amount, words.fee];
    const columns = [...titles, words.adds, words.currency].map((title) => ({ title }));
    const { csv } = exportWords[visit.language];
    const bytes = csvOf(csv, columns, pagesOf(visit, settlement));
    return {
      send: (reply) =>
        reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${subject}.csv"`)
          .send(Readable.from(bytes)),
    };
  },
};

const pageRows = 500;

/** The next rows are read when those before have been taken, so that no more than these are held. */
async function* pagesOf(visit: Visit, settlement: Settlement): AsyncGenerator<Cell[][]> {
  let last: SettlementItem | undefined;
  for (;;) {
    const position = last ?? positionOf(undefined);
    const rows = await listItems(visit.services.database, settlement, position, pageRows);
    const shown = rows.slice(0, pageRows);
    last = shown.at(-1);
    yield shown.map((row) => cellsOf(visit, row));
    if (rows.length <= pageRows) return;
  }
}

function cellsOf({ language }: Visit, item: SettlementItem): Cell[] {
  const { createdAt, type, paymentIntentId, refundId, ...amounts } = itemView(item);
  const minor = (value: string) => ({ amountMinor: BigInt(value) });
  return [
    createdAt,
    allWords[language].types[type],
    paymentIntentId,
    refundId,
    minor(amounts.amount),
    minor(amounts.feeAmount),
    minor(amounts.netAmount),
    amounts.currency,
  ];
}
