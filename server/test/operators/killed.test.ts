import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { KilledGateway } from '../operator-torture/gateway.ts';
import { cleanUp } from '../support/cleanup.ts';
import { testDatabase } from '../support/database.ts';
import { apiOf, eventually, testKey } from '../support/gateway.ts';
import { operatorEnvironment } from './gateway.ts';
import { type Provider, startProvider } from './provider.ts';

const payment = (suffix: string) => ({
  amount: 1_520,
  operator: 'CVMOVEL',
  operatorPhone: `+2389910${suffix}`,
});

/** A gateway in a process of its own, whose CVMOVEL answers at once. */
async function start(context: TestContext) {
  const { url, database } = await testDatabase(context);
  const provider = await startProvider(context);
  provider.isSynchronous = true;
  const gateway = await KilledGateway.open({
    ...operatorEnvironment('CVMOVEL', provider),
    DATABASE_URL: url,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  cleanUp(context, () => gateway.kill());
  await gateway.start();
  const live = apiOf(gateway.url, await testKey(database, 'live'));
  return { database, provider, gateway, live };
}

type Started = Awaited<ReturnType<typeof start>>;

async function reaches({ live }: Started, path: string, status: string): Promise<void> {
  await eventually(`${path} is ${status}`, async () => {
    const { body } = await live('GET', path);
    return body.status === status;
  });
}

/** A refund, a debit and the reversal of a late debit, all carried out by the operator; no answer arrives. */
async function holdThreeAnswers(started: Started): Promise<{ debit: string; refund: string }> {
  const { live, provider } = started;
  const { body: paid } = await live('POST', '/v1/payments', payment('345'));
  await reaches(started, `/v1/payments/${paid.id}`, 'DEBITED');
  const { body: late } = await live('POST', '/v1/payments', payment('109'));
  const lateEntry = await eventually('the late payment is sent', () =>
    [...provider.entries].find(([, { suffix }]) => suffix === '109'),
  );
  await live('POST', `/v1/payments/${late.id}/cancel`);
  // Only the query about the late payment is answered, so that its reversal begins.
  provider.fault = ({ method, path }) => {
    if (method === 'POST') return 'hang after';
    const { requestId, transaction } = lateEntry[1];
    const asked = [requestId, encodeURIComponent(transaction.transactionReference)];
    const isNew = path.startsWith('/responses/') && !provider.entries.has(path.slice(11));
    return isNew || asked.some((id) => path.endsWith(id)) ? undefined : 'hang';
  };
  const refund = { paymentIntentId: paid.id, amount: 500 };
  const { body: refunded } = await live('POST', '/v1/refunds', refund);
  const { body: debit } = await live('POST', '/v1/payments', payment('345'));
  provider.decide(lateEntry[0]);
  await eventually('the operator has taken all three', () => {
    return provider.completed('merchantpay').length + provider.completed('reversal').length === 5;
  });
  return { debit: `/v1/payments/${debit.id}`, refund: `/v1/refunds/${refunded.id}` };
}

const statusesOf = async (database: Database) => {
  const text = `
    SELECT (SELECT status FROM payments ORDER BY created_at DESC LIMIT 1) AS debit,
      (SELECT status FROM refunds) AS refund, (SELECT status FROM reversals) AS reversal`;
  return (await database.query<Record<string, string>>({ text }))[0];
};

/** Our balance at the operator, in centavos. */
function heldBy(provider: Provider): bigint {
  const sum = (kind: 'merchantpay' | 'reversal') =>
    provider.completed(kind).reduce((total, { amount }) => total + Number(amount) * 100, 0);
  return BigInt(Math.round(sum('merchantpay') - sum('reversal')));
}

test('queries at the next start after a kill before the answer, and nothing happens twice', async (context) => {
  const started = await start(context);
  const { database, provider, gateway } = started;
  const { debit, refund } = await holdThreeAnswers(started);
  await gateway.kill();
  const processing = { refund: 'PROCESSING', reversal: 'PROCESSING' };
  assert.deepEqual(await statusesOf(database), { debit: 'OPERATOR_PENDING', ...processing });

  provider.recover();
  provider.exchanges = [];
  await gateway.start();
  await reaches(started, debit, 'DEBITED');
  await reaches(started, refund, 'SUCCEEDED');
  await eventually(
    'the reversal',
    async () => (await statusesOf(database))?.reversal === 'SUCCEEDED',
  );
  assert.deepEqual(provider.calls(/^POST/), [], 'it asks, and sends nothing again');
  assert.equal(provider.completed('merchantpay').length, 3);
  assert.equal(provider.completed('reversal').length, 2);
  assert.deepEqual(await checkLedger(database), []);
  const [row] = await database.query<{ minor: bigint }>({
    text: `SELECT balance_minor AS minor FROM balances WHERE account = 'operator:CVMOVEL'`,
  });
  assert.equal(-row!.minor, heldBy(provider));
  assert.deepEqual(gateway.deaths, []);
});
