import {
  type CurrencyTotals,
  type Days,
  type PeriodSums,
  readTotals,
  type Sums,
} from '../../../money/totals/read.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { icon } from '../icons.ts';
import type { ConsolePage, Sent } from '../page.ts';
import { chartFiles, chartOf, drawn } from '../parts/chart.ts';
import { nextSteps } from '../parts/first-steps.ts';
import { amount, count, day, instant, share } from '../parts/format.ts';
import { ownFirst } from '../parts/own-first.ts';
import { type Column, empty, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './home.words.ts';
import { filled } from './home-series.ts';
import { money, needsPerson } from './home-summary.ts';

const periods: readonly Days[] = [1, 7, 30, 90];

/** Today's or recent activity, compared with the period before, and open work. */
export const homePage: ConsolePage = {
  path: '',
  permission: 'payments.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { services, tenantId, timeZone, nowMs, query } = visit;
    const days = periods.find((each) => String(each) === query.get('days')) ?? 1;
    const question = { tenantId, days, timeZone, nowMs };
    const [totals, balance, waiting, steps] = await Promise.all([
      readTotals(services.database, question),
      money(visit),
      needsPerson(visit),
      nextSteps(visit),
    ]);
    const asked = totals.currencies.find(({ currency }) => currency === query.get('csv'));
    if (asked) return csv(asked, days);
    const sections = ownFirst(visit, totals.currencies).map((each) =>
      ofCurrency(visit, filled(each, { ...totals, days, timeZone }), days),
    );
    const main = html`<div class="bar spread">${periodLinks(visit, days)}${visit.can('payments.charge') ? chargeButton(visit) : undefined}</div>
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

function periodLinks(visit: MerchantContext, days: Days): Html {
  const words = allWords[visit.language];
  const links = periods.map((each) =>
    each === days
      ? html`<b aria-current="true">${words.periods[each]}</b>`
      : html`<a href="${visit.to('', { days: String(each) })}">${words.periods[each]}</a>`,
  );
  return html`<p class="periods"><span class="unseen">${words.period}:</span>${links}</p>`;
}

function ofCurrency(visit: MerchantContext, totals: CurrencyTotals, days: Days): Html {
  const words = allWords[visit.language];
  const { currency, current, before } = totals;
  const tile = (name: string, of: (sums: PeriodSums) => Html | string | undefined) =>
    html`<div class="tile"><p>${name}</p><p class="figure">${of(current) ?? visit.words.none}</p><p class="hint">${words.before(days)}: ${of(before) ?? visit.words.none}</p></div>`;
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
${chart(visit, totals, days)}
<div class="columns">${byOperator(visit, totals)}${failures(visit, totals)}</div>`;
}

/** The chart is drawn from the table, which says the same to screen readers. */
function chart(
  visit: MerchantContext,
  { currency, series, current }: CurrencyTotals,
  days: Days,
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
        drawn(fromMs / 1_000, days === 1 ? instant(visit, fromMs) : day(visit, fromMs)),
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
  const said = words.chart(days, currency);
  return html`<section class="card"><h2>${said}</h2>
${chartOf(visit, {
  id: `series-${currency}`,
  said,
  times: days === 1 ? 'hours' : 'days',
  stepSeconds: days === 1 ? 3_600 : 86_400,
  series: [{ column: 1, kind: 'bars', colour: '--accent', name: words.volume }],
  columns,
  rows: series,
  asTable: words.asTable,
  note: html`<p class="hint">${words.refunded}: ${amount(visit, current.refundedMinor, currency)} · ${words.fees}: ${amount(visit, current.feeMinor, currency)}</p>`,
})}
<p><a href="${visit.to('', { days: String(days), csv: currency })}" download>${words.csv}</a></p></section>`;
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
function csv({ currency, series }: CurrencyTotals, days: Days): Sent {
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
        .header('content-disposition', `attachment; filename="zimbo-${currency}-${days}.csv"`)
        .send(`${[head, ...lines].join('\r\n')}\r\n`),
  };
}

function decimal(minor: bigint): string {
  const digits = minor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
