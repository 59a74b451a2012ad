import {
  type CurrencyTotals,
  type Days,
  type Period,
  type PeriodSums,
  readTotals,
  type Sums,
} from '../../../money/totals/read.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { icon } from '../icons.ts';
import type { ConsolePage, Sent } from '../page.ts';
import { addMonths, today } from '../parts/calendar-days.ts';
import { chartFiles, chartOf, drawn } from '../parts/chart.ts';
import { nextSteps } from '../parts/first-steps.ts';
import { amount, count, day, instant, share } from '../parts/format.ts';
import { ownFirst } from '../parts/own-first.ts';
import { type Column, empty, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './home.words.ts';
import { filled } from './home-series.ts';
import { money, needsPerson } from './home-summary.ts';

const spans: readonly Days[] = [1, 7, 30, 90];

/** By the hour; other periods are drawn by the day. */
const isToday = (period: Period): boolean => 'days' in period && period.days === 1;

/** `?days=7`, or `?month=2026-10`, which has begun; otherwise today. */
function periodIn(visit: MerchantContext): Period {
  const { query } = visit;
  const month = query.get('month');
  const isMonth = month !== null && /^20[2-9]\d-(0[1-9]|1[0-2])$/.test(month);
  if (isMonth && month <= monthOf(visit, 0)) return { month };
  return { days: spans.find((each) => String(each) === query.get('days')) ?? 1 };
}

const monthOf = (visit: MerchantContext, later: number): string =>
  addMonths(today(visit), later).slice(0, 7);

const queryOf = (period: Period): Record<string, string> =>
  'days' in period ? { days: String(period.days) } : { month: period.month };

/** Today's or recent activity, compared with the period before, and open work. */
export const homePage: ConsolePage = {
  path: '',
  permission: 'payments.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { services, tenantId, timeZone, nowMs, query } = visit;
    const period = periodIn(visit);
    const question = { tenantId, ...period, timeZone, nowMs };
    const [totals, balance, waiting, steps] = await Promise.all([
      readTotals(services.database, question),
      money(visit),
      needsPerson(visit),
      nextSteps(visit),
    ]);
    const asked = totals.currencies.find(({ currency }) => currency === query.get('csv'));
    if (asked) return csv(asked, period);
    const sections = ownFirst(visit, totals.currencies).map((each) =>
      ofCurrency(visit, filled(each, { ...totals, period, timeZone }), period),
    );
    const main = html`<div class="bar spread">${periodLinks(visit, period)}${visit.can('payments.charge') ? chargeButton(visit) : undefined}</div>
${waiting}${steps}
${sections.length === 0 ? empty(words.nothing, words.nothingHint) : html`${sections}`}
${balance}`;
    const charts = totals.currencies.some(({ series }) => series.length > 0);
    const scripts = ['payments.css', ...(charts ? chartFiles : ['first-chart.js'])];
    return { title: visit.words.pages.home, main, scripts, refreshMs: 15_000 };
  },
};

/** The most used links, for phones, whose menu is closed. */
const chargeButton = (visit: MerchantContext): Html =>
  html`<a class="button primary" href="${visit.to('charge')}">${icon('charge')} ${allWords[visit.language].charge}</a>`;

function periodLinks(visit: MerchantContext, shown: Period): Html {
  const words = allWords[visit.language];
  const months = [0, -1].map((later): Period => ({ month: monthOf(visit, later) }));
  const links = [...spans.map((days): Period => ({ days })), ...months].map((each) => {
    const query = queryOf(each);
    const name = words.periodName(each, monthOf(visit, 0));
    return JSON.stringify(query) === JSON.stringify(queryOf(shown))
      ? html`<b aria-current="true">${name}</b>`
      : html`<a href="${visit.to('', query)}">${name}</a>`;
  });
  return html`<p class="periods"><span class="unseen">${words.period}:</span>${links}</p>`;
}

function ofCurrency(visit: MerchantContext, totals: CurrencyTotals, period: Period): Html {
  const words = allWords[visit.language];
  const { currency, current, before } = totals;
  const tile = (name: string, of: (sums: PeriodSums) => Html | string | undefined) =>
    html`<div class="tile"><p>${name}</p><p class="figure">${of(current) ?? visit.words.none}</p><p class="hint">${words.before(period)}: ${of(before) ?? visit.words.none}</p></div>`;
  const rate = ({ successRate }: PeriodSums) =>
    successRate === undefined ? undefined : share(visit, successRate);
  const median = ({ medianConfirmMs: ms }: PeriodSums) =>
    ms === undefined ? undefined : words.seconds(count(visit, Math.round(ms / 100) / 10));
  return html`<section aria-label="${currency}"><div class="tiles">
${tile(words.volume, (sums) => amount(visit, sums.volumeMinor, currency))}
${tile(words.succeeded, (sums) => count(visit, sums.succeeded))}
${tile(words.rate, rate)}
${tile(words.median, median)}
</div></section>
${chart(visit, totals, period)}
<div class="columns">${byOperator(visit, totals)}${failures(visit, totals)}</div>`;
}

/** The chart is drawn from the table, which says the same to screen readers. */
function chart(
  visit: MerchantContext,
  { currency, series, current }: CurrencyTotals,
  period: Period,
): Html {
  const words = allWords[visit.language];
  if (series.length === 0) return html``;
  type Row = (typeof series)[number];
  const counted = (head: string, of: (row: Row) => number): Column<Row> => ({
    head,
    isNumber: true,
    cell: (row) => count(visit, of(row)),
  });
  const columns: Column<Row>[] = [
    {
      head: words.from,
      cell: ({ fromMs }) =>
        drawn(fromMs / 1_000, isToday(period) ? instant(visit, fromMs) : day(visit, fromMs)),
    },
    {
      head: words.volume,
      isNumber: true,
      cell: ({ volumeMinor }) =>
        drawn(
          volumeMinor === 0n ? undefined : Number(volumeMinor) / 100,
          amount(visit, volumeMinor, currency),
        ),
    },
    counted(words.succeeded, ({ succeeded }) => succeeded),
    counted(words.failed, ({ failed, expired }) => failed + expired),
    {
      head: words.refunded,
      isNumber: true,
      cell: ({ refundedMinor }) => amount(visit, refundedMinor, currency),
    },
  ];
  const said = words.chart(isToday(period), currency);
  return html`<section class="card"><h2>${said}</h2>
${chartOf(visit, {
  id: `series-${currency}`,
  said,
  times: isToday(period) ? 'hours' : 'days',
  stepSeconds: isToday(period) ? 3_600 : 86_400,
  series: [{ column: 1, kind: 'bars', colour: '--accent', name: words.volume }],
  columns,
  rows: series,
  asTable: words.asTable,
  note: html`<p class="hint">${words.refunded}: ${amount(visit, current.refundedMinor, currency)} · ${words.fees}: ${amount(visit, current.feeMinor, currency)}</p>`,
})}
<p><a href="${visit.to('', { ...queryOf(period), csv: currency })}" download>${words.csv}</a></p></section>`;
}

function byOperator(visit: MerchantContext, { currency, byOperator: rows }: CurrencyTotals): Html {
  const words = allWords[visit.language];
  if (rows.length === 0) return html``;
  const labels: Readonly<Record<string, string>> = visit.words.operators;
  return html`<section><h2>${words.byOperator}</h2>${table<(typeof rows)[number]>(
    words.byOperator,
    [
      { head: words.operator, cell: ({ operator }) => labels[operator] ?? operator },
      {
        head: words.volume,
        isNumber: true,
        cell: ({ volumeMinor }) => amount(visit, volumeMinor, currency),
      },
      { head: words.succeeded, isNumber: true, cell: ({ succeeded }) => count(visit, succeeded) },
      { head: words.rate, isNumber: true, cell: (row) => rateOf(visit, row) },
    ],
    rows,
  )}</section>`;
}

function rateOf(visit: MerchantContext, { succeeded, failed, expired }: Sums): string {
  const tried = succeeded + failed + expired;
  return tried === 0 ? visit.words.none : share(visit, succeeded / tried);
}

function failures(visit: MerchantContext, { failures: rows }: CurrencyTotals): Html {
  const words = allWords[visit.language];
  if (rows.length === 0) return html``;
  const known: Readonly<Record<string, string>> = visit.words.failures;
  return html`<section><h2>${words.failures}</h2>${table<(typeof rows)[number]>(
    words.failures,
    [
      {
        head: words.reason,
        cell: ({ failureCode }) =>
          failureCode === null ? words.expired : (known[failureCode] ?? failureCode),
      },
      { head: words.count, isNumber: true, cell: (row) => count(visit, row.count) },
    ],
    rows,
  )}</section>`;
}

/** For programs: names of the API, instants in UTC, amounts with a point. */
function csv({ currency, series }: CurrencyTotals, period: Period): Sent {
  const lines = series.map((row) =>
    [
      new Date(row.fromMs).toISOString(),
      currency,
      decimal(row.volumeMinor),
      decimal(row.feeMinor),
      row.succeeded,
      row.failed,
      row.expired,
      row.cancelled,
      decimal(row.refundedMinor),
      row.refunds,
    ].join(','),
  );
  const head = 'from,currency,volume,fees,succeeded,failed,expired,cancelled,refunded,refunds';
  return {
    send: (reply) =>
      reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="zimbo-${currency}-${Object.values(queryOf(period)).join()}.csv"`,
        )
        .send(`${[head, ...lines].join('\r\n')}\r\n`),
  };
}

function decimal(minor: bigint): string {
  const digits = minor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
