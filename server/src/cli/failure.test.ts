import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { reportFailure, wordsOfProblems } from './failure.ts';

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

test('reports files and folders that cannot be used in a sentence', async (context) => {
  const told = context.mock.method(console, 'error', () => {});
  const file = import.meta.filename;
  for (const use of [readFile(import.meta.dirname), mkdir(`${file}/sub`), mkdir(file)]) {
    assert.equal(reportFailure(await use.catch((error: unknown) => error)), 1);
    const words = told.mock.calls.at(-1)!.arguments[0];
    assert.match(String(words), /^A file or folder cannot be used: E[A-Z]+: [^\n]+\.$/);
  }
});

test('prints no values of rows, which a database error quotes', (context) => {
  const told = context.mock.method(console, 'error', () => {});
  const values = {
    code: '22P04',
    detail: 'Key (phone)=(+2389912345)',
    where: 'COPY payments, line 1: "+2389912345"',
  };
  const error = () => Object.assign(new Error('extra data after last expected column'), values);
  const nested = new Error('The restore failed', { cause: new AggregateError([error()]) });
  for (const each of [error(), nested]) assert.equal(reportFailure(each), 1);
  const words = told.mock.calls.map((call) => inspect(call.arguments, { depth: null })).join('');
  assert.match(words, /extra data after last expected column[\s\S]*extra data/);
  assert.doesNotMatch(words, /9912345/);
});

test('prints every problem of a refused request, the first one once', () => {
  const [first, second] = [
    { message: 'amount is required' },
    { message: 'unknown field "colour"' },
  ];
  assert.equal(wordsOfProblems(first!), 'amount is required');
  const words = wordsOfProblems({ ...first!, details: [first!, second!] });
  assert.equal(words, 'amount is required\nunknown field "colour"');
});
