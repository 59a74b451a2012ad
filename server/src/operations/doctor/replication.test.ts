import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeReplication } from './replication.ts';

const safe = { isLive: true, names: 'FIRST 1 (b, c)', commit: 'on', standbys: 2 };
const judge = (change: Partial<typeof safe>, hosts = 2) => {
  const { status, figure } = judgeReplication({ ...safe, ...change }, hosts);
  return `${status}: ${figure}`;
};

test('warns of live money on asynchronous standbys, and names the loss', () => {
  const words = /^warning: asynchronous: a fail-over would lose commits of the last seconds$/;
  assert.match(judge({ names: '' }), words);
  assert.match(judge({ commit: 'local' }), words);
  assert.match(judge({ commit: 'off' }), words);
  assert.match(judge({ names: '' }, 1), words, 'also without the standby in DATABASE_URL');
  assert.match(judge({ names: '', standbys: 0 }), words, 'also if no host streams now');
});

test('warns of live money with a single synchronous standby, without which writes stop', () => {
  assert.match(judge({ standbys: 1 }), /^warning: synchronous/);
  assert.match(judge({ standbys: 0 }), /^warning: synchronous/);
  const finding = judgeReplication({ ...safe, standbys: 1 }, 2);
  assert.match('advice' in finding ? finding.advice : '', /writes stop/);
  assert.equal(judge({}), 'ok: synchronous (FIRST 1 (b, c)), 2 connected');
});

test('accepts any replication without live keys, and none without standbys', () => {
  assert.match(judge({ isLive: false, names: '' }), /^ok: asynchronous/);
  assert.equal(judge({ names: '', standbys: 0 }, 1), 'ok: there is none');
});
