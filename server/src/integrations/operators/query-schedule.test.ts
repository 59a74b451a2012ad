import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Progress } from './operator.ts';
import {
  afterUnknown,
  leaseForQuery,
  leaseMarginMs,
  nextQueryMs,
  queryBackoff,
  requestIsOver,
  watchIsOver,
} from './query-schedule.ts';

const timing = {
  operatorTimeoutMs: 10_000,
  firstBackoffMs: 5_000,
  maxBackoffMs: 3_600_000,
  watchMs: 3 * 86_400_000,
};
const asked = { deduplicates: false, answersQueries: true };
const createdAtMs = Date.parse('2026-11-21T10:00:00.000Z');
const sentAtMs = createdAtMs;
const overMs = sentAtMs + 12_001;
const watchEndMs = sentAtMs + timing.watchMs;
const next = (
  progress: Progress,
  { sentAt = sentAtMs as number | null, atMs = overMs, traits = asked, queryCount = 0 } = {},
) => afterUnknown({ sentAtMs: sentAt, queryCount, createdAtMs }, progress, atMs, timing, traits);

test('sends an unsent request once the operator does not know it', () => {
  const sentAt = null;
  assert.deepEqual(next('NOT_FOUND', { sentAt }), { kind: 'SEND' });
  assert.deepEqual(next('PENDING', { sentAt }), { kind: 'TAKEN', dueAtMs: overMs + 5_000 });
  assert.deepEqual(next('MISMATCH', { sentAt }), { kind: 'TAKEN', dueAtMs: overMs + 5_000 });
  for (const progress of ['UNREACHABLE', 'NOT_SENT'] as const) {
    assert.deepEqual(next(progress, { sentAt }), { kind: 'WAIT', dueAtMs: overMs + 5_000 });
  }
});

test('resends a request only to an operator that deduplicates, and not while the first may be on its way', () => {
  const traits = { ...asked, deduplicates: true };
  assert.deepEqual(next('NOT_FOUND', { traits }), { kind: 'SEND' });
  assert.equal(next('NOT_FOUND', { traits, atMs: overMs - 1 }).kind, 'WAIT');
  assert.deepEqual(next('NOT_FOUND'), { kind: 'WAIT', dueAtMs: overMs + 5_000 });
  assert.equal(next('NOT_SENT', { traits }).kind, 'WAIT', 'a question proves nothing of a request');
});

test('stops sending a request to an operator that never accepts a repetition', () => {
  const traits = { ...asked, deduplicates: true };
  const atMs = createdAtMs + timing.watchMs;
  const sentAt = atMs - 20_000;
  assert.equal(next('NOT_FOUND', { traits, sentAt, atMs: atMs - 1 }).kind, 'SEND');
  assert.equal(next('NOT_FOUND', { traits, sentAt, atMs }).kind, 'WAIT');
});

test('queries a request at growing intervals for days, then marks it as not received or leaves it to a person', () => {
  const late = { atMs: watchEndMs - 1, queryCount: 40 };
  assert.deepEqual(next('NOT_FOUND', late), { kind: 'WAIT', dueAtMs: watchEndMs });
  const atMs = watchEndMs;
  assert.deepEqual(next('NOT_FOUND', { atMs }), { kind: 'NOT_RECEIVED' });
  for (const progress of ['PENDING', 'PROMPTED', 'UNREACHABLE', 'NOT_SENT'] as const) {
    assert.deepEqual(next(progress, { atMs }), { kind: 'UNCLEAR' });
  }
  const traits = { ...asked, answersQueries: false };
  assert.deepEqual(next('NOT_FOUND', { atMs, traits }), { kind: 'UNCLEAR' });
});

test('doubles the intervals between queries, up to the longest', () => {
  const intervals = [0, 1, 2, 3, 9, 10, 31, 1_000].map(
    (queryCount) => nextQueryMs({ queryCount }, sentAtMs, timing) - sentAtMs,
  );
  const seconds = [5, 10, 20, 40, 2_560, 3_600, 3_600, 3_600];
  assert.deepEqual(
    intervals,
    seconds.map((count) => count * 1_000),
  );
});

test('queries an outcome some forty times in three days', () => {
  let queryCount = 0;
  for (let atMs = sentAtMs; atMs < watchEndMs; queryCount += 1) {
    atMs = nextQueryMs({ queryCount }, atMs, queryBackoff);
  }
  assert.equal(queryCount, 39);
});

test('counts a request as over only after its time-out, and never an unsent request', () => {
  assert.equal(requestIsOver({ sentAtMs }, overMs - 1, timing), false);
  assert.equal(requestIsOver({ sentAtMs }, overMs, timing), true);
  assert.equal(requestIsOver({ sentAtMs: null }, overMs, timing), false);
});

test('watches a request for three days after it was sent', () => {
  assert.equal(watchIsOver({ sentAtMs }, watchEndMs - 1, timing), false);
  assert.equal(watchIsOver({ sentAtMs }, watchEndMs, timing), true);
  assert.equal(watchIsOver({ sentAtMs: null }, watchEndMs, timing), false);
});

test('begins a query only under a lease that outlasts its time-out', () => {
  const clock = { nowMs: () => sentAtMs };
  const endMs = sentAtMs + timing.operatorTimeoutMs;
  assert.equal(leaseForQuery(clock, endMs + 1, timing), endMs + 1);
  assert.equal(leaseForQuery(clock, endMs, timing), endMs);
  assert.equal(leaseForQuery(clock, endMs - 1, timing), endMs + leaseMarginMs);
});
