import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePrimary } from './primary.ts';

const standby = { error: new Error('it is a standby') };
const silent = undefined;
const unknown = { highestTimeline: 0, current: undefined };

test('chooses the host that takes writes, in any order', () => {
  assert.equal(choosePrimary([{ timeline: 1 }, standby], unknown), 0);
  assert.equal(choosePrimary([standby, { timeline: 1 }], unknown), 1);
  assert.equal(choosePrimary([standby, standby], unknown), undefined);
});

test('prefers the highest timeline', () => {
  assert.equal(choosePrimary([{ timeline: 1 }, { timeline: 3 }, { timeline: 2 }], unknown), 1);
});

test('keeps the current host among equals', () => {
  const twins = [{ timeline: 2 }, { timeline: 2 }];
  assert.equal(choosePrimary(twins, { highestTimeline: 2, current: 1 }), 1);
  assert.equal(choosePrimary(twins, { highestTimeline: 2, current: 0 }), 0);
});

test('never returns to an older timeline than the newest seen', () => {
  assert.equal(
    choosePrimary([{ timeline: 1 }, standby], { highestTimeline: 2, current: 1 }),
    undefined,
  );
  assert.equal(
    choosePrimary([{ timeline: 1 }, standby], { highestTimeline: 2, current: 0 }),
    undefined,
  );
});

test('waits for all hosts before the first timeline, and later takes the first that is new enough', () => {
  assert.equal(choosePrimary([{ timeline: 1 }, silent], unknown), undefined);
  assert.equal(choosePrimary([silent, { timeline: 2 }], { highestTimeline: 1, current: 0 }), 1);
});
