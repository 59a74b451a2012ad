import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { otherTenantId, startSimulator, tenantId } from '../../../../test/operators/simulated.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import type { DisbursementRequest, FailureCode, OperatorAnswer } from '../operator.ts';
import type { Simulator } from './simulator.ts';

function disbursementOf(
  suffix: string,
  change: Partial<DisbursementRequest> = {},
): DisbursementRequest {
  return {
    tenantId,
    reference: randomUUID(),
    operator: 'MOCK',
    amountMinor: 10_000n,
    currency: 'CVE',
    phone: `+2389910${suffix}`,
    repeated: false,
    ...change,
  };
}

const isDefinite = (answer: OperatorAnswer) => answer.kind !== 'unknown';
const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };

/** Queries until the operator is definite. */
const outcome = (simulator: Simulator, request: DisbursementRequest) =>
  eventually('the operator is definite', async () => {
    const answer = await simulator.queryDisbursement(request);
    return isDefinite(answer) && answer;
  });

test('pays any other number, and calls back once', async (context) => {
  const { simulator, rows, reported } = await startSimulator(context);
  for (const suffix of ['000', '049', '099', '109', '119', '345']) {
    const request = disbursementOf(suffix);
    assert.deepEqual(await simulator.disburse(request), pending);
    const answer = await outcome(simulator, request);
    assert.ok(answer.kind === 'succeeded', suffix);
    assert.equal(answer.amountMinor, 10_000n);
    assert.notEqual(answer.operatorTxId, '');
    await eventually('the callback', () => reported(request.reference).length > 0);
    assert.deepEqual(reported(request.reference), [answer], 'nobody is prompted');
  }
  assert.ok((await rows()).every(({ kind }) => kind === 'DISBURSEMENT'));
});

const reasons: Record<string, FailureCode> = {
  '019': 'PAYEE_LIMIT_REACHED',
  '029': 'PAYEE_NOT_FOUND',
  '039': 'PAYEE_NOT_ALLOWED',
  '059': 'PAYEE_UNREACHABLE',
  '069': 'OPERATOR_ERROR',
  '079': 'OPERATOR_UNAVAILABLE',
};

test('fails each failing number for its reason, and calls back once', async (context) => {
  const { simulator, rows, reported } = await startSimulator(context);
  for (const [suffix, failureCode] of Object.entries(reasons)) {
    const request = disbursementOf(suffix);
    await simulator.disburse(request);
    const answer: OperatorAnswer = { kind: 'failed', failureCode };
    assert.deepEqual(await outcome(simulator, request), answer, suffix);
    await eventually('the callback', () => reported(request.reference).length > 0);
    assert.deepEqual(reported(request.reference), [answer]);
  }
  assert.ok((await rows()).every(({ status }) => status === 'FAILED'));
});

test('decides at once without a delay', async (context) => {
  const { simulator } = await startSimulator(context, { delayMs: 0 });
  assert.equal((await simulator.disburse(disbursementOf('345'))).kind, 'succeeded');
  for (const [suffix, failureCode] of Object.entries(reasons)) {
    const answer = await simulator.disburse(disbursementOf(suffix));
    assert.deepEqual(answer, { kind: 'failed', failureCode });
  }
});

test('never pays a reference twice, however often and concurrently it comes', async (context) => {
  const { simulator, newSimulator, rows, reported } = await startSimulator(context);
  const request = disbursementOf('345');
  const other = newSimulator();
  const simulators = [simulator, other, simulator, other];
  await Promise.all(simulators.map((each) => each.disburse(request)));
  const answer = await outcome(simulator, request);
  assert.deepEqual(await simulator.disburse({ ...request, repeated: true }), answer);
  const louder = { ...request, amountMinor: 99_999n };
  assert.deepEqual(await other.disburse(louder), answer, 'nor with another amount');
  assert.equal((await rows()).length, 1);
  await eventually('the callback', () => reported(request.reference).length > 0);
  assert.equal(reported(request.reference).length, 1);
});

test('keeps the same reference of two tenants apart, and of a debit and a disbursement', async (context) => {
  const { simulator } = await startSimulator(context, { delayMs: 0 });
  const request = disbursementOf('345');
  await simulator.disburse(request);
  assert.equal((await simulator.queryDisbursement(request)).kind, 'succeeded');
  const elsewhere = { ...request, tenantId: otherTenantId };
  assert.deepEqual(await simulator.queryDisbursement(elsewhere), notFound);
  const debit = { ...elsewhere, expiresAtMs: Date.now() + 60_000, abandoned: false };
  await simulator.requestDebit(debit);
  assert.deepEqual(await simulator.queryDisbursement(elsewhere), notFound);
  assert.equal(await simulator.enterPin(tenantId, request.reference), undefined);
});

test('129: pays without any callback', async (context) => {
  const { simulator, reported } = await startSimulator(context);
  const request = disbursementOf('129');
  await simulator.disburse(request);
  assert.equal((await outcome(simulator, request)).kind, 'succeeded');
  const later = disbursementOf('345');
  await simulator.disburse(later);
  await eventually('the callback of a later one', () => reported(later.reference).length > 0);
  assert.deepEqual(reported(request.reference), []);
});

test('139: reports the late success again until the callback arrives', async (context) => {
  let lost = 0;
  const { simulator, reported } = await startSimulator(context, {
    onNotification: async ({ answer }) => {
      if (answer.kind === 'succeeded' && lost++ === 0) throw new Error('the process is killed');
    },
  });
  const request = disbursementOf('139');
  await simulator.disburse(request);
  const successes = () => reported(request.reference).filter(({ kind }) => kind === 'succeeded');
  await eventually('the second callback', () => successes().length === 2);
});

for (const delayMs of [20, 0]) {
  test(`139: reports a failure first, and pays later, after a delay of ${delayMs} ms`, async (context) => {
    const { simulator, rows, reported } = await startSimulator(context, { delayMs });
    const request = disbursementOf('139');
    const failure: OperatorAnswer = { kind: 'failed', failureCode: 'OPERATOR_ERROR' };
    assert.deepEqual(await simulator.disburse(request), delayMs === 0 ? failure : pending);
    const told = await eventually('the late success', () =>
      reported(request.reference).find(({ kind }) => kind === 'succeeded'),
    );
    assert.deepEqual(await simulator.queryDisbursement(request), told, 'and it stays paid');
    const before = delayMs === 0 ? [] : [failure];
    assert.deepEqual(reported(request.reference), [...before, told], 'the failure came first');
    assert.equal((await rows()).length, 1);
  });

  test(`149: calls back twice, after a delay of ${delayMs} ms`, async (context) => {
    const { simulator, rows, reported } = await startSimulator(context, { delayMs });
    const request = disbursementOf('149');
    await simulator.disburse(request);
    const answer = await outcome(simulator, request);
    await eventually('both callbacks', () => reported(request.reference).length >= 2);
    assert.deepEqual(reported(request.reference), [answer, answer]);
    assert.equal((await rows()).length, 1);
  });

  test(`159: pays, but does not answer, after a delay of ${delayMs} ms`, async (context) => {
    const { simulator, reported } = await startSimulator(context, { delayMs });
    const request = disbursementOf('159');
    const lost: OperatorAnswer = { kind: 'unknown', progress: 'UNREACHABLE' };
    assert.deepEqual(await simulator.disburse(request), lost);
    assert.equal((await outcome(simulator, request)).kind, 'succeeded');
    assert.deepEqual(reported(request.reference), []);
  });
}
