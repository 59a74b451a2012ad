import type { Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { percentileMs } from './measurements/durations.ts';
import {
  minuteSeconds,
  type ProcessOperatorState,
  type Watcher,
  watchers,
} from './measurements/store.ts';
import { type Sum, sumsOf } from './measurements/sums.ts';
import type { OperatorQueue } from './queue.ts';

/**
 * Why an operator is not UP. REFUSES_US: because of our credentials or rate. PAUSED: calls pause after too many
 * without an answer. UNANSWERED: too many calls have no usable answer. FAILING: too many of its outcomes are errors
 * of its own. SLOW: it takes long to answer.
 */
export type HealthReason = 'REFUSES_US' | 'PAUSED' | 'UNANSWERED' | 'FAILING' | 'SLOW';

export interface OperatorState {
  operator: OperatorQueue;
  state: 'UP' | 'DEGRADED' | 'DOWN';
  /** Null while it is UP. */
  reason: HealthReason | null;
  /** Since when, in milliseconds since 1970; null: for longer than the hour in view. */
  sinceMs: number | null;
}

/** The last minutes, which are judged together, and the number of calls needed to judge. */
const windowMinutes = 5;
const fewestCalls = 10;
const lookBackMinutes = 60;
const minuteMs = minuteSeconds * 1_000;

/** Hysteresis: a state starts at the first figure and ends at the second, so that it does not flap. */
const limits = {
  down: { unanswered: [0.5, 0.2] },
  degraded: { unanswered: [0.05, 0.02], failing: [0.5, 0.2], slowMs: [5_000, 3_000] },
} as const;

/**
 * A pause that is over may be followed by another, so it counts for this much longer until a call has shown the
 * state.
 */
const untriedMs = 120_000;

/**
 * The present state of each operator: one rule for pages, `/admin/v1` and notices that an operator is down.
 *
 * DOWN: a circuit breaker is open in any process, or half of at least 10 calls in the last 5 minutes had no usable
 * answer; until less than a fifth has none. DEGRADED: 5 % had none (until less than 2 %), or half of at least 10
 * outcomes were the operator's own errors (until less than a fifth), or 5 % of the calls took 5 seconds (until less
 * than 3). UP: anything else, including an operator that nobody calls. The state follows from the minutes in the
 * database alone: asked twice at the same moment, also in two processes, the answer is the same.
 * @param operators those that are configured for live payments, and SIMULATOR for test mode; answered in this order
 */
export async function operatorStates(
  { database, clock }: { database: Queryable; clock: Clock },
  operators: readonly OperatorQueue[],
): Promise<OperatorState[]> {
  const evidence = await evidenceOf(database, operators, clock.nowMs());
  return operators.map((operator) => stateOf(operator, evidence));
}

/** The input that states of operators follow from. */
export interface Evidence<Process = Watcher> {
  /** At least the minutes of the last hour. */
  minutes: readonly Sum[];
  processes: readonly Process[];
  nowMs: number;
}

export async function evidenceOf(
  database: Queryable,
  operators: readonly OperatorQueue[],
  nowMs: number,
): Promise<Evidence> {
  const fromMs = nowMs - (lookBackMinutes + windowMinutes) * minuteMs;
  const asked = { operators, fromMs, untilMs: nowMs + minuteMs, stepSeconds: minuteSeconds };
  const [minutes, processes] = await Promise.all([sumsOf(database, asked), watchers(database)]);
  return { minutes, processes, nowMs };
}

/** The rule of {@link operatorStates}, for one operator. */
export function stateOf(
  operator: OperatorQueue,
  evidence: Evidence<Pick<Watcher, 'states'>>,
): OperatorState {
  const { minutes, processes, nowMs } = evidence;
  const measured = measuredState(
    minutes.filter((minute) => minute.operator === operator),
    nowMs,
  );
  const pause = openPause(
    processes.map(({ states }) => states[operator]),
    nowMs,
  );
  if (pause === undefined) return { operator, ...measured };
  const reason = pause.reason === 'REFUSES_US' ? 'REFUSES_US' : 'PAUSED';
  // It may have been down before any pause.
  const isLonger = measured.state === 'DOWN';
  const sinceMs = isLonger ? earliest(measured.sinceMs, pause.sinceMs) : pause.sinceMs;
  return { operator, state: 'DOWN', reason, sinceMs };
}

const earliest = (one: number | null, other: number) =>
  one === null ? null : Math.min(one, other);

/** The first pause among those that are in force or whose end no call has tested yet. */
function openPause(here: readonly (ProcessOperatorState | undefined)[], nowMs: number) {
  return here
    .flatMap((each) => each?.pause ?? [])
    .filter(({ untilMs }) => nowMs < untilMs + untriedMs)
    .toSorted((left, right) => left.sinceMs - right.sinceMs)[0];
}

type Judged = Pick<OperatorState, 'state' | 'reason' | 'sinceMs'>;

/** Walks the last hour minute by minute, since each minute's state depends on the one before. */
function measuredState(minutes: readonly Sum[], nowMs: number): Judged {
  const lastMs = Math.floor(nowMs / minuteMs) * minuteMs;
  let judged: Judged = { state: 'UP', reason: null, sinceMs: null };
  for (let back = lookBackMinutes; back >= 0; back--) {
    const atMs = lastMs - back * minuteMs;
    const window = windowAt(minutes, atMs);
    const next = judge(window, judged);
    const isSame = next.state === judged.state;
    judged = { ...next, sinceMs: isSame ? judged.sinceMs : atMs };
  }
  return judged;
}

interface Window {
  calls: number;
  /** Shares from 0 to 1; 0 without calls. */
  unanswered: number;
  definite: number;
  failing: number;
  slowMs: number;
}

function windowAt(minutes: readonly Sum[], atMs: number): Window {
  const inside = minutes.filter(
    ({ fromMs }) => fromMs <= atMs && fromMs > atMs - windowMinutes * minuteMs,
  );
  const sum = (of: (minute: Sum) => number) =>
    inside.reduce((total, minute) => total + of(minute), 0);
  const unanswered = sum(({ unknown, notSent }) => unknown + notSent);
  const calls = unanswered + sum(({ answered, refused }) => answered + refused);
  const definite = sum((minute) => minute.definite);
  const durations = (inside[0]?.durations ?? []).map((_, bucket) =>
    sum((minute) => minute.durations[bucket] ?? 0),
  );
  return {
    calls,
    unanswered: calls === 0 ? 0 : unanswered / calls,
    definite,
    failing: definite === 0 ? 0 : sum(({ ownRefusals }) => ownRefusals) / definite,
    slowMs: percentileMs(durations, 0.95) ?? 0,
  };
}

function judge(window: Window, { state, reason }: Judged): Pick<Judged, 'state' | 'reason'> {
  const { calls, unanswered, definite, failing, slowMs } = window;
  /** Few calls begin no state, but any number continues one. */
  const is = (
    value: number,
    [begins, ends]: readonly [number, number],
    [enough, goesOn]: readonly [boolean, boolean],
  ) => (goesOn ? value >= ends : enough && value >= begins);
  const enough = calls >= fewestCalls;
  const { down, degraded } = limits;
  if (is(unanswered, down.unanswered, [enough, state === 'DOWN'])) {
    return { state: 'DOWN', reason: 'UNANSWERED' };
  }
  // After being down, an operator is degraded by the stricter figure.
  const wasUnanswered = reason === 'UNANSWERED';
  if (is(unanswered, degraded.unanswered, [enough, wasUnanswered])) {
    return { state: 'DEGRADED', reason: 'UNANSWERED' };
  }
  if (is(failing, degraded.failing, [definite >= fewestCalls, reason === 'FAILING'])) {
    return { state: 'DEGRADED', reason: 'FAILING' };
  }
  if (is(slowMs, degraded.slowMs, [enough, reason === 'SLOW'])) {
    return { state: 'DEGRADED', reason: 'SLOW' };
  }
  return { state: 'UP', reason: null };
}
