import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportFailure } from './failure.ts';

test('reports a connection time-out in a sentence, without a stack trace', (context) => {
  const told = context.mock.method(console, 'error', () => {});
  for (const message of [
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Connection terminated due to connection timeout',
    'Connection terminated unexpectedly',
  ]) {
    told.mock.resetCalls();
    assert.equal(reportFailure(new Error(message)), 1);
    const words = told.mock.calls.map((call) => call.arguments[0]);
    assert.equal(words[0], `The database cannot be used: ${message}.`);
    assert.match(String(words[1]), /If the machine is very busy, try again\.$/);
  }
});
