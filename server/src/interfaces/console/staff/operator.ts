import { measurementsOf } from '../../../integrations/operators/measurements/series.ts';
import { answersOf } from '../../../integrations/operators/measurements/sums.ts';
import {
  type OperatorOverview,
  readOperatorOverviews,
} from '../../../integrations/operators/overview.ts';
import type { ProbeResult } from '../../../integrations/operators/probe.ts';
import type { OperatorQueue } from '../../../integrations/operators/queue.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { StaffPage, View } from '../page.ts';
import { button, form, notice } from '../parts/form.ts';
import { count, given, instant, share } from '../parts/format.ts';
import { empty, facts } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { charts } from './operator-charts.ts';
import {
  callsOf,
  cappedHint,
  duration,
  operatorName,
  stateBadge,
  waits,
  why,
} from './operator-parts.ts';
import { answersTable, processesTable } from './operator-tables.ts';
import { words as allWords, type Period } from './operators.words.ts';

const hourMs = 3_600_000;

/** The periods with their steps, some sixty points each. */
const periods = {
  hour: { lengthMs: hourMs, stepSeconds: 60, times: 'hours' },
  day: { lengthMs: 24 * hourMs, stepSeconds: 1_800, times: 'hours' },
  week: { lengthMs: 168 * hourMs, stepSeconds: 10_800, times: 'days' },
} as const;

/** One operator: its state, history and queue, and the result of a check. */
export const operatorPage: StaffPage = {
  path: 'operators/:operator',
  permission: 'operators.read',
  show: async (visit) => ({ ...(await view(visit)), refreshMs: 15_000 }),
  actions: {
    ask: {
      permission: 'operators.read',
      // The result stays until the visitor leaves: this page does not refresh.
      run: async (visit) => view(visit, await visit.services.askOperator(operatorOf(visit))),
    },
  },
};

function operatorOf({ services, params }: StaffContext): OperatorQueue {
  const operator = services.operatorQueues.find((name) => name === params.operator);
  if (operator === undefined) throw notFound('operator');
  return operator;
}

async function view(visit: StaffContext, asked?: ProbeResult): Promise<View> {
  const words = allWords[visit.language];
  const operator = operatorOf(visit);
  const [now] = await readOperatorOverviews(visit.services, [operator]);
  const main = html`<div class="bar">${stateBadge(visit, now!)}</div>
${why(visit, now!)}
${answer(visit, asked)}
${operator === 'SIMULATOR' ? undefined : askForm(visit)}
${tiles(visit, now!)}
<section><h2>${words.processes}</h2>${processesTable(visit, now!.processes)}</section>
${await history(visit, operator)}`;
  const scripts = ['payments.css', 'operators.css', 'uplot.css', 'uplot.js', 'chart.js'];
  return { title: operatorName(visit, operator), main, scripts };
}

function askForm(visit: StaffContext): Html {
  const words = allWords[visit.language];
  return form(
    visit,
    html`<div class="ask">${button('ask', words.ask, 'plain')} <p class="hint">${words.askHint}</p></div>`,
  );
}

function answer(visit: StaffContext, asked: ProbeResult | undefined): Html | undefined {
  if (asked === undefined) return undefined;
  const words = allWords[visit.language];
  const { service, problem, latencyMs, balance } = asked;
  const shown = balance && given(`${balance.amount} ${balance.currency}`, 60);
  return html`<section class="card"><h2>${words.askTitle}</h2>
${notice(words.services[service], service === 'available' ? 'good' : 'bad')}
${facts([
  [words.problem, given(problem)],
  [words.took, duration(visit, Math.round(latencyMs))],
  [words.balance, shown ?? words.noBalance],
  [words.askedAt, instant(visit, visit.nowMs)],
])}</section>`;
}

/** The last hour, and the queue. */
function tiles(visit: StaffContext, now: OperatorOverview): Html {
  const words = allWords[visit.language];
  const { lastHour, queue } = now;
  const oldest = waits(visit, now);
  const { answeredShare, p95Ms } = lastHour;
  const answered = answeredShare === undefined ? visit.words.none : share(visit, answeredShare);
  const unsent = queue.unsent > 0 ? words.unsentOf(count(visit, queue.unsent)) : undefined;
  const due = [oldest.due, unsent].filter((each) => each !== undefined).join(' · ');
  return html`<div class="tiles">
${tile(words.answered, answered, words.callsOfHour(count(visit, callsOf(lastHour))))}
${tile(words.latency, duration(visit, p95Ms), words.lastHour)}
${tile(words.due, count(visit, queue.due), due)}
${tile(words.unanswered, count(visit, queue.unanswered), oldest.unanswered)}
</div>${cappedHint(visit, [now])}`;
}

const tile = (name: string, figure: string, hint = ''): Html =>
  html`<div class="tile"><p>${name}</p><p class="figure">${figure}</p><p class="hint">${hint}</p></div>`;

async function history(visit: StaffContext, operator: OperatorQueue): Promise<Html> {
  const words = allWords[visit.language];
  const period = periodOf(visit);
  const { lengthMs, ...drawing } = periods[period];
  const time = { fromMs: visit.nowMs - lengthMs, untilMs: visit.nowMs };
  const asked = { operators: [operator], ...time, stepSeconds: drawing.stepSeconds };
  const { database } = visit.services;
  const [points, answers] = await Promise.all([
    measurementsOf(database, asked),
    answersOf(database, asked),
  ]);
  const links = periodLinks(visit, operator, period);
  if (answers.length === 0) return html`${links}${empty(words.nothing, words.nothingHint)}`;
  return html`${links}${charts(visit, points, drawing)}
<section><h2>${words.answersTitle}</h2>${answersTable(visit, answers)}</section>`;
}

const periodOf = ({ query }: StaffContext): Period => {
  const asked = query.get('period') ?? '';
  return Object.hasOwn(periods, asked) ? (asked as Period) : 'hour';
};

function periodLinks(visit: StaffContext, operator: OperatorQueue, current: Period): Html {
  const words = allWords[visit.language];
  const links = (Object.keys(periods) as Period[]).map((each) =>
    each === current
      ? html`<b aria-current="true">${words.periods[each]}</b>`
      : html`<a href="${visit.to(`operators/${operator}`, { period: each })}">${words.periods[each]}</a>`,
  );
  return html`<p class="periods"><span class="unseen">${words.period}:</span>${links}</p>`;
}
