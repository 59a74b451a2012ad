import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  debitRequest,
  disbursementRequest,
  startGsma,
} from '../../../../test/operators/adapter.ts';
import { type Fault, failure } from '../../../../test/operators/provider.ts';
import type { CallOutcome } from '../adapter.ts';
import type { OperatorAnswer, ReversalRequest } from '../operator.ts';
import { gsmaCallbacks } from './callbacks.ts';

/** The tests read the list on the page, and check the code against it over HTTP, row by row. */
const page = readFileSync(
  join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'operators.md'),
  'utf8',
);
const rows = page
  .slice(page.indexOf('<!-- errors:'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Category'))
  .map((line) => line.split('|').map((cell) => cell.trim()) as string[])
  .flatMap(([, category, codes = '', refused, ended, paidOut]) =>
    codes.split(', ').map((code) => ({ category, code, refused, ended, paidOut }) as Row),
  );

interface Row {
  category: string;
  code: string;
  refused: string;
  ended: string;
  /** Of a disbursement. */
  paidOut: string;
}

const statusOf: Record<string, number> = {
  authorisation: 401,
  identification: 404,
  internal: 500,
  serviceUnavailable: 503,
};

/** As a row of the page. */
function wordOf(answer: OperatorAnswer, calls: CallOutcome[]): string {
  if (answer.kind === 'failed') return answer.failureCode;
  assert.equal(answer.kind, 'unknown');
  return calls.includes('misconfigured') ? 'MISCONFIGURED' : 'ASK';
}

test('interprets every error of the standard as documented: refused', async (context) => {
  const calls: CallOutcome[] = [];
  const options = { onCall: (outcome: CallOutcome) => calls.push(outcome) };
  const { provider, operator } = await startGsma(context, {}, options);
  for (const { category, code, refused } of rows) {
    calls.length = 0;
    provider.fault = ({ method }): Fault | undefined =>
      method === 'POST' ? failure(statusOf[category] ?? 400, category, code) : undefined;
    const answer = await operator.requestDebit(debitRequest());
    assert.equal(wordOf(answer, calls), refused, `${category}/${code}`);
  }
});

test('interprets every error of the standard as documented: a disbursement refused', async (context) => {
  const calls: CallOutcome[] = [];
  const options = { onCall: (outcome: CallOutcome) => calls.push(outcome) };
  const { provider, operator } = await startGsma(context, {}, options);
  for (const { category, code, refused, paidOut } of rows) {
    calls.length = 0;
    provider.fault = ({ method }): Fault | undefined =>
      method === 'POST' ? failure(statusOf[category] ?? 400, category, code) : undefined;
    const answer = await operator.disburse(disbursementRequest());
    // Only a disbursement that the operator knows has a state.
    const isKnown = code === 'incorrectState';
    const meaning = ['ASK', 'MISCONFIGURED'].includes(refused)
      ? refused
      : isKnown
        ? 'ASK'
        : paidOut;
    assert.equal(wordOf(answer, calls), meaning, `${category}/${code}`);
  }
});

test('interprets every error of the standard as documented: a disbursement ended', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const { category, code, paidOut } of rows) {
    const error = { errorCategory: category, errorCode: code };
    const body = { serverCorrelationId: randomUUID(), status: 'failed', error };
    provider.fault = () => ({ status: 202, body });
    const answer = await operator.disburse(disbursementRequest());
    assert.equal(wordOf(answer, []), paidOut, `${category}/${code}`);
    const expected = { kind: 'DISBURSEMENT', reference: randomUUID(), currency: 'CVE' } as const;
    const told = gsmaCallbacks.read(error)?.answerTo(expected);
    assert.equal(wordOf(told!, []), paidOut, `${category}/${code}, called back`);
  }
});

test('interprets every error of the standard as documented: ended', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const { category, code, ended } of rows) {
    const error = { errorCategory: category, errorCode: code };
    const body = { serverCorrelationId: randomUUID(), status: 'failed', error };
    provider.fault = () => ({ status: 202, body });
    assert.equal(
      wordOf(await operator.requestDebit(debitRequest()), []),
      ended,
      `${category}/${code}`,
    );
  }
});

test('documents every code of the standard', {
  skip: process.env.GSMA_OPENAPI
    ? false
    : 'GSMA_OPENAPI does not name the document of the standard',
}, async () => {
  const { parse } = await import('yaml');
  const standard = parse(readFileSync(process.env.GSMA_OPENAPI!, 'utf8'));
  const { errorCategory, errorCode } = standard.components.schemas.errorObject.properties;
  const sorted = (words: string[]) => [...new Set(words)].sort();
  assert.deepEqual(sorted(rows.map(({ category }) => category)), sorted(errorCategory.enum));
  assert.deepEqual(sorted(rows.map(({ code }) => code)), sorted(errorCode.enum));
});

const unusable: Record<string, Fault> = {
  'a page of a proxy': { status: 404, body: '<html>Not Found</html>' },
  'a gateway time-out': { status: 504, body: '' },
  'an error of a kind that the standard lacks': failure(400, 'businessRule', 'walletOfTheMoon'),
  'a redirect': { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } },
  'JSON that is neither': { status: 200, body: { hello: 'world' } },
  'a broken connection': 'break after',
};

for (const [what, fault] of Object.entries(unusable)) {
  test(`queries an unknown outcome after an unusable answer: ${what}`, async (context) => {
    const { provider, operator } = await startGsma(context);
    const debit = debitRequest();
    provider.fault = () => fault;
    const answers = [await operator.requestDebit(debit), await operator.queryDebit(debit)];
    for (const answer of answers) {
      assert.ok(answer.kind === 'unknown' && answer.progress !== 'NOT_FOUND', answer.kind);
    }
  });
}

test('never takes an accepted request for one that the operator does not know', async (context) => {
  const { provider, operator } = await startGsma(context);
  const debit = { ...debitRequest(), phone: '+2389910109' };
  assert.equal((await operator.requestDebit(debit)).kind, 'unknown');
  provider.fault = () => failure(404, 'identification', 'identifierError');
  const answer = await operator.queryDebit(debit);
  assert.deepEqual(answer, { kind: 'unknown', progress: 'PENDING' });
});

test('distinguishes a debit from its return, and a return from a debit', async (context) => {
  const { provider, operator } = await startGsma(context);
  const debit = debitRequest();
  const refund: ReversalRequest = { ...debit, kind: 'REFUND', operatorTxId: 'TX-1' };
  const isTaken = async (type: string, call: () => Promise<OperatorAnswer>) => {
    const transactionStatus = 'completed';
    const body = { transactionReference: 'TX-7', transactionStatus, type, amount: '1' };
    provider.fault = () => ({ status: 201, body });
    return (await call()).kind === 'succeeded';
  };
  for (const [type, givesBack] of Object.entries({ merchantpay: false, reversal: true })) {
    assert.equal(await isTaken(type, () => operator.requestDebit(debit)), !givesBack);
    assert.equal(await isTaken(type, () => operator.reverse(refund)), givesBack);
  }
});
