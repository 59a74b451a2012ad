/** The tests read the list on the page: each status is reported in every way, for a debit and for its return. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  debitRequest,
  disbursementRequest,
  reversalRequest,
  startGsma,
} from '../../../../test/operators/adapter.ts';
import type { OperatorAnswer } from '../operator.ts';
import { gsmaCallbacks } from './callbacks.ts';

const page = readFileSync(
  join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'operators.md'),
  'utf8',
);
const rows = page
  .slice(page.indexOf('<!-- statuses:'))
  .split('\n##')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .flatMap(([, words = '', debit = '', givenBack = '', paidOut = '']) =>
    words
      .split(', ')
      .map((word) => ({ word: word.replaceAll('`', ''), debit, givenBack, paidOut })),
  );

/** As on the page. */
const wordOf = (answer: OperatorAnswer | undefined) =>
  answer?.kind === 'failed' ? answer.failureCode : (answer?.kind ?? 'nothing');

const bodyOf = (type: string, status: string, more: object = {}) => ({
  transactionReference: 'TX-1',
  transactionStatus: status,
  type,
  amount: '1',
  currency: 'CVE',
  ...more,
});

test('finds statuses to test on the page', () => assert.ok(rows.length >= 11));

test('interprets every status of a debit as documented, however it is reported', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const { word, debit: meaning } of rows) {
    const body = bodyOf('merchantpay', word);
    provider.fault = ({ method, path }) => {
      if (method === 'POST' || path.startsWith('/transactions')) return { status: 200, body };
      return { status: 200, body: { link: '/transactions/TX-1' } };
    };
    const request = debitRequest();
    assert.equal(wordOf(await operator.requestDebit(request)), meaning, `answered ${word}`);
    assert.equal(wordOf(await operator.queryDebit(debitRequest())), meaning, `asked ${word}`);
    const expected = { kind: 'DEBIT', reference: request.reference, currency: 'CVE' } as const;
    const reported = gsmaCallbacks.read(body)?.answerTo(expected);
    assert.equal(wordOf(reported), meaning, `called back ${word}`);
  }
});

for (const kind of ['REFUND', 'REVERSAL'] as const) {
  test(`interprets every status of a ${kind} as documented, however it is reported`, async (context) => {
    const { provider, operator } = await startGsma(context);
    for (const { word, givenBack } of rows) {
      const [unnamed, ifNamed] = givenBack.split('; succeeded if');
      const named = ifNamed === undefined ? unnamed : 'succeeded';
      const cases = [
        [{}, unnamed],
        [{ originalTransactionReference: 'TX-DEBIT' }, named],
      ] as const;
      for (const [more, meaning] of cases) {
        const body = bodyOf('reversal', word, more);
        provider.fault = ({ method, path }) => {
          if (method === 'POST' || path.startsWith('/transactions')) return { status: 200, body };
          return { status: 200, body: { link: '/transactions/TX-1' } };
        };
        assert.equal(
          wordOf(await operator.reverse(reversalRequest({ kind }))),
          meaning,
          `answered ${word}`,
        );
        assert.equal(
          wordOf(await operator.queryReversal(reversalRequest({ kind }))),
          meaning,
          `asked ${word}`,
        );
        const reported = gsmaCallbacks.read(body)?.answerTo(reversalRequest({ kind }));
        assert.equal(wordOf(reported), meaning, `called back ${word}`);
      }
    }
  });
}

test('interprets every status of a disbursement as documented, however it is reported', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const { word, paidOut } of rows) {
    const body = bodyOf('disbursement', word);
    provider.fault = ({ method, path }) => {
      if (method === 'POST' || path.startsWith('/transactions')) return { status: 200, body };
      return { status: 200, body: { link: '/transactions/TX-1' } };
    };
    const request = disbursementRequest();
    assert.equal(wordOf(await operator.disburse(request)), paidOut, `answered ${word}`);
    const asked = await operator.queryDisbursement(disbursementRequest());
    assert.equal(wordOf(asked), paidOut, `asked ${word}`);
    const { reference, currency } = request;
    const expected = { kind: 'DISBURSEMENT', reference, currency } as const;
    const reported = gsmaCallbacks.read(body)?.answerTo(expected);
    assert.equal(wordOf(reported), paidOut, `called back ${word}`);
  }
});

test('decides nothing by a property name of every JavaScript object', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    provider.fault = ({ method }) =>
      method === 'POST' ? { status: 201, body: bodyOf('merchantpay', word) } : undefined;
    const answer = await operator.requestDebit(debitRequest());
    assert.equal(answer.kind, 'unknown', word);
  }
});
