import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLog } from './log.ts';
import { Outages, outageOf } from './outage.ts';

function world() {
  const lines: Record<string, unknown>[] = [];
  const log = openLog('info', { write: (line) => lines.push(JSON.parse(line)) });
  const at = { ms: 0, host: 'a:5432' };
  const outages = new Outages({ log, nowMs: () => at.ms, host: () => at.host });
  return { lines, log, at, outages };
}
const lost = () => Object.assign(new Error('the server is stopping'), { code: '57P01' });

test('logs one line at the start of an outage, and one at its end', () => {
  const { lines, at, outages } = world();
  const errors = Array.from({ length: 50 }, lost);
  for (const error of errors) outages.failed(error);
  outageOf(errors[0])!.refused += 3;
  at.ms = 700;
  at.host = 'b:5432';
  outages.answered();
  at.ms = 10_000;
  outages.answered();
  outages.answered();
  assert.equal(lines.length, 2);
  const [begin, end] = lines;
  assert.equal(begin!.host, 'a:5432');
  assert.equal(begin!.code, '57P01');
  assert.equal(begin!.reason, 'the server is stopping');
  assert.deepEqual([end!.host, end!.outageMs, end!.refused], ['b:5432', 700, 3]);
});

test('treats failing writes as one outage although reads succeed', () => {
  const { lines, at, outages } = world();
  for (let round = 0; round < 20; round++) {
    outages.failed(lost());
    at.ms += 6_000;
    outages.answered();
  }
  assert.equal(lines.length, 1);
  at.ms += 10_000;
  outages.answered();
  assert.equal(lines.at(-1)!.outageMs, 120_000);
});

test('logs errors caused by the outage only at debug, and others as usual', () => {
  const { lines, log, outages } = world();
  const error = lost();
  outages.failed(error);
  log.warn({ err: error }, 'could not look for due rows');
  log.child({}).error({ err: new Error('a batch failed', { cause: error }) }, 'one failed');
  assert.equal(lines.length, 1);
  log.warn({ err: new Error('a bug') }, 'another');
  assert.equal(lines.length, 2);
});

test('logs the end if the database answered before closing, and not otherwise', () => {
  const { lines, outages } = world();
  outages.failed(lost());
  outages.close();
  assert.equal(lines.length, 1);
  outages.failed(lost());
  outages.answered();
  outages.close();
  assert.equal(lines.length, 3);
});
