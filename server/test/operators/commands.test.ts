import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { eventually } from '../support/gateway.ts';
import { runZimbo } from '../support/process.ts';
import { type LiveGateway, liveGateway, operatorEnvironment } from './gateway.ts';
import { startProvider } from './provider.ts';

test('lists configured operators without calling them or showing a secret', async (context) => {
  const provider = await startProvider(context);
  const environment = {
    ...operatorEnvironment('CVMOVEL', provider, { SECRET: 'hunter2', CURRENCIES: 'CVE,AOA' }),
    OPERATOR_UNITEL_TMAIS_URL: 'https://api.operator.example/mm',
    OPERATOR_UNITEL_TMAIS_ACCOUNT: 'msisdn@+2389910000',
    OPERATOR_UNITEL_TMAIS_SECRET: 'hunter3',
    OPERATOR_UNITEL_TMAIS_MODE: 'polling',
    OPERATOR_UNITEL_TMAIS_MAX_CALLS: '4',
    OPERATOR_UNITEL_TMAIS_DEDUPLICATES: 'true',
    OPERATOR_UNITEL_TMAIS_CALLBACK_ADDRESSES: '203.0.113.7',
    OPERATOR_UNITEL_TMAIS_CALLBACK_SECRET: 'hunter4-hunter4-hunter4',
  };
  const json = await runZimbo(['operators', 'list', '--json'], environment);
  assert.equal(json.code, 0, json.stderr);
  assert.deepEqual(JSON.parse(json.stdout), [
    {
      operator: 'CVMOVEL',
      adapter: 'gsma',
      url: provider.url,
      account: 'organisationid@1234',
      auth: 'api-key',
      mode: 'callback',
      currencies: 'CVE,AOA',
      maxCalls: 32,
      deduplicates: false,
      query: 'full',
      callbacks: 'unauthenticated',
    },
    {
      operator: 'UNITEL_TMAIS',
      adapter: 'gsma',
      url: 'https://api.operator.example/mm',
      account: 'msisdn@+2389910000',
      auth: 'api-key',
      mode: 'polling',
      currencies: 'CVE',
      maxCalls: 4,
      deduplicates: true,
      query: 'full',
      callbacks: 'address+signature',
    },
  ]);
  const table = await runZimbo(['operators', 'list'], environment);
  assert.match(
    table.stdout,
    /^OPERATOR +ADAPTER +URL +ACCOUNT +AUTH +MODE +CURRENCIES +MAX CALLS +DEDUPLICATES +QUERY +CALLBACKS$/m,
  );
  assert.match(
    table.stdout,
    /^UNITEL_TMAIS +gsma +https:\S+ +msisdn@\S+ +api-key +polling +CVE +4 +true +full +address\+signature$/m,
  );
  assert.doesNotMatch(json.stdout + table.stdout, /hunter/);
  assert.deepEqual(provider.exchanges, []);
});

test('says in operators list that none is configured, and how to change that', async () => {
  const json = await runZimbo(['operators', 'list', '--json'], {});
  assert.deepEqual([json.code, JSON.parse(json.stdout)], [0, []]);
  const { code, stdout } = await runZimbo(['operators', 'list'], {});
  assert.equal(code, 0);
  assert.match(stdout, /No operator is configured.*docs\/operators\.md/);
});

test('refuses to start a gateway or run a command with a half-configured operator', async () => {
  const environment = { OPERATOR_CVMOVEL_URL: 'https://api.operator.example/mm' };
  for (const args of [['start'], ['operators', 'list'], ['operators', 'check']]) {
    const { code, stdout, stderr } = await runZimbo(args, environment);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    const example = 'For example: OPERATOR_CVMOVEL_ACCOUNT=organisationid@1234';
    assert.match(stderr, /OPERATOR_CVMOVEL_ACCOUNT is required with OPERATOR_CVMOVEL_URL/);
    assert.ok(stderr.includes(example), stderr);
    assert.match(stderr, /OPERATOR_CVMOVEL_SECRET is required/);
  }
});

test('shows service, latency and balance in operators check, and fails if an operator is unavailable', async (context) => {
  const provider = await startProvider(context);
  const environment = operatorEnvironment('CVMOVEL', provider);
  const good = await runZimbo(['operators', 'check', '--json'], environment);
  const [row] = JSON.parse(good.stdout);
  assert.equal(good.code, 0);
  assert.deepEqual(row.balance, { amount: '1250.5', currency: 'CVE' });
  assert.equal(row.service, 'available');
  const bad = await runZimbo(['operators', 'check'], {
    ...environment,
    OPERATOR_CVMOVEL_SECRET: 'x',
  });
  assert.equal(bad.code, 1);
  assert.match(bad.stdout, /unavailable: 401 authorisation\/clientAuthorisationError/);
  assert.doesNotMatch(bad.stdout + bad.stderr, /secret/);
});

/** A payment that was cancelled and about which the operator never says anything. */
async function forgottenPayment({ live, provider, database }: LiveGateway) {
  const body = { amount: 1_520, operator: 'CVMOVEL', operatorPhone: '+2389910109' };
  const { body: created } = await live('POST', '/v1/payments', body);
  await eventually('the request', () => provider.entries.size > 0);
  await live('POST', `/v1/payments/${created.id}/cancel`);
  const text = `UPDATE payments SET sent_at = sent_at - interval '2 days'`;
  await database.query({ text });
  return created.id as string;
}

async function setUp(context: TestContext) {
  // Long intervals, so that the gateway does not hold the lease just when the command comes.
  const gateway = await liveGateway(
    context,
    {},
    { timing: { firstBackoffMs: 3_600_000, maxBackoffMs: 3_600_000 } },
  );
  const id = await forgottenPayment(gateway);
  const environment = {
    DATABASE_URL: gateway.databaseUrl,
    ...operatorEnvironment('CVMOVEL', gateway.provider),
  };
  const review = (...args: string[]) => runZimbo(['review', ...args], environment);
  await eventually('the gateway has asked, and holds the payment no more', async () => {
    const text = `SELECT FROM payments WHERE due_at > now() + interval '30 minutes'`;
    return (await gateway.database.query({ text })).length === 1;
  });
  const audit = () =>
    gateway.database.query<{ detail: object }>({
      text: `SELECT detail FROM audit_records WHERE action = 'payment.resolved'`,
    });
  return { gateway, id, review, audit };
}

test('reviews an unknown payment, and resolves it as not debited', async (context) => {
  const { gateway, id, review, audit } = await setUp(context);
  const listed = JSON.parse((await review('list', '--json')).stdout);
  assert.deepEqual(
    listed.map((row: { id: string }) => row.id),
    [id],
  );
  const resolved = await review('resolve', id, '--not-debited');
  assert.equal(resolved.code, 0, resolved.stderr);
  assert.match((await review()).stdout, /Nothing waits/);
  assert.deepEqual(
    (await audit()).map(({ detail }) => detail),
    [{ finding: 'NOT_DEBITED', was: 'CANCELLED' }],
  );
  const again = await review('resolve', id, '--not-debited');
  assert.equal(again.code, 1);
  assert.match(again.stderr, /is known/);
  assert.deepEqual(await checkLedger(gateway.database), []);
});

test('sends a debit that a person found to suspense and back', async (context) => {
  const { gateway, id, review, audit } = await setUp(context);
  const unclear = await review('resolve', id, '--debited', 'TX-1');
  assert.equal(unclear.code, 1);
  assert.match(unclear.stderr, /--amount/);
  const [entry] = gateway.provider.entries.values();
  const { transactionReference } = entry!.transaction;
  const debited = ['resolve', id, '--debited', transactionReference, '--amount', '15.20'];
  const doubted = await review(...debited);
  assert.match(doubted.stderr, /does not confirm .* it is not completed\.\n.*add --unconfirmed/);
  const done = await review(...debited, '--unconfirmed');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /suspense/);
  assert.equal((await audit()).length, 1);
  await eventually('the reversal', () => gateway.provider.calls(/reversals$/).length > 0);
  assert.deepEqual(await checkLedger(gateway.database), []);
});
