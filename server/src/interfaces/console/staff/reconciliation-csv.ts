import { Readable } from 'node:stream';
import type { StoredDifference } from '../../../backoffice/reconciliations/difference.ts';
import { listDifferences } from '../../../backoffice/reconciliations/difference-store.ts';
import { referenceOf } from '../../../money/ledger/reconcile-statement-view.ts';
import { type Cell, type CsvDialect, csvOf } from '../../../platform/formats/spreadsheet.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { wallClockMs } from '../../../platform/values/local-day.ts';
import type { StaffPage } from '../page.ts';
import type { StaffContext } from '../request-context.ts';
import { loadReconciliation, wordsOf } from './reconciliation-parts.ts';

const pageSize = 1_000;
const portuguese: CsvDialect = { separator: ';', decimal: ',' };
const english: CsvDialect = { separator: ',', decimal: '.' };

/** The differences as a spreadsheet file, page by page. */
export const reconciliationCsvPage: StaffPage = {
  path: 'reconciliations/:id/csv',
  permission: 'reconciliations.read',
  async show(visit) {
    const { id } = await loadReconciliation(visit);
    return {
      send(reply) {
        reply.header('content-type', 'text/csv; charset=utf-8');
        const name = `differences-${formatId('rc', id)}.csv`;
        reply.header('content-disposition', `attachment; filename="${name}"`);
        const dialect = visit.language === 'pt' ? portuguese : english;
        return reply.send(Readable.from(csvOf(dialect, columns(visit), pagesOf(visit, id))));
      },
    };
  },
};

function columns(visit: StaffContext): { title: string }[] {
  const words = wordsOf(visit);
  const { statement, ledger, currency, state } = words;
  const titles = [
    words.kind,
    words.state,
    words.line,
    'type',
    words.reference,
    words.transaction,
    statement,
    `${statement}: ${currency}`,
    `${statement}: ${state}`,
    ledger,
    `${ledger}: ${currency}`,
    `${ledger}: ${state}`,
    words.reason,
    words.note,
    words.operatorReference,
    words.by,
    words.made,
  ];
  return titles.map((title) => ({ title }));
}

async function* pagesOf(visit: StaffContext, id: string): AsyncGenerator<Cell[][]> {
  let startingAfter: string | undefined;
  for (;;) {
    const { database } = visit.services;
    const page = await listDifferences(database, id, { startingAfter }, pageSize);
    if (page.length > 0) yield page.map((each) => rowOf(visit, each));
    startingAfter = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}

function rowOf(visit: StaffContext, each: StoredDifference): Cell[] {
  const words = wordsOf(visit);
  const money = (minor: bigint | null): Cell => (minor === null ? null : { amountMinor: minor });
  return [
    words.kinds[each.kind],
    words.differenceStates[each.status],
    each.line === null ? null : String(each.line),
    each.type,
    referenceOf(each),
    each.transactionId,
    money(each.listedMinor),
    each.listedCurrency,
    each.listedStatus,
    money(each.bookedMinor),
    each.bookedCurrency,
    each.bookedStatus,
    each.reason === null ? null : words.reasons[each.reason],
    each.note,
    each.operatorReference,
    each.decidedBy,
    each.decidedAtMs === null ? null : { localMs: wallClockMs(each.decidedAtMs, visit.timeZone) },
  ];
}
