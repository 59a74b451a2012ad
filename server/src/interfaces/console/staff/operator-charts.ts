import type { Point } from '../../../integrations/operators/measurements/series.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { type Chart, chartOf, drawn } from '../parts/chart.ts';
import { count, instant, share } from '../parts/format.ts';
import type { Column } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { duration } from './operator-parts.ts';
import { words as allWords } from './operators.words.ts';

/** The three charts of a period, each above the table of its figures. */
export function charts(
  visit: StaffContext,
  points: readonly Point[],
  time: Pick<Chart<Point>, 'times' | 'stepSeconds'>,
): Html {
  const words = allWords[visit.language];
  const common = { ...time, rows: points, asTable: words.asTable };
  const card = (chart: Omit<Chart<Point>, keyof typeof common>) =>
    html`<section class="card"><h2>${chart.said}</h2>${chartOf(visit, { ...common, ...chart })}</section>`;
  return html`${card(calls(visit, points))}<div class="columns">${card(answeredShare(visit))}${card(latency(visit))}</div>`;
}

const from = (visit: StaffContext): Column<Point> => ({
  head: allWords[visit.language].from,
  cell: ({ fromMs }) => drawn(fromMs / 1_000, instant(visit, fromMs)),
});

const counted = (
  visit: StaffContext,
  head: string,
  of: (point: Point) => number,
): Column<Point> => ({
  head,
  isNumber: true,
  cell: (point) => drawn(of(point), count(visit, of(point))),
});

function calls(visit: StaffContext, points: readonly Point[]) {
  const { callsChart: said, outcomes, ...words } = allWords[visit.language];
  const times = points.reduce((sum, { pauses }) => sum + pauses, 0);
  const last = points.findLast(({ pauses }) => pauses > 0);
  const when = last && instant(visit, last.fromMs);
  return {
    id: 'calls',
    said,
    series: [
      { column: 1, kind: 'bars', colour: '--accent', name: outcomes.ANSWERED },
      { column: 2, kind: 'bars', colour: '--soft', name: outcomes.REFUSED },
      { column: 3, kind: 'bars', colour: '--bad', name: outcomes.UNKNOWN },
      { column: 4, kind: 'bars', colour: '--wait', name: outcomes.NOT_SENT },
    ],
    columns: [
      from(visit),
      counted(visit, outcomes.ANSWERED, ({ answered }) => answered),
      counted(visit, outcomes.REFUSED, ({ refused }) => refused),
      counted(visit, outcomes.UNKNOWN, ({ unknown }) => unknown),
      counted(visit, outcomes.NOT_SENT, ({ notSent }) => notSent),
      counted(visit, words.pauses, ({ pauses }) => pauses),
    ],
    ...(when && {
      note: html`<p class="hint">${words.paused(times)} ${when}</p>`,
    }),
  } satisfies Partial<Chart<Point>>;
}

function answeredShare(visit: StaffContext) {
  const { shareChart: said, share: head } = allWords[visit.language];
  return {
    id: 'share',
    said,
    figures: { style: 'percent' },
    most: 1,
    series: [{ column: 1, kind: 'line', colour: '--accent', name: head }],
    columns: [
      from(visit),
      {
        head,
        isNumber: true,
        cell: ({ answeredShare: value }: Point) =>
          drawn(value, value === undefined ? visit.words.none : share(visit, value)),
      },
    ],
  } satisfies Partial<Chart<Point>>;
}

function latency(visit: StaffContext) {
  const { latencyChart: said, half, most, nearlyAll } = allWords[visit.language];
  const timed = (head: string, of: (point: Point) => number | undefined): Column<Point> => ({
    head,
    isNumber: true,
    cell: (point) => drawn(seconds(of(point)), duration(visit, of(point))),
  });
  return {
    id: 'latency',
    said,
    unit: ' s',
    figures: {},
    series: [
      { column: 1, kind: 'line', colour: '--accent', name: half },
      { column: 2, kind: 'line', colour: '--wait', name: most, isDashed: true },
    ],
    columns: [
      from(visit),
      timed(half, ({ p50Ms }) => p50Ms),
      timed(most, ({ p95Ms }) => p95Ms),
      timed(nearlyAll, ({ p99Ms }) => p99Ms),
    ],
  } satisfies Partial<Chart<Point>>;
}

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000);
