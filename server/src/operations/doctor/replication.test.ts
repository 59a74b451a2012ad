import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeReplication } from './replication.ts';

const safe = { isLive: true, names: 'FIRST 1 (b, c)', commit: 'on', standbys: 2 };
const judge = (change: Partial<typeof safe>, hosts = 2) => {
  const { status, figure } = judgeReplication({ ...safe, ...change }, hosts);
  return `${status}: ${figure}`;
};

test('live money on asynchronous standbys is a warning that says what would be lost', () => {
  const words = /^warning: asynchronous: what was confirmed in the last seconds .* would be lost$/;
  assert.match(judge({ names: '' }), words);
  assert.match(judge({ commit: 'local' }), words);
  assert.match(judge({ commit: 'off' }), words);
  assert.match(judge({ names: '' }, 1), words, 'a standby that DATABASE_URL does not name');
  assert.match(judge({ names: '', standbys: 0 }), words, 'hosts of which none streams now');
});

test('live money with a single synchronous standby is a warning: writes stop when it does', () => {
  assert.match(judge({ standbys: 1 }), /^warning: synchronous/);
  assert.match(judge({ standbys: 0 }), /^warning: synchronous/);
  const finding = judgeReplication({ ...safe, standbys: 1 }, 2);
  assert.match('advice' in finding ? finding.advice : '', /writes stop/);
  assert.equal(judge({}), 'ok: synchronous (FIRST 1 (b, c)), 2 connected');
});

test('without live keys, or without standbys, there is nothing to warn of', () => {
  assert.match(judge({ isLive: false, names: '' }), /^ok: asynchronous/);
  assert.equal(judge({ names: '', standbys: 0 }, 1), 'ok: there is none');
});
