import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { CallbackFormat } from '../../src/integrations/operators/adapter.ts';
import type { CallbackKind } from '../../src/integrations/operators/callback-token.ts';
import type {
  DebitRequest,
  FailureCode,
  Operator,
  OperatorAnswer,
  OperatorName,
  ReversalRequest,
} from '../../src/integrations/operators/operator.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';

/** An operator whose other end behaves as the last digits of the phone say (docs/simulator.md). */
export interface Subject {
  operator: Operator;
  name: OperatorName;
  /** The operator's notification about a reference; undefined if it never sends one. */
  told?: (reference: string) => OperatorAnswer[];
  /** How many debits, reversals and disbursements the operator has carried out. */
  carriedOut: () => Promise<number>;
  /** Nobody can reach the operator any more; without it, the operator is always there. */
  goDown?: () => void;
  /** From now on, the operator reports a disbursement with something that was not requested. */
  misreport?: (reference: string, what: 'amount' | 'currency' | 'phone') => void;
}

/** The path of a callback is its kind and its reference. */
export async function startCallbackReceiver(context: TestContext, format: CallbackFormat) {
  const notifications = new Map<string, OperatorAnswer[]>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, kind, reference = ''] = request.url!.split('/');
    const expected = { kind: kind as CallbackKind, reference, currency: 'CVE' };
    const told = format.read(JSON.parse(Buffer.concat(chunks).toString()));
    const isRightMethod = request.method === format.method;
    const answer = isRightMethod ? told?.answerTo(expected) : undefined;
    if (answer) notifications.set(reference, [...(notifications.get(reference) ?? []), answer]);
    response.writeHead(answer ? 204 : 400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, told: (reference: string) => notifications.get(reference) ?? [] };
}

/** The tenant of these debits: an operator that stores them needs it in its database. */
export const conformingTenant = randomUUID();

function debitOf({ name }: Subject, suffix: string): DebitRequest {
  return {
    tenantId: conformingTenant,
    reference: randomUUID(),
    operator: name,
    amountMinor: 10_050n,
    currency: 'CVE',
    phone: `+2389910${suffix}`,
    expiresAtMs: Date.now() + 3_600_000,
    abandoned: false,
    repeated: false,
  };
}

const refundOf = (debit: DebitRequest, operatorTxId: string, amountMinor: bigint) =>
  ({
    kind: 'REFUND',
    tenantId: debit.tenantId,
    reference: randomUUID(),
    operator: debit.operator,
    operatorTxId,
    amountMinor,
    currency: debit.currency,
    repeated: false,
  }) satisfies ReversalRequest;

/** Queries until the operator is definite. */
export const definite = (ask: () => Promise<OperatorAnswer>) =>
  eventually('the operator is definite', async () => {
    const answer = await ask();
    return answer.kind !== 'unknown' && answer;
  });

export async function debited(subject: Subject, suffix = '345') {
  const request = debitOf(subject, suffix);
  await subject.operator.requestDebit(request);
  const answer = await definite(() => subject.operator.queryDebit(request));
  assert.ok(answer.kind === 'succeeded');
  return { request, answer };
}

/** What every operator promises, whoever is behind it. */
const promises: Record<string, (subject: Subject) => Promise<void>> = {
  'a debit succeeds with its exact amount, and stays what it is': async (subject) => {
    const { request, answer } = await debited(subject);
    assert.equal(answer.amountMinor, 10_050n);
    assert.notEqual(answer.operatorTxId, '');
    assert.deepEqual(await subject.operator.queryDebit(request), answer);
    if (!subject.told) return;
    const { told } = subject;
    const isTold = () => told(request.reference).some(({ kind }) => kind === 'succeeded');
    await eventually('the callback', isTold);
    assert.deepEqual(told(request.reference).at(-1), answer);
  },

  'a debit fails for its reason': async (subject) => {
    const reasons: Record<string, FailureCode> = {
      '019': 'PAYER_LIMIT_REACHED',
      '029': 'PAYER_NOT_FOUND',
      '039': 'PAYER_DECLINED',
      '049': 'INSUFFICIENT_FUNDS',
      '099': 'PAYER_AUTH_FAILED',
    };
    for (const [suffix, failureCode] of Object.entries(reasons)) {
      const request = debitOf(subject, suffix);
      const first = await subject.operator.requestDebit(request);
      const answer =
        first.kind === 'unknown'
          ? await definite(() => subject.operator.queryDebit(request))
          : first;
      assert.deepEqual(answer, { kind: 'failed', failureCode });
    }
    assert.equal(await subject.carriedOut(), 0);
  },

  'the same reference never debits twice, and is no failure': async (subject) => {
    const request = debitOf(subject, '345');
    const ask = () => subject.operator.requestDebit(request);
    const answers = await Promise.all([ask(), ask(), ask()]);
    assert.ok(answers.every(({ kind }) => kind !== 'failed'));
    const answer = await definite(() => subject.operator.queryDebit(request));
    assert.deepEqual(await ask(), answer);
    assert.equal(await subject.carriedOut(), 1);
  },

  'a reference that it does not know is not found, and nothing else': async (subject) => {
    const request = debitOf(subject, '345');
    const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
    assert.deepEqual(await subject.operator.queryDebit(request), notFound);
    assert.deepEqual(await subject.operator.queryReversal(refundOf(request, 'X', 1n)), notFound);
  },

  'while the customer says nothing the outcome is unknown': async (subject) => {
    const silent = debitOf(subject, '109');
    await subject.operator.requestDebit(silent);
    await debited(subject);
    const answer = await subject.operator.queryDebit(silent);
    assert.ok(answer.kind === 'unknown' && ['PENDING', 'PROMPTED'].includes(answer.progress));
  },

  'a debit is given back in parts, each once': async (subject) => {
    const { request, answer } = await debited(subject);
    for (const amountMinor of [10_000n, 50n]) {
      const refund = refundOf(request, answer.operatorTxId, amountMinor);
      const give = () => subject.operator.reverse(refund);
      await Promise.all([give(), give()]);
      const given = await definite(() => subject.operator.queryReversal(refund));
      assert.ok(given.kind === 'succeeded');
      assert.equal(given.amountMinor, amountMinor);
      assert.deepEqual(await give(), given);
    }
    assert.equal(await subject.carriedOut(), 3);
  },

  'a refund that is refused fails, and says so again': async (subject) => {
    const { request, answer } = await debited(subject, '119');
    const refund = refundOf(request, answer.operatorTxId, 50n);
    const first = await subject.operator.reverse(refund);
    const failed: OperatorAnswer = { kind: 'failed', failureCode: 'OPERATOR_REJECTED' };
    if (first.kind !== 'unknown') assert.deepEqual(first, failed);
    assert.deepEqual(await definite(() => subject.operator.queryReversal(refund)), failed);
    const unknown = refundOf(request, 'no such transaction', 50n);
    assert.deepEqual(await subject.operator.reverse(unknown), failed);
    assert.equal(await subject.carriedOut(), 1);
  },
};

/** Tests that an operator keeps the promises of all operators. */
export function conforms(who: string, start: (context: TestContext) => Promise<Subject>): void {
  for (const [promise, check] of Object.entries(promises)) {
    test(`${who}: ${promise}`, async (context) => check(await start(context)));
  }
}
