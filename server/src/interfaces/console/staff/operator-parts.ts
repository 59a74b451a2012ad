import type { Pause } from '../../../integrations/operators/circuit-breaker.ts';
import type { OperatorState } from '../../../integrations/operators/health.ts';
import type { Figures, Point } from '../../../integrations/operators/measurements/series.ts';
import type {
  OperatorOverview,
  ProcessOverview,
} from '../../../integrations/operators/overview.ts';
import type { OperatorQueue } from '../../../integrations/operators/queue.ts';
import { mostLookedAt } from '../../../integrations/operators/queue-status.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { icon } from '../icons.ts';
import { count, instant } from '../parts/format.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './operators.words.ts';

/** An operator's name for people. */
export function operatorName(visit: StaffContext, operator: OperatorQueue): string {
  const labels: Readonly<Record<string, string>> = visit.words.operators;
  return allWords[visit.language].names[operator] ?? labels[operator] ?? operator;
}

const icons: Record<OperatorState['state'], string> = {
  UP: 'tick',
  DEGRADED: 'warning',
  DOWN: 'cross',
};

/** Below this share of useful answers in the last hour, an operator that works again is not just called working. */
const goodShare = 0.95;

/** The state as a word with its own shape; it agrees with the share of the last hour beside it. */
export function stateBadge({ language }: StaffContext, now: OperatorOverview): Html {
  const { state, lastHour } = now;
  const words = allWords[language];
  const hasFailed = state === 'UP' && (lastHour.answeredShare ?? 1) < goodShare;
  const shown = hasFailed ? 'DEGRADED' : state;
  return html`<span class="status state" data-status="${shown}">${icon(icons[shown])}${hasFailed ? words.failedThisHour : words.states[state]}</span>`;
}

/** Why an operator is not up, and since when. */
export function why(
  visit: StaffContext,
  { state, reason, sinceMs }: OperatorState,
): Html | undefined {
  const words = allWords[visit.language];
  if (state === 'UP' || reason === null) return undefined;
  const since =
    sinceMs === null ? words.sinceLong : html`${words.since} ${instant(visit, sinceMs)}`;
  return html`<p class="why">${words.reasons[reason]} ${since}.</p>`;
}

/** `350 ms`, `1.2 s`. */
export function duration(visit: StaffContext, ms: number | undefined): string {
  if (ms === undefined) return visit.words.none;
  if (ms < 1_000) return `${count(visit, ms)} ms`;
  return `${count(visit, Math.round(ms / 100) / 10)} s`;
}

/** Whether calls pass; if not, why and until when. */
export function breakerOf(visit: StaffContext, pause: Pause | null): Html {
  const { breakers, pauseReasons } = allWords[visit.language];
  if (pause === null) return html`${breakers.closed}`;
  const state = visit.nowMs < pause.untilMs ? breakers.open : breakers.trial;
  return html`<b>${state}</b>, ${pauseReasons[pause.reason]}: ${instant(visit, pause.sinceMs)}`;
}

/** The circuit breakers of all processes in a few words. */
export function breakersOf(visit: StaffContext, processes: readonly ProcessOverview[]): string {
  const words = allWords[visit.language];
  if (processes.length === 0) return words.noProcess;
  const open = processes.filter(({ pause }) => pause !== null).length;
  return open === 0 ? words.closedIn(processes.length) : words.notClosedIn(open, processes.length);
}

/** All calls, whatever their outcome. */
export const callsOf = ({ answered, refused, unknown, notSent }: Figures): number =>
  answered + refused + unknown + notSent;

/** How long the oldest row has waited; undefined without any. */
export function waits(visit: StaffContext, { queue }: Pick<OperatorOverview, 'queue'>) {
  const words = allWords[visit.language];
  const ago = (ms: number) => words.age(Math.max(0, Math.round((visit.nowMs - ms) / 1_000)));
  const { oldestDueMs, oldestSentMs } = queue;
  return {
    due: oldestDueMs === null ? undefined : words.oldest(ago(oldestDueMs)),
    unanswered: oldestSentMs === null ? undefined : words.oldestSent(ago(oldestSentMs)),
  };
}

/** An operator's waiting rows, as names and values. */
export function queueFacts(
  visit: StaffContext,
  now: Pick<OperatorOverview, 'queue'>,
): (readonly [string, Html])[] {
  const words = allWords[visit.language];
  const { due, unsent, unanswered } = now.queue;
  const oldest = waits(visit, now);
  const counted = (value: number, more?: string) =>
    html`${count(visit, value)}${more === undefined ? undefined : html` <span class="hint">(${more})</span>`}`;
  return [
    [words.due, counted(due, oldest.due)],
    [words.unsent, counted(unsent)],
    [words.unanswered, counted(unanswered, oldest.unanswered)],
  ];
}

/** States that the list is truncated. */
export function cappedHint(
  visit: StaffContext,
  all: readonly OperatorOverview[],
): Html | undefined {
  const seen = all.reduce((sum, { queue }) => sum + Math.max(queue.due, queue.unanswered), 0);
  if (seen < mostLookedAt) return undefined;
  return html`<p class="hint">${allWords[visit.language].capped}</p>`;
}

const wide = 10;
const high = 40;

/** The calls of the last hour as small bars, with failures on top. */
export function spark(visit: StaffContext, points: readonly Point[]): Html {
  const wrongOf = ({ unknown, notSent }: Point) => unknown + notSent;
  const most = Math.max(...points.map(callsOf));
  const scale = (calls: number) => Math.round((calls / most) * (high - 2) * 10) / 10;
  const bars = points.map((point, index) => {
    const [all, wrong] = [scale(callsOf(point)), scale(wrongOf(point))];
    const x = index * wide + 1;
    return html`<rect x="${x}" y="${high - all}" width="${wide - 2}" height="${all}"/><rect class="wrong" x="${x}" y="${high - all}" width="${wide - 2}" height="${wrong}"/>`;
  });
  const said = allWords[visit.language].spark(count(visit, most));
  return html`<svg class="spark" role="img" aria-label="${said}" viewBox="0 0 ${points.length * wide} ${high}" preserveAspectRatio="none"><path d="M0 ${high - 0.5}h${points.length * wide}"/>${bars}</svg>`;
}
