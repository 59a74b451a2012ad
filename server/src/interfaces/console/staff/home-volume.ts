import {
  type MerchantVolume,
  mostMerchants,
  readVolume,
} from '../../../money/totals/read-volume.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import { findMerchants } from '../../../tenants/merchants/store.ts';
import { given } from '../parts/format.ts';
import { amountColumn, type Column, empty, table } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './home.words.ts';

type Row = MerchantVolume & InCell;

/** What all merchants took in, by currency, and the largest of them. */
export async function volumeSection(visit: StaffContext): Promise<Html> {
  const words = allWords[visit.language];
  const mode = visit.query.get('mode') === 'test' ? 'test' : 'live';
  const { nowMs } = visit;
  const rows = await everywhere(visit, (database) => readVolume(database, { mode, nowMs }));
  const other = mode === 'live' ? 'test' : 'live';
  const turn = html`<p><a href="${visit.to('', other === 'test' ? { mode: other } : {})}">${words.seeMode[other]}</a></p>`;
  const title = `${words.volume} · ${visit.words[mode]}`;
  if (rows.length === 0) return html`<h2>${title}</h2>${empty(words.noVolume)}${turn}`;
  const byCurrency = [...Map.groupBy(rows, ({ currency }) => currency)];
  const largest = byCurrency.flatMap(([, each]) =>
    each
      .toSorted((one, other) => (one.monthMinor < other.monthMinor ? 1 : -1))
      .slice(0, mostMerchants),
  );
  return html`<h2>${title}</h2>
${table(title, sumColumns(visit), byCurrency.map(sumOf))}
<h2>${words.largest}</h2>
${table(words.largest, await merchantColumns(visit, largest), largest)}${turn}`;
}

/** Each cell's rows carry the sums of that cell. */
function sumOf([currency, rows]: [string, Row[]]) {
  const cells = [...Map.groupBy(rows, ({ cell }) => cell).values()].map(([first]) => first!);
  const sum = (of: (row: Row) => bigint) => cells.reduce((all, row) => all + of(row), 0n);
  return {
    currency,
    todayMinor: sum((row) => row.allTodayMinor),
    weekMinor: sum((row) => row.allWeekMinor),
    monthMinor: sum((row) => row.allMonthMinor),
  };
}

type Sum = ReturnType<typeof sumOf>;

function sumColumns(visit: StaffContext): Column<Sum>[] {
  const words = allWords[visit.language];
  return [
    { head: words.currency, cell: ({ currency }) => currency },
    amountColumn(visit, words.today, ({ todayMinor }) => todayMinor),
    amountColumn(visit, words.week, ({ weekMinor }) => weekMinor),
    amountColumn(visit, words.month, ({ monthMinor }) => monthMinor),
  ];
}

async function merchantColumns(visit: StaffContext, rows: readonly Row[]): Promise<Column<Row>[]> {
  const ids = [...new Set(rows.map(({ merchantId }) => merchantId))];
  const merchants = await everywhere(visit, (database) => findMerchants(database, ids));
  const names = new Map(merchants.map(({ id, name }) => [id, name]));
  const [, ...amounts] = sumColumns(visit);
  return [
    {
      head: allWords[visit.language].merchant,
      cell: (row) => {
        const id = formatId('me', row.merchantId);
        return html`<a href="${visitOf(visit, row).to(`merchants/${id}`)}">${given(names.get(row.merchantId)) ?? id}</a>`;
      },
    },
    ...amounts,
  ];
}
