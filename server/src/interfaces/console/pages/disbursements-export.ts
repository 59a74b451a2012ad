import type { Disbursement } from '../../../money/disbursements/disbursement.ts';
import { listDisbursements } from '../../../money/disbursements/list.ts';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import { invalid } from '../../../platform/errors/errors.ts';
import type { Cell } from '../../../platform/formats/spreadsheet.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { timeZoneAt, wallClockMsIn } from '../../../tenants/merchants/time-zone.ts';
import type { ConsolePage } from '../page.ts';
import { today } from '../parts/calendar-days.ts';
import { sendSheet } from '../parts/spreadsheet.ts';
import type { MerchantContext } from '../request-context.ts';
import { type AskedDisbursements, disbursementFilters, shownRecipient } from './disbursements.ts';
import { words as allWords } from './disbursements.words.ts';

/** The disbursements of the list's filters, for a spreadsheet. */
export const disbursementsFile: ConsolePage = {
  path: 'disbursements/file.csv',
  permission: 'disbursements.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { filter, errors } = disbursementFilters(visit);
    const [wrong] = Object.keys(errors);
    if (wrong !== undefined) throw invalid(wrong, 'is not a day');
    const { services, author, tenantId, language } = visit;
    // Recorded first, because no export may go unrecorded.
    await writeAuditRecord(
      services.database,
      { ...services, ...author },
      {
        tenantId,
        action: 'disbursements.exported',
        subject: formatId('me', visit.merchant.id),
        detail: {
          filteredBy: Object.entries(filter).flatMap(([name, value]) =>
            value === undefined ? [] : [name],
          ),
          phones: visit.can('phones.read'),
        },
      },
    );
    const titles = [words.created, words.id, words.status, words.amount, words.fee];
    titles.push(words.currency, words.phone, words.operator, words.order, words.description);
    titles.push(words.customer, words.transaction, words.code, words.changed, words.timeZone);
    const columns = titles.map((title) => ({ title, width: 22 }));
    const pages = pagesOf(visit, filter);
    const name = `${words.fileName}-${today(visit)}`;
    return sendSheet(name, { format: 'csv', language, title: words.title, columns, pages });
  },
};

const pageRows = 500;

/** Reads the next rows only after the previous ones were sent, to bound the memory. */
async function* pagesOf(
  visit: MerchantContext,
  { status, ...range }: AskedDisbursements,
): AsyncGenerator<Cell[][]> {
  const { services, tenantId } = visit;
  let startingAfter: string | undefined;
  for (;;) {
    const page = { ...range, limit: pageRows, startingAfter };
    const rows = await listDisbursements(services.database, tenantId, { status }, page);
    const shown = rows.slice(0, pageRows);
    startingAfter = shown.at(-1)?.id;
    if (shown.length > 0) yield shown.map((row) => cellsOf(visit, row));
    if (rows.length <= pageRows) return;
  }
}

function cellsOf(visit: MerchantContext, row: Disbursement): Cell[] {
  const { words, timeZones } = visit;
  const at = (atMs: number) => ({ localMs: wallClockMsIn(timeZones, atMs) });
  return [
    at(row.createdAtMs),
    formatId('di', row.id),
    words.statuses[row.status] ?? row.status,
    { amountMinor: row.amountMinor },
    { amountMinor: row.feeMinor },
    row.currency,
    shownRecipient(visit, row),
    words.operators[row.operator],
    row.externalId,
    row.description,
    row.customerId,
    row.operatorTxId,
    row.failureCode,
    at(row.updatedAtMs),
    timeZoneAt(visit.timeZones, row.createdAtMs),
  ];
}
