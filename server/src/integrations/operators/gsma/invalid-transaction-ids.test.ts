/** Ids in an operator's answers that cannot be booked or queried. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { debitRequest, startGsma } from '../../../../test/operators/adapter.ts';
import { isName } from '../transaction-ids.ts';
import { answerOfCallback } from './answers.ts';
import { gsmaCallbacks } from './callbacks.ts';

const odd = ['TX\0-1', 'TX\ud800', 'TX\u202e1', 'x'.repeat(999), ' TX', 'TX\n'];

async function start(context: TestContext) {
  const { provider, operator } = await startGsma(context, { MODE: 'polling' });
  /** The operator's answer to each path that matches. */
  const answers = (given: Record<string, unknown>) => {
    provider.fault = ({ path }) => {
      const found = Object.entries(given).find(([part]) => path.includes(part));
      return found && { status: 200, body: JSON.stringify(found[1]) };
    };
  };
  return { operator, answers };
}

test('neither throws at an unusable id of an operator nor books it', async (context) => {
  const { operator, answers } = await start(context);
  for (const name of odd) {
    const transaction = {
      transactionReference: name,
      transactionStatus: 'completed',
      amount: '1',
      currency: 'CVE',
    };
    answers({ '/transactions/type': transaction });
    const answer = await operator.requestDebit(debitRequest());
    assert.ok(answer.kind === 'unknown' && answer.progress === 'MISMATCH', JSON.stringify(name));
    assert.ok(isName(answer.reported?.operatorTxId) || name.length > 256 || name.startsWith(' '));
    const request = debitRequest();
    answers({ '/transactions/type': { serverCorrelationId: name, status: 'pending' } });
    assert.equal((await operator.requestDebit(request)).kind, 'unknown');
    const state = { serverCorrelationId: randomUUID(), status: 'completed', objectReference: name };
    answers({ '/transactions/type': state });
    const ended = await operator.requestDebit(debitRequest());
    assert.ok(ended.kind === 'unknown' && ended.progress === 'MISMATCH', JSON.stringify(name));
    for (const link of [`/transactions/${name}`, `/requeststates/${name}`, '/requeststates/1']) {
      answers({ '/responses/': { link }, '/requeststates/': state, '/transactions/': transaction });
      assert.equal((await operator.queryDebit(request)).kind, 'unknown', JSON.stringify(link));
    }
    answers({ '/transactions/type': { errorCategory: name, errorCode: name } });
    assert.equal((await operator.requestDebit(debitRequest())).kind, 'unknown');
  }
});

test('accepts a callback with an unusable id, but books nothing', () => {
  const expected = { kind: 'DEBIT', reference: randomUUID(), currency: 'CVE' } as const;
  for (const transactionReference of odd) {
    const body = {
      transactionReference,
      transactionStatus: 'completed',
      amount: '1',
      currency: 'CVE',
    };
    assert.ok(gsmaCallbacks.read(body), JSON.stringify(transactionReference));
    assert.equal(answerOfCallback(body, expected), undefined);
  }
});
