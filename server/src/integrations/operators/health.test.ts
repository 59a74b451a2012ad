import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateOf } from './health.ts';
import { bucketCount, bucketOf } from './measurements/durations.ts';
import type { Sum } from './measurements/sums.ts';

const minuteMs = 60_000;
const nowMs = Date.parse('2026-11-22T12:00:30Z');
const thisMinuteMs = nowMs - 30_000;

interface Calls {
  answered?: number;
  unknown?: number;
  notSent?: number;
  /** Outcomes that the operator reported, and how many of them were its own errors. */
  definite?: number;
  ownRefusals?: number;
  /** How long each answered call took. */
  tookMs?: number;
}

function minute(agoMinutes: number, calls: Calls): Sum {
  const { answered = 0, unknown = 0, notSent = 0, definite = 0, ownRefusals = 0 } = calls;
  const durations = Array.from({ length: bucketCount }, () => 0);
  durations[bucketOf(calls.tookMs ?? 80)] = answered;
  const counts = { answered, refused: 0, unknown, notSent, definite, ownRefusals, pauses: 0 };
  return {
    operator: 'CVMOVEL',
    fromMs: thisMinuteMs - agoMinutes * minuteMs,
    ...counts,
    durations,
  };
}

/** The calls of each minute, by how many minutes ago. */
const judged = (
  calls: Record<number, Calls>,
  pauses: { sinceMs: number; untilMs: number }[] = [],
) =>
  stateOf('CVMOVEL', {
    minutes: Object.entries(calls).map(([ago, each]) => minute(Number(ago), each)),
    processes: [
      { states: { CVMOVEL: { pause: null, waiting: 0 } } },
      ...pauses.map((pause) => ({
        states: { CVMOVEL: { pause: { reason: 'UNANSWERED' as const, ...pause }, waiting: 0 } },
      })),
    ],
    nowMs,
  });

const stateAfter = (calls: Record<number, Calls>) => {
  const { state, reason } = judged(calls);
  return [state, reason];
};
const each = (from: number, until: number, calls: Calls) =>
  Object.fromEntries(Array.from({ length: until - from }, (_, index) => [from + index, calls]));

test('calls an operator up if it answers, or if nobody calls it', () => {
  assert.deepEqual(stateAfter({}), ['UP', null]);
  assert.deepEqual(stateAfter(each(0, 60, { answered: 20 })), ['UP', null]);
  assert.equal(judged(each(0, 60, { answered: 20 })).sinceMs, null);
});

test('calls an operator down at half of ten calls without an answer, and judges no nine calls', () => {
  assert.deepEqual(stateAfter({ 1: { answered: 5, unknown: 5 } }), ['DOWN', 'UNANSWERED']);
  assert.deepEqual(stateAfter({ 1: { answered: 5, notSent: 5 } }), ['DOWN', 'UNANSWERED']);
  assert.deepEqual(stateAfter({ 1: { answered: 4, unknown: 5 } }), ['UP', null]);
  assert.deepEqual(stateAfter({ 1: { answered: 6, unknown: 4 } }), ['DEGRADED', 'UNANSWERED']);
  assert.deepEqual(stateAfter({ 1: { answered: 96, unknown: 4 } }), ['UP', null]);
  assert.deepEqual(stateAfter({ 1: { answered: 95, unknown: 5 } }), ['DEGRADED', 'UNANSWERED']);
});

test('keeps an operator down until four fifths of calls are answered, and says since when', () => {
  const down = { 8: { unknown: 10 } };
  const third = { answered: 7, unknown: 3 };
  // Without the earlier calls, the same share would only be degraded.
  assert.equal(judged(each(0, 5, third)).state, 'DEGRADED');
  const goesOn = judged({ ...down, ...each(0, 8, third) });
  assert.deepEqual([goesOn.state, goesOn.sinceMs], ['DOWN', thisMinuteMs - 8 * minuteMs]);
  assert.equal(judged({ ...down, ...each(0, 8, { answered: 9, unknown: 1 }) }).state, 'DEGRADED');
  const over = judged({ ...down, ...each(0, 8, { answered: 100 }) });
  assert.deepEqual([over.state, over.reason], ['UP', null]);
  assert.equal(over.sinceMs, thisMinuteMs - 3 * minuteMs, 'once nothing of it is in five minutes');
});

test('begins no state with few calls, but continues one with any number', () => {
  assert.equal(judged({ 6: { unknown: 10 }, 1: { unknown: 1 } }).state, 'DOWN');
  assert.equal(judged({ 6: { unknown: 10 } }).state, 'UP', 'after five minutes without any call');
});

test('calls slow and failing operators degraded until they are clearly better', () => {
  assert.deepEqual(stateAfter({ 1: { answered: 20, tookMs: 7_000 } }), ['DEGRADED', 'SLOW']);
  assert.deepEqual(stateAfter({ 1: { answered: 20, tookMs: 4_800 } }), ['UP', null]);
  const before = { 6: { answered: 20, tookMs: 7_000 } };
  assert.deepEqual(stateAfter({ ...before, ...each(0, 6, { answered: 20, tookMs: 4_800 }) }), [
    'DEGRADED',
    'SLOW',
  ]);
  assert.deepEqual(stateAfter({ ...before, ...each(0, 6, { answered: 20 }) }), ['UP', null]);
  const failing = { answered: 20, definite: 10, ownRefusals: 5 };
  assert.deepEqual(stateAfter({ 1: failing }), ['DEGRADED', 'FAILING']);
  assert.deepEqual(stateAfter({ 1: { ...failing, definite: 9 } }), ['UP', null]);
});

test('calls an operator down from the start of a pause in any process until two minutes after its end', () => {
  const good = each(0, 60, { answered: 20 });
  const pauseOf = (sinceMs: number, untilMs: number) => [
    { sinceMs: nowMs - 10 * minuteMs, untilMs: nowMs - 9 * minuteMs },
    { sinceMs, untilMs },
  ];
  const open = judged(good, pauseOf(nowMs - 7_000, nowMs + 1_000));
  assert.deepEqual([open.state, open.reason, open.sinceMs], ['DOWN', 'PAUSED', nowMs - 7_000]);
  assert.equal(judged(good, pauseOf(nowMs - 9_000, nowMs - 100_000)).state, 'DOWN');
  assert.equal(judged(good, pauseOf(nowMs - 9_000, nowMs - 120_001)).state, 'UP');
  const longer = judged({ 3: { unknown: 10 } }, pauseOf(nowMs - 7_000, nowMs + 1_000));
  assert.equal(longer.sinceMs, thisMinuteMs - 3 * minuteMs, 'it was down before');
});

test('judges each operator by its own measurements', () => {
  const minutes = [minute(1, { unknown: 50 })];
  const processes = [
    {
      states: {
        CVMOVEL: {
          pause: { reason: 'REFUSES_US', sinceMs: nowMs, untilMs: nowMs + 1 },
          waiting: 0,
        },
      },
    },
  ] as const;
  const evidence = { minutes, processes, nowMs };
  assert.equal(stateOf('UNITEL_TMAIS', evidence).state, 'UP');
  assert.equal(stateOf('CVMOVEL', evidence).reason, 'REFUSES_US');
});
