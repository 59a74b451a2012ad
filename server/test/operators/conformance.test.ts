/**
 * What every operator promises, whoever is behind it. The real adapter speaks with a provider over
 * HTTP; where GSMA_OPENAPI names the OpenAPI document of the standard, everything that the two say to
 * each other is held against it.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { answerOfCallback } from '../../src/operators/gsma/answers.ts';
import type {
  DebitRequest,
  FailureCode,
  Operator,
  OperatorAnswer,
  OperatorName,
  ReversalRequest,
} from '../../src/operators/operator.ts';
import { Simulator } from '../../src/operators/simulator/simulator.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { cleanUp } from '../cleanup.ts';
import { silentLog, testDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { openStandard, type Standard } from '../gsma-schema.ts';
import { gsmaOperator } from './adapter.ts';
import { type Provider, startProvider } from './provider.ts';

const delayMs = 20;
const { GSMA_OPENAPI: standardFile } = process.env;
const standard: Standard | undefined = standardFile ? openStandard(standardFile) : undefined;

interface Subject {
  operator: Operator;
  name: OperatorName;
  /** What the operator said of a reference without being asked; undefined where it never does. */
  told?: (reference: string) => OperatorAnswer[];
  /** How many debits and reversals the operator has carried out. */
  carriedOut: () => Promise<number>;
}

async function startSimulator(context: TestContext): Promise<Subject> {
  const { database } = await testDatabase(context);
  const notices = new Map<string, OperatorAnswer[]>();
  const simulator = new Simulator({
    database,
    clock: systemClock,
    log: silentLog,
    delayMs,
    notify: async ({ reference, answer }) => {
      notices.set(reference, [...(notices.get(reference) ?? []), answer]);
    },
  });
  simulator.start();
  cleanUp(context, () => simulator.stop());
  const carriedOut = async () => {
    const text = `SELECT count(*)::integer FROM simulator_transactions WHERE status = 'SUCCEEDED'`;
    return (await database.query<{ count: number }>({ text }))[0]!.count;
  };
  const told = (reference: string) => notices.get(reference) ?? [];
  return { operator: simulator, name: 'MOCK', told, carriedOut };
}

/** The path of a callback is its reference. */
async function startCallbackReceiver(context: TestContext) {
  const notices = new Map<string, OperatorAnswer[]>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reference = request.url!.slice(1);
    const expected = { kind: 'DEBIT', reference, currency: 'CVE' } as const;
    const answer = answerOfCallback(JSON.parse(Buffer.concat(chunks).toString()), expected);
    if (answer) notices.set(reference, [...(notices.get(reference) ?? []), answer]);
    response.writeHead(answer ? 204 : 400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, told: (reference: string) => notices.get(reference) ?? [] };
}

function startGsma(mode: 'callback' | 'polling', isSynchronous: boolean) {
  return async (context: TestContext): Promise<Subject> => {
    const heard: { provider?: Provider } = {};
    // Undone last, so that a difference does not keep the rest from being undone.
    if (standard) cleanUp(context, () => assertStandard(heard.provider, standard));
    const { database } = await testDatabase(context);
    const provider = await startProvider(context);
    heard.provider = provider;
    provider.delayMs = delayMs;
    provider.isSynchronous = isSynchronous;
    const { url, told } = await startCallbackReceiver(context);
    const callbackUrl = (reference: string) => `${url}/${reference}`;
    const operator = gsmaOperator(context, database, provider, { MODE: mode }, { callbackUrl });
    const carriedOut = async () =>
      provider.completed('merchantpay').length + provider.completed('reversal').length;
    const tells = mode === 'callback' && !isSynchronous;
    return { operator, name: 'CVMOVEL', carriedOut, ...(tells && { told }) };
  };
}

function assertStandard(provider: Provider | undefined, standard: Standard) {
  const { exchanges = [], callbacks = [] } = provider ?? {};
  assert.deepEqual(exchanges.flatMap(standard.problemsOf), []);
  assert.deepEqual(callbacks.flatMap(standard.problemsOfCallback), []);
}

function debitOf({ name }: Subject, suffix: string): DebitRequest {
  return {
    tenantId: randomUUID(),
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

/** Asks until the operator is definite. */
const definite = (ask: () => Promise<OperatorAnswer>) =>
  eventually('the operator is definite', async () => {
    const answer = await ask();
    return answer.kind !== 'unknown' && answer;
  });

async function debited(subject: Subject, suffix = '345') {
  const request = debitOf(subject, suffix);
  await subject.operator.requestDebit(request);
  const answer = await definite(() => subject.operator.askDebit(request));
  assert.ok(answer.kind === 'succeeded');
  return { request, answer };
}

const subjects = {
  'the simulator': startSimulator,
  'the GSMA adapter, callback': startGsma('callback', false),
  'the GSMA adapter, polling': startGsma('polling', false),
  'the GSMA adapter, answered at once': startGsma('callback', true),
};

for (const [who, start] of Object.entries(subjects)) {
  test(`${who}: a debit succeeds with its exact amount, and stays what it is`, async (context) => {
    const subject = await start(context);
    const { request, answer } = await debited(subject);
    assert.equal(answer.amountMinor, 10_050n);
    assert.notEqual(answer.operatorTxId, '');
    assert.deepEqual(await subject.operator.askDebit(request), answer);
    if (!subject.told) return;
    const { told } = subject;
    const isTold = () => told(request.reference).some(({ kind }) => kind === 'succeeded');
    await eventually('the callback', isTold);
    assert.deepEqual(told(request.reference).at(-1), answer);
  });

  test(`${who}: a debit fails for its reason`, async (context) => {
    const subject = await start(context);
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
        first.kind === 'unknown' ? await definite(() => subject.operator.askDebit(request)) : first;
      assert.deepEqual(answer, { kind: 'failed', failureCode });
    }
    assert.equal(await subject.carriedOut(), 0);
  });

  test(`${who}: the same reference never debits twice, and is no failure`, async (context) => {
    const subject = await start(context);
    const request = debitOf(subject, '345');
    const ask = () => subject.operator.requestDebit(request);
    const answers = await Promise.all([ask(), ask(), ask()]);
    assert.ok(answers.every(({ kind }) => kind !== 'failed'));
    const answer = await definite(() => subject.operator.askDebit(request));
    assert.deepEqual(await ask(), answer);
    assert.equal(await subject.carriedOut(), 1);
  });

  test(`${who}: a reference that it does not know is not found, and nothing else`, async (context) => {
    const subject = await start(context);
    const request = debitOf(subject, '345');
    const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
    assert.deepEqual(await subject.operator.askDebit(request), notFound);
    assert.deepEqual(await subject.operator.askReversal(refundOf(request, 'X', 1n)), notFound);
  });

  test(`${who}: while the customer says nothing the outcome is unknown`, async (context) => {
    const subject = await start(context);
    const silent = debitOf(subject, '109');
    await subject.operator.requestDebit(silent);
    await debited(subject);
    const answer = await subject.operator.askDebit(silent);
    assert.ok(answer.kind === 'unknown' && ['PENDING', 'PROMPTED'].includes(answer.progress));
  });

  test(`${who}: a debit is given back in parts, each once`, async (context) => {
    const subject = await start(context);
    const { request, answer } = await debited(subject);
    for (const amountMinor of [10_000n, 50n]) {
      const refund = refundOf(request, answer.operatorTxId, amountMinor);
      const give = () => subject.operator.reverse(refund);
      await Promise.all([give(), give()]);
      const given = await definite(() => subject.operator.askReversal(refund));
      assert.ok(given.kind === 'succeeded');
      assert.equal(given.amountMinor, amountMinor);
      assert.deepEqual(await give(), given);
    }
    assert.equal(await subject.carriedOut(), 3);
  });

  test(`${who}: a refund that is refused fails, and says so again`, async (context) => {
    const subject = await start(context);
    const { request, answer } = await debited(subject, '119');
    const refund = refundOf(request, answer.operatorTxId, 50n);
    const first = await subject.operator.reverse(refund);
    const failed: OperatorAnswer = { kind: 'failed', failureCode: 'OPERATOR_REJECTED' };
    if (first.kind !== 'unknown') assert.deepEqual(first, failed);
    assert.deepEqual(await definite(() => subject.operator.askReversal(refund)), failed);
    const unknown = refundOf(request, 'no such transaction', 50n);
    assert.deepEqual(await subject.operator.reverse(unknown), failed);
    assert.equal(await subject.carriedOut(), 1);
  });
}

test('the two sides say to each other what the standard allows', {
  skip: standard
    ? false
    : 'GSMA_OPENAPI does not name the OpenAPI document of the GSMA Mobile Money API 1.2',
}, async (context) => {
  const subject = await startGsma('callback', false)(context);
  await debited(subject);
  // That the other tests compare at all: a request that breaks the standard is found.
  const broken = {
    method: 'POST',
    path: '/transactions/type/merchantpay',
    requestHeaders: { 'x-correlationid': 'no UUID' },
    requestBody: { amount: '5.00', currency: 'CVE', debitParty: [{ key: 'msisdn', value: '1' }] },
    status: 202,
    body: { status: 'done' },
  };
  assert.equal(standard!.problemsOf(broken).length, 3);
});
