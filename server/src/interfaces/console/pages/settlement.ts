import { type PaymentNames, withNames } from '../../../money/payments/names.ts';
import {
  itemView,
  listItems,
  positionOf,
  type SettlementItem,
} from '../../../money/settlements/items/list.ts';
import type { Settlement } from '../../../money/settlements/settlement.ts';
import { findSettlement } from '../../../money/settlements/store.ts';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import type { OperatorName } from '../../../platform/config/operator-catalogue.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import type { Cell } from '../../../platform/formats/spreadsheet.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { ConsolePage } from '../page.ts';
import { notice } from '../parts/form.ts';
import { accountFact, settlementItems, settlementSummary } from '../parts/settlement.ts';
import { words as allWords } from '../parts/settlement.words.ts';
import { sendSheet } from '../parts/spreadsheet.ts';
import type { MerchantContext } from '../request-context.ts';

/** @throws NOT_FOUND */
async function settlementOf(visit: MerchantContext): Promise<Settlement> {
  const id = parseId('se', visit.params.id ?? '');
  const found = id && (await findSettlement(visit.services.database, visit.tenantId, id));
  if (!found) throw notFound('settlement');
  return found;
}

/** One payout: its status, and its items. */
export const settlementPage: ConsolePage = {
  path: 'settlements/:id',
  permission: 'money.read',
  async show(visit) {
    const words = allWords[visit.language];
    const settlement = await settlementOf(visit);
    const account = await accountFact(visit, settlement);
    const file = visit.to(`${visit.page}/items.csv`);
    // The items of a failed payout have returned to the balance.
    const hasItems = settlement.status !== 'FAILED';
    const isOpen = settlement.status === 'PENDING' || settlement.status === 'PROCESSING';
    // A bank that knows no account pays nothing, and in test mode nobody is waiting for it.
    const cannotPay = isOpen && visit.mode === 'live' && settlement.bankAccountId === null;
    const meanings = cannotPay
      ? { ...words.meanings, [settlement.status]: words.cannotPay }
      : words.meanings;
    const main = html`${visit.query.get('done') === 'started' ? notice(words.started, 'good') : undefined}
${settlementSummary(visit, settlement, { more: [account], meanings })}
<p class="bar spread"><b>${words.items}</b> ${hasItems ? html`<a class="button plain" href="${file}">${words.file}</a>` : undefined}</p>
${await settlementItems(visit, settlement, (id) => visit.to(`payments/${id}`))}`;
    const scripts = ['money.css'];
    return { title: words.one, main, scripts, refreshMs: isOpen ? 5_000 : 60_000 };
  },
};

/** The items of a payout, for a spreadsheet. */
export const settlementItemsFile: ConsolePage = {
  path: 'settlements/:id/items.csv',
  permission: 'money.read',
  async show(visit) {
    const words = allWords[visit.language];
    const settlement = await settlementOf(visit);
    const { tenantId, id } = settlement;
    const subject = formatId('se', id);
    const { database } = visit.services;
    // Recorded first, because no export may go unrecorded.
    const author = { ...visit.services, ...visit.author };
    await writeAuditRecord(database, author, { tenantId, action: 'settlement.exported', subject });
    const titles = [words.date, words.type, words.payment, words.refund, words.amount, words.fee];
    titles.push(words.adds, words.currency);
    // What is new stands last: programs know the columns by their places.
    titles.push(words.order, words.customer, words.operator, words.transaction);
    titles.push(words.disbursement);
    const columns = titles.map((title) => ({ title, width: 22 }));
    const pages = pagesOf(visit, settlement);
    const { language } = visit;
    return sendSheet(subject, { format: 'csv', language, title: words.one, columns, pages });
  },
};

const pageRows = 500;

/** Reads the next rows only after the previous ones were sent, to bound the memory. */
async function* pagesOf(visit: MerchantContext, settlement: Settlement): AsyncGenerator<Cell[][]> {
  let last: SettlementItem | undefined;
  for (;;) {
    const position = last ?? positionOf(undefined);
    const rows = await listItems(visit.services.database, settlement, position, pageRows);
    const shown = rows.slice(0, pageRows);
    last = shown.at(-1);
    const named = await withNames(visit.services.database, settlement.tenantId, shown);
    yield named.map((row) => cellsOf(visit, row));
    if (rows.length <= pageRows) return;
  }
}

function cellsOf(
  { language, words }: MerchantContext,
  item: SettlementItem & { names: PaymentNames | undefined },
): Cell[] {
  const { createdAt, type, paymentIntentId, refundId, disbursementId, ...amounts } = itemView(item);
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
    item.names?.externalId ?? null,
    item.names?.customerId ?? null,
    item.names ? words.operators[item.names.operator as OperatorName] : null,
    item.names?.operatorTxId ?? null,
    disbursementId,
  ];
}
