import {
  type OperatorOverview,
  readOperatorOverviews,
} from '../../../integrations/operators/overview.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { StaffPage } from '../page.ts';
import { count, share } from '../parts/format.ts';
import { facts } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import {
  breakersOf,
  callsOf,
  cappedHint,
  duration,
  operatorName,
  queueFacts,
  spark,
  stateBadge,
  why,
} from './operator-parts.ts';
import { words as allWords } from './operators.words.ts';

/** The state of each operator, and its queue. */
export const operatorsPage: StaffPage = {
  path: 'operators',
  permission: 'operators.read',
  async show(visit) {
    const words = allWords[visit.language];
    const all = await readOperatorOverviews(visit.services, visit.services.operatorQueues);
    const main = html`<div class="columns operators">${all.map((each) => card(visit, each))}</div>
${cappedHint(visit, all)}<p class="hint">${words.hint}</p>`;
    return { title: words.title, main, scripts: ['operators.css'], refreshMs: 10_000 };
  },
};

function card(visit: StaffContext, now: OperatorOverview): Html {
  const words = allWords[visit.language];
  const name = operatorName(visit, now.operator);
  const isQuiet = now.lastHour.answeredShare === undefined;
  return html`<section class="card"><div class="bar spread"><h2><a href="${visit.to(`operators/${now.operator}`)}">${name}</a></h2>${stateBadge(visit, now)}</div>
${why(visit, now)}
${isQuiet ? html`<p class="hint">${words.quiet}</p>` : spark(visit, now.points)}
${facts([
  ...lastHour(visit, now),
  [words.breaker, breakersOf(visit, now.processes)],
  ...queueFacts(visit, now),
])}
</section>`;
}

function lastHour(
  visit: StaffContext,
  { lastHour: figures }: OperatorOverview,
): [string, Html | string][] {
  const words = allWords[visit.language];
  const { answeredShare, p95Ms } = figures;
  if (answeredShare === undefined) return [];
  const hint = words.callsOfHour(count(visit, callsOf(figures)));
  return [
    [words.answered, html`${share(visit, answeredShare)} <span class="hint">(${hint})</span>`],
    [words.latency, duration(visit, p95Ms)],
  ];
}
