import { type Balance, balanceOf } from '../../../money/settlements/balance.ts';
import { type PeriodSums, readTotals } from '../../../money/totals/read.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { count, share } from '../parts/format.ts';
import { amountColumn, type Column, empty, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './merchant.words.ts';

const modes = ['live', 'test'] as const;

/** The merchant's payments in 30 days, from the totals, and its balance: live and test apart. */
export async function figures(
  visit: StaffContext,
  tenants: Record<'live' | 'test', string>,
): Promise<Html> {
  const words = allWords[visit.language];
  const { services, timeZone, nowMs } = visit;
  const { database } = services;
  const read = await Promise.all(
    modes.map(async (mode) => {
      const tenantId = tenants[mode];
      const [totals, balances] = await Promise.all([
        readTotals(database, { tenantId, days: 30, timeZone, nowMs }),
        balanceOf(database, tenantId),
      ]);
      return { mode, totals, balances };
    }),
  );
  const sums = read.flatMap(({ mode, totals }) =>
    totals.currencies.map(({ currency, current }) => ({ mode, currency, ...current })),
  );
  const balances = read.flatMap(({ mode, balances: each }) =>
    each.map((balance) => ({ mode, ...balance })),
  );
  return html`<h2>${words.days}</h2>
${sums.length === 0 ? empty(words.noPayments) : table(words.days, sumColumns(visit), sums)}
${balances.length === 0 ? undefined : html`<h2>${words.balance}</h2>${table(words.balance, balanceColumns(visit), balances)}`}`;
}

interface InMode {
  mode: 'live' | 'test';
  currency: string;
}

const modeColumn = ({ words }: StaffContext): Column<InMode> => ({
  head: words.mode,
  cell: ({ mode }) => words[mode],
});

function sumColumns(visit: StaffContext): Column<PeriodSums & InMode>[] {
  const words = allWords[visit.language];
  return [
    modeColumn(visit),
    amountColumn(visit, words.volume, ({ volumeMinor }) => volumeMinor),
    amountColumn(visit, words.fees, ({ feeMinor }) => feeMinor),
    { head: words.succeeded, isNumber: true, cell: ({ succeeded }) => count(visit, succeeded) },
    {
      head: words.successRate,
      isNumber: true,
      cell: ({ successRate }) =>
        successRate === undefined ? visit.words.none : share(visit, successRate),
    },
  ];
}

function balanceColumns(visit: StaffContext): Column<Balance & InMode>[] {
  const words = allWords[visit.language];
  return [
    modeColumn(visit),
    amountColumn(visit, words.available, ({ available }) => available),
    amountColumn(visit, words.pending, ({ pending }) => pending),
  ];
}
