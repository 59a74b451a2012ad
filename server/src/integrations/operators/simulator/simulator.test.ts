import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { otherTenantId, startSimulator, tenantId } from '../../../../test/operators/simulated.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { addTenants } from '../../../../test/support/tenants.ts';
import type { DebitRequest, FailureCode, OperatorAnswer, ReversalRequest } from '../operator.ts';
import type { Simulator } from './simulator.ts';
import {
  findDueTransactions,
  insertTransactions,
  type SimulatedTransaction,
  transitionTransactions,
} from './store.ts';

const distantMs = 3_600_000;

function debitOf(suffix: string, change: Partial<DebitRequest> = {}): DebitRequest {
  return {
    tenantId,
    reference: randomUUID(),
    operator: 'MOCK',
    amountMinor: 10_000n,
    currency: 'CVE',
    phone: `+2389910${suffix}`,
    expiresAtMs: Date.now() + distantMs,
    abandoned: false,
    repeated: false,
    ...change,
  };
}

const isDefinite = (answer: OperatorAnswer) => answer.kind !== 'unknown';

/** Queries until the operator is definite. */
const outcome = (simulator: Simulator, request: DebitRequest) =>
  eventually('the operator is definite', async () => {
    const answer = await simulator.queryDebit(request);
    return isDefinite(answer) && answer;
  });

const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
const prompted: OperatorAnswer = { kind: 'unknown', progress: 'PROMPTED' };

test('debits any other number and calls back once', async (context) => {
  const { simulator, rows, reported } = await startSimulator(context);
  for (const suffix of ['000', '345', '119', '999']) {
    const request = debitOf(suffix);
    assert.deepEqual(await simulator.requestDebit(request), pending);
    const answers = await eventually('the callback of the debit', () => {
      const all = reported(request.reference);
      return all.some(isDefinite) && all;
    });
    const answer = answers.at(-1)!;
    assert.ok(answer.kind === 'succeeded');
    assert.equal(answer.amountMinor, 10_000n);
    assert.notEqual(answer.operatorTxId, '');
    assert.deepEqual(await simulator.queryDebit(request), answer);
    const before = answers.slice(0, -1);
    assert.ok(before.length <= 1, 'the customer is prompted once, unless he was quicker');
    assert.deepEqual(before[0] ?? prompted, prompted);
  }
  assert.equal((await rows()).length, 4);
});

test('fails each failing number for its reason and calls back once', async (context) => {
  const { simulator, rows, reported } = await startSimulator(context);
  const reasons: Record<string, FailureCode> = {
    '019': 'PAYER_LIMIT_REACHED',
    '029': 'PAYER_NOT_FOUND',
    '039': 'PAYER_DECLINED',
    '049': 'INSUFFICIENT_FUNDS',
    '059': 'PAYER_UNREACHABLE',
    '069': 'OPERATOR_ERROR',
    '079': 'OPERATOR_UNAVAILABLE',
    '099': 'PAYER_AUTH_FAILED',
  };
  for (const [suffix, failureCode] of Object.entries(reasons)) {
    const request = debitOf(suffix);
    await simulator.requestDebit(request);
    const answer: OperatorAnswer = { kind: 'failed', failureCode };
    assert.deepEqual(await outcome(simulator, request), answer, suffix);
    await eventually('the callback', () => reported(request.reference).some(isDefinite));
    assert.deepEqual(reported(request.reference).filter(isDefinite), [answer]);
  }
  assert.ok((await rows()).every(({ status }) => status === 'FAILED'));
});

test('decides at once without a delay', async (context) => {
  const { simulator, rows } = await startSimulator(context, { delayMs: 0 });
  assert.equal((await simulator.requestDebit(debitOf('345'))).kind, 'succeeded');
  assert.deepEqual(await simulator.requestDebit(debitOf('049')), {
    kind: 'failed',
    failureCode: 'INSUFFICIENT_FUNDS',
  });
  assert.deepEqual(await simulator.requestDebit(debitOf('159')), pending);
  assert.equal((await rows()).length, 3);
});

test('never debits a reference twice, however often and concurrently it comes', async (context) => {
  const { simulator, newSimulator, rows, reported } = await startSimulator(context);
  const request = debitOf('345');
  const other = newSimulator();
  const simulators = [simulator, other, simulator, other];
  await Promise.all(simulators.map((each) => each.requestDebit(request)));
  const answer = await outcome(simulator, request);
  assert.deepEqual(await simulator.requestDebit(request), answer);
  const louder = { ...request, amountMinor: 99_999n };
  assert.deepEqual(await other.requestDebit(louder), answer, 'nor with another amount');
  assert.equal((await rows()).length, 1);
  await eventually('the callback', () => reported(request.reference).some(isDefinite));
  assert.equal(reported(request.reference).filter(isDefinite).length, 1);
});

test('keeps the same reference of two tenants apart', async (context) => {
  const { simulator, rows } = await startSimulator(context, { delayMs: 0 });
  const request = debitOf('345');
  const elsewhere = { ...request, tenantId: otherTenantId, phone: '+2389910049' };
  await simulator.requestDebit(request);
  const unknown: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
  assert.deepEqual(await simulator.queryDebit(elsewhere), unknown);
  assert.equal((await simulator.requestDebit(elsewhere)).kind, 'failed');
  assert.equal((await simulator.queryDebit(request)).kind, 'succeeded');
  assert.equal((await rows()).length, 2);
});

test('109: never gets an answer from the customer, and gives up at the expiry', async (context) => {
  const { simulator, reported } = await startSimulator(context);
  const request = debitOf('109');
  await simulator.requestDebit(request);
  await eventually('prompted', () => reported(request.reference).length > 0);
  assert.deepEqual(await simulator.queryDebit(request), prompted);
  const brief = debitOf('109', { expiresAtMs: Date.now() + 60 });
  await simulator.requestDebit(brief);
  const timedOut: OperatorAnswer = { kind: 'failed', failureCode: 'CONFIRMATION_TIMEOUT' };
  assert.deepEqual(await outcome(simulator, brief), timedOut);
  assert.deepEqual(await simulator.queryDebit(request), prompted, 'the other has time left');
});

test('129: debits without any callback', async (context) => {
  const { simulator, reported } = await startSimulator(context);
  const request = debitOf('129');
  await simulator.requestDebit(request);
  assert.equal((await outcome(simulator, request)).kind, 'succeeded');
  const later = debitOf('345');
  await simulator.requestDebit(later);
  await eventually('the callback of a later debit', () =>
    reported(later.reference).some(isDefinite),
  );
  assert.deepEqual(reported(request.reference), []);
});

test('139: debits only once nobody waits for it any more', async (context) => {
  const { simulator, rows, reported, confirm } = await startSimulator(context);
  const request = debitOf('139', { expiresAtMs: Date.now() + 1 });
  await simulator.requestDebit(request);
  await eventually('prompted', () => reported(request.reference).length > 0);
  await confirm(request);
  assert.deepEqual(await simulator.queryDebit(request), prompted, 'even after its expiry');
  const abandoned = { ...request, abandoned: true };
  const answer = await simulator.queryDebit(abandoned);
  assert.equal(answer.kind, 'succeeded');
  assert.deepEqual(await simulator.queryDebit(abandoned), answer);
  assert.deepEqual(reported(request.reference), [prompted, answer], 'one callback tells of it');
  assert.equal((await rows()).length, 1);
});

for (const delayMs of [20, 0]) {
  test(`149: calls back twice about the debit, after a delay of ${delayMs} ms`, async (context) => {
    const { simulator, rows, reported } = await startSimulator(context, { delayMs });
    const request = debitOf('149');
    await simulator.requestDebit(request);
    const answer = await outcome(simulator, request);
    const definite = () => reported(request.reference).filter(isDefinite);
    await eventually('the second callback', () => definite().length >= 2);
    assert.deepEqual(definite(), [answer, answer]);
    assert.equal((await rows()).length, 1);
  });
}

test('159: waits for the confirmation through the API, and debits once', async (context) => {
  const { simulator, reported, confirm } = await startSimulator(context);
  const request = debitOf('159');
  await simulator.requestDebit(request);
  await eventually('prompted', () => reported(request.reference).length > 0);
  const later = debitOf('345');
  await simulator.requestDebit(later);
  await outcome(simulator, later);
  assert.deepEqual(await simulator.queryDebit(request), prompted);
  await confirm(request);
  await confirm(request);
  const answer = await simulator.queryDebit(request);
  assert.equal(answer.kind, 'succeeded');
  assert.deepEqual(
    reported(request.reference),
    [prompted],
    'who plays the customer needs no callback',
  );
});

test('159: expires without a confirmation in time', async (context) => {
  const { simulator, confirm } = await startSimulator(context);
  const request = debitOf('159', { expiresAtMs: Date.now() + 60 });
  await simulator.requestDebit(request);
  const timedOut: OperatorAnswer = { kind: 'failed', failureCode: 'CONFIRMATION_TIMEOUT' };
  assert.deepEqual(await outcome(simulator, request), timedOut);
  await confirm(request);
  assert.deepEqual(await simulator.queryDebit(request), timedOut, 'and is not debited later');
});

test('fails an early confirmation at once if the customer would have failed', async (context) => {
  const { simulator, confirm } = await startSimulator(context, { delayMs: distantMs });
  const failing = debitOf('049');
  const paying = debitOf('345');
  await simulator.requestDebit(failing);
  await simulator.requestDebit(paying);
  await confirm(failing);
  await confirm(paying);
  assert.deepEqual(await simulator.queryDebit(failing), {
    kind: 'failed',
    failureCode: 'INSUFFICIENT_FUNDS',
  });
  assert.equal((await simulator.queryDebit(paying)).kind, 'succeeded');
});

test('is not affected by a lost callback: a query finds the outcome', async (context) => {
  const onNotification = () => Promise.reject(new Error('nobody listens'));
  const { simulator, reported } = await startSimulator(context, { onNotification });
  const request = debitOf('149');
  await simulator.requestDebit(request);
  assert.equal((await outcome(simulator, request)).kind, 'succeeded');
  await eventually(
    'both callbacks',
    () => reported(request.reference).filter(isDefinite).length === 2,
  );
});

for (const kind of ['REVERSAL', 'REFUND'] as const) {
  test(`makes a ${kind} once, however often and concurrently it is requested`, async (context) => {
    const { simulator, rows } = await startSimulator(context, { delayMs: 0 });
    const request = debitOf('345');
    const debited = await simulator.requestDebit(request);
    assert.ok(debited.kind === 'succeeded');
    const { operatorTxId } = debited;
    const reversal: ReversalRequest = { ...request, kind, reference: randomUUID(), operatorTxId };
    const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
    assert.deepEqual(await simulator.queryReversal(reversal), notFound);
    const answers = await Promise.all([1, 2, 3].map(() => simulator.reverse(reversal)));
    const answer = await simulator.reverse(reversal);
    assert.ok(answer.kind === 'succeeded');
    assert.equal(answer.amountMinor, 10_000n);
    assert.deepEqual(answers, [answer, answer, answer]);
    assert.deepEqual(await simulator.queryReversal(reversal), answer);
    const kinds = (await rows()).map((row) => row.kind);
    assert.deepEqual(kinds.sort(), ['DEBIT', kind]);
  });
}

test('fails every refund of a 119 and of a debit that never was, but not a reversal', async (context) => {
  const { simulator } = await startSimulator(context, { delayMs: 0 });
  const request = debitOf('119');
  const debited = await simulator.requestDebit(request);
  assert.ok(debited.kind === 'succeeded');
  const { operatorTxId } = debited;
  const ask = (kind: 'REFUND' | 'REVERSAL', of: string) =>
    simulator.reverse({ ...request, kind, reference: randomUUID(), operatorTxId: of });
  const failed: OperatorAnswer = { kind: 'failed', failureCode: 'OPERATOR_REJECTED' };
  assert.deepEqual(await ask('REFUND', operatorTxId), failed);
  assert.deepEqual(await ask('REFUND', operatorTxId), failed);
  assert.deepEqual(await ask('REFUND', 'SIMNOTHING'), failed);
  assert.equal((await ask('REVERSAL', operatorTxId)).kind, 'succeeded');
});

test('does each step once in two processes that look at the same time', async (context) => {
  const { database } = await testDatabase(context);
  await addTenants(database, tenantId, otherTenantId);
  const dueAtMs = 1_000;
  const rows = Array.from({ length: 40 }, (): SimulatedTransaction => {
    const { tenantId, reference, operator, phone, amountMinor, currency } = debitOf('345');
    const debit = { tenantId, reference, operator, phone, amountMinor, currency };
    const times = { decideAtMs: 4_000, expiresAtMs: distantMs, dueAtMs, createdAtMs: 0 };
    const open = { kind: 'DEBIT', status: 'PENDING', failureCode: null } as const;
    return { ...debit, ...times, ...open, operatorTxId: reference, reversedTxId: null };
  });
  await insertTransactions(database, rows);
  const seen = await Promise.all([1, 2].map(() => findDueTransactions(database, dueAtMs, 100)));
  assert.deepEqual(
    seen.map((due) => due.length),
    [40, 40],
  );
  const moved = await Promise.all(
    seen.map((due) =>
      transitionTransactions(
        database,
        due.map((row) => ({
          next: { ...row, status: 'PROMPTED' as const, dueAtMs: 4_000 },
          dueAtMs,
        })),
      ),
    ),
  );
  const all = moved.flatMap((references) => [...references]);
  assert.equal(all.length, 40);
  assert.equal(new Set(all).size, 40);
});
