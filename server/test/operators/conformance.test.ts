/**
 * What every operator promises, whoever is behind it. The real adapter speaks with a provider over
 * HTTP; where GSMA_OPENAPI names the OpenAPI document of the standard, everything that the two say to
 * each other is held against it.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CallbackKind } from '../../src/integrations/operators/callback-token.ts';
import { gsmaCallbacks } from '../../src/integrations/operators/gsma/callbacks.ts';
import type { OperatorAnswer } from '../../src/integrations/operators/operator.ts';
import { Simulator } from '../../src/integrations/operators/simulator/simulator.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { cleanUp } from '../support/cleanup.ts';
import { silentLog, testDatabase } from '../support/database.ts';
import { openStandard, type Standard } from '../support/gsma-schema.ts';
import { addTenants } from '../support/tenants.ts';
import { gsmaOperator } from './adapter.ts';
import {
  conformingTenant,
  conforms,
  debited,
  type Subject,
  startCallbackReceiver,
} from './conformance.ts';
import { conformsPayingOut } from './disbursement-conformance.ts';
import { type Provider, startProvider } from './provider.ts';

const delayMs = 20;
const { GSMA_OPENAPI: standardFile } = process.env;
const standard: Standard | undefined = standardFile ? openStandard(standardFile) : undefined;

async function startSimulator(context: TestContext): Promise<Subject> {
  const { database } = await testDatabase(context);
  await addTenants(database, conformingTenant);
  const notifications = new Map<string, OperatorAnswer[]>();
  const simulator = new Simulator({
    database,
    clock: systemClock,
    log: silentLog,
    delayMs,
    notify: async ({ reference, answer }) => {
      notifications.set(reference, [...(notifications.get(reference) ?? []), answer]);
    },
  });
  simulator.start();
  cleanUp(context, () => simulator.stop());
  const carriedOut = async () => {
    const text = `SELECT count(*)::integer FROM simulator_transactions WHERE status = 'SUCCEEDED'`;
    return (await database.query<{ count: number }>({ text }))[0]!.count;
  };
  const told = (reference: string) => notifications.get(reference) ?? [];
  return { operator: simulator, name: 'MOCK', told, carriedOut };
}

function startGsma(mode: 'callback' | 'polling', isSynchronous: boolean) {
  return async (context: TestContext): Promise<Subject> => {
    const heard: { provider?: Provider } = {};
    // Cleaned up last, so that a difference does not prevent other cleanup.
    if (standard) cleanUp(context, () => assertStandard(heard.provider, standard));
    const { database } = await testDatabase(context);
    await addTenants(database, conformingTenant);
    const provider = await startProvider(context);
    heard.provider = provider;
    provider.delayMs = delayMs;
    provider.isSynchronous = isSynchronous;
    const { url, told } = await startCallbackReceiver(context, gsmaCallbacks);
    const callbackUrl = (reference: string, kind: CallbackKind) => `${url}/${kind}/${reference}`;
    const operator = gsmaOperator(context, database, provider, { MODE: mode }, { callbackUrl });
    const kinds = ['merchantpay', 'reversal', 'disbursement'] as const;
    const carriedOut = async () => kinds.flatMap((kind) => provider.completed(kind)).length;
    const goDown = () => {
      provider.fault = () => 'break';
    };
    const misreport = (reference: string, what: keyof typeof others) =>
      Object.assign(provider.entries.get(reference)!.transaction, others[what]);
    const tells = mode === 'callback' && !isSynchronous;
    const subject = { operator, name: 'CVMOVEL', carriedOut, goDown, misreport } as const;
    return { ...subject, ...(tells && { told }) };
  };
}

/** What was not requested. */
const others = {
  amount: { amount: '7' },
  currency: { currency: 'AOA' },
  phone: { creditParty: [{ key: 'msisdn', value: '+2389999999' }] },
};

function assertStandard(provider: Provider | undefined, standard: Standard) {
  const { exchanges = [], callbacks = [] } = provider ?? {};
  const answered = exchanges.filter(({ status }) => status !== 0);
  assert.deepEqual(answered.flatMap(standard.problemsOf), []);
  assert.deepEqual(callbacks.flatMap(standard.problemsOfCallback), []);
}

const subjects = {
  'the simulator': startSimulator,
  'the GSMA adapter, callback': startGsma('callback', false),
  'the GSMA adapter, polling': startGsma('polling', false),
  'the GSMA adapter, answered at once': startGsma('callback', true),
};

for (const [who, start] of Object.entries(subjects)) {
  conforms(who, start);
  conformsPayingOut(who, start);
}

test('exchanges only messages that the standard allows', {
  skip: standard
    ? false
    : 'GSMA_OPENAPI does not name the OpenAPI document of the GSMA Mobile Money API 1.2',
}, async (context) => {
  const subject = await startGsma('callback', false)(context);
  await debited(subject);
  // Proof that the other tests compare at all: they find a request that breaks the standard.
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
