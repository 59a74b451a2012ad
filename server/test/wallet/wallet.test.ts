/**
 * A second adapter, of another shape than the GSMA's: JSON by POST, its own words, and signed,
 * timestamped callbacks. It lives in this folder and is plugged in by one line, like any adapter.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { addOperatorCommands } from '../../src/cli/operators.ts';
import { loadAdapters } from '../../src/integrations/operators/load-adapters.ts';
import { createWalletNames } from '../../src/integrations/operators/wallet-names.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { operatorEnvironment } from '../operators/gateway.ts';
import { startProvider } from '../operators/provider.ts';
import { runCommand } from '../support/command-line.ts';
import { silentLog } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type WalletGateway, walletEnvironment, walletGateway } from './gateway.ts';
import { answerOf, type Order, signatureHeader } from './messages.ts';
import { startWallet } from './wallet.ts';

const body = { amount: 1_520, operator: 'UNITEL_TMAIS', operatorPhone: '+2389910345' };
const silent = { ...body, operatorPhone: '+2389910109' };

/** Only callbacks trigger queries, which follow each other quickly. */
const hinted = {
  timing: { hintBackoffMs: [20, 20, 20], firstBackoffMs: 60_000, maxBackoffMs: 60_000 },
};

const inbox = (database: Database) =>
  database.query<{ authenticated: boolean; contradicts: boolean }>({
    text: 'SELECT authenticated, contradicts FROM operator_callbacks ORDER BY received_at',
  });

async function pay({ live }: WalletGateway, payment = body) {
  const created = await live('POST', '/v1/payments', payment);
  assert.equal(created.status, 200, created.text);
  const now = async () => (await live('GET', `/v1/payments/${created.body.id}`)).body;
  const reach = (status: string) =>
    eventually(status, async () => {
      const payment = await now();
      return payment.status === status && payment;
    });
  return { id: created.body.id as string, now, reach };
}

/** A payment whose customer does not answer until the test decides. */
async function silentPayment(gateway: WalletGateway) {
  const payment = await pay(gateway, silent);
  const [order] = await eventually('the order', () => {
    const orders = [...gateway.wallet.orders.values()];
    return orders.length > 0 && orders;
  });
  await payment.reach('USER_CONFIRMING');
  return { ...payment, order: order! };
}

/** The order as the wallet would call it back once paid. */
function paid({
  notify: _notify,
  suffix: _suffix,
  ...order
}: Awaited<ReturnType<typeof silentPayment>>['order']) {
  return { ...order, state: 'DONE' };
}

test('debits a payment after the wallet calls back and a query confirms', async (context) => {
  const gateway = await walletGateway(context, {}, hinted);
  const { wallet, database } = gateway;
  const { reach } = await pay(gateway);
  const { operatorTxId } = await reach('DEBITED');
  const [order] = wallet.orders.values();
  assert.equal(operatorTxId, order!.id);
  // For a minute, only the callback triggers queries.
  const asked = `GET /orders/${order!.ref}`;
  assert.deepEqual(wallet.said.toSorted(), [asked, 'POST /orders', 'callback 204']);
  assert.deepEqual(await inbox(database), [{ authenticated: true, contradicts: false }]);
  assert.deepEqual(await checkLedger(database), []);
});

test("debits nothing for a signed but false callback: the wallet's answer counts", async (context) => {
  const gateway = await walletGateway(context, {}, hinted);
  const { wallet, database } = gateway;
  const { order, now, reach } = await silentPayment(gateway);
  assert.equal(await wallet.callBack(order.notify, paid(order)), 204);
  await eventually('the gateway queries four times', () => wallet.calls(/^GET/).length === 4);
  assert.equal((await now()).status, 'USER_CONFIRMING');
  order.suffix = '049';
  assert.equal(await wallet.decide(order.ref), 204);
  const { failureCode } = await reach('FAILED');
  assert.equal(failureCode, 'INSUFFICIENT_FUNDS');
  assert.deepEqual(await checkLedger(database), []);
});

test('accepts no order of another debit, nor the debit itself, as the answer about a refund', () => {
  const order: Order = {
    id: 'W-2',
    ref: 'R-1',
    kind: 'return',
    of: 'W-1',
    state: 'DONE',
    cents: 5,
    currency: 'CVE',
    at: '',
  };
  const expected = {
    kind: 'REFUND',
    reference: 'R-1',
    currency: 'CVE',
    operatorTxId: 'W-1',
  } as const;
  assert.equal(answerOf(order, expected)?.kind, 'succeeded');
  for (const change of [{ of: 'W-0' }, { id: 'W-1' }, { ref: 'R-2' }, { currency: 'AOA' }]) {
    for (const state of ['DONE', 'REFUSED'] as const) {
      assert.equal(answerOf({ ...order, ...change, state }, expected), undefined);
    }
  }
});

test('fails a declined payment with its reason', async (context) => {
  const gateway = await walletGateway(context, {}, hinted);
  const { reach } = await pay(gateway, { ...body, operatorPhone: '+2389910039' });
  assert.equal((await reach('FAILED')).failureCode, 'PAYER_DECLINED');
  assert.deepEqual(await checkLedger(gateway.database), []);
});

test('returns a late debit to the customer', async (context) => {
  const gateway = await walletGateway(context, {}, hinted);
  const { wallet, database, live } = gateway;
  const { id, now, order } = await silentPayment(gateway);
  assert.equal((await live('POST', `/v1/payments/${id}/cancel`)).status, 200);
  assert.equal(await wallet.decide(order.ref), 204);
  await eventually('the money is back', () => wallet.done('return').length === 1);
  await eventually('the ledger has it', async () => {
    const text = `SELECT FROM reversals WHERE status = 'SUCCEEDED'`;
    return (await database.query({ text })).length === 1;
  });
  const [returned] = wallet.done('return');
  assert.deepEqual([returned!.of, returned!.cents], [order.id, 1_520]);
  assert.equal((await now()).status, 'CANCELLED');
  assert.deepEqual(await checkLedger(database), []);
});

test('queries a payment without a reported outcome, and never resends it', async (context) => {
  const gateway = await walletGateway(context);
  const { wallet, database } = gateway;
  wallet.losesAnswers = true;
  wallet.callbackOrigin = 'http://127.0.0.1:9';
  const { reach } = await pay(gateway);
  await reach('DEBITED');
  assert.equal(wallet.calls(/^POST/).length, 1);
  assert.equal(wallet.done('collect').length, 1);
  assert.deepEqual(await checkLedger(database), []);
});

test('refunds, and learns of the refund by its own callback', async (context) => {
  const gateway = await walletGateway(context, {}, hinted);
  const { wallet, live, database } = gateway;
  const { id, reach } = await pay(gateway);
  await reach('DEBITED');
  const refund = await live('POST', '/v1/refunds', { paymentIntentId: id, amount: 520 });
  const { operatorRefundId } = await eventually('the refund', async () => {
    const { body: now } = await live('GET', `/v1/refunds/${refund.body.id}`);
    return now.status === 'SUCCEEDED' && now;
  });
  const [returned] = wallet.done('return');
  assert.deepEqual([returned!.id, returned!.cents], [operatorRefundId, 520]);
  assert.equal((await inbox(database)).length, 2);
  assert.deepEqual(await checkLedger(database), []);
});

test("rejects a callback without the wallet's signature, without a trace", async (context) => {
  const gateway = await walletGateway(context, {}, hinted);
  const { wallet, database } = gateway;
  const { order, now } = await silentPayment(gateway);
  const text = JSON.stringify(paid(order));
  const right = signatureHeader(wallet.callbackSecret, 1_800_000_000, text);
  const mac = right.slice(right.indexOf('v1=') + 3);
  const forged = [
    signatureHeader('a secret of somebody else', 1_800_000_000, text),
    signatureHeader(wallet.callbackSecret, 1_800_000_000, `${text} `),
    right.replace('t=1800000000', 't=1800000001'),
    mac,
    `${right}00`,
    'none',
  ];
  for (const signature of forged) {
    assert.equal(await wallet.callBack(order.notify, paid(order), { signature }), 401, signature);
  }
  assert.deepEqual(await inbox(database), []);
  assert.deepEqual(wallet.calls(/^GET/), [], 'no query follows');
  assert.equal((await now()).status, 'USER_CONFIRMING');
});

test('accepts callbacks of each operator only in the format of its own adapter', async (context) => {
  const provider = await startProvider(context);
  const environment = operatorEnvironment('CVMOVEL', provider);
  const gateway = await walletGateway(context, {}, { ...hinted, environment });
  const { wallet } = gateway;
  provider.callbackOrigin = gateway.url;
  const { order } = await silentPayment(gateway);
  const gsma = await pay(gateway, { ...silent, operator: 'CVMOVEL' });
  const [, entry] = await eventually('the request', () => [...provider.entries][0]);
  const { callbackUrl = '', transaction } = entry;
  const completed = { ...transaction, transactionStatus: 'completed' };
  assert.equal(await wallet.callBack(order.notify, paid(order), { method: 'PUT' }), 404);
  assert.equal(await wallet.callBack(order.notify, completed), 400);
  assert.equal(await wallet.callBack(order.notify, [paid(order)]), 400);
  assert.equal(await wallet.callBack(callbackUrl, completed), 404);
  assert.equal(await provider.callBack(callbackUrl, paid(order)), 400);
  assert.deepEqual(await inbox(gateway.database), []);
  provider.decide(entry.transaction.requestingOrganisationTransactionReference as string);
  await gsma.reach('DEBITED');
});

test('trusts a callback of a wallet without queries if it names our request', async (context) => {
  const gateway = await walletGateway(context, { QUERY: 'none' }, hinted);
  const { wallet, database } = gateway;
  const { order, now, reach } = await silentPayment(gateway);
  for (const change of [{ ref: 'another' }, { cents: 1_521 }, { currency: 'AOA' }]) {
    assert.equal(await wallet.callBack(order.notify, { ...paid(order), ...change }), 204);
  }
  await eventually("both need a person's review", async () => {
    const told = await inbox(database);
    return told.length === 3 && told.every(({ contradicts }) => contradicts);
  });
  assert.equal((await now()).status, 'USER_CONFIRMING');
  assert.equal(await wallet.decide(order.ref), 204);
  await reach('DEBITED');
  assert.deepEqual(wallet.calls(/^GET/), []);
  assert.deepEqual(await checkLedger(database), []);
});

test('runs the commands through the adapter', async (context) => {
  const gateway = await walletGateway(context, {}, hinted);
  const { wallet, databaseUrl } = gateway;
  await (await pay(gateway)).reach('DEBITED');
  const environment = { ...walletEnvironment(wallet), DATABASE_URL: databaseUrl };
  const run = (...args: string[]) =>
    runCommand(addOperatorCommands, ['operators', ...args, '--json'], environment);
  const [listed] = JSON.parse((await run('list')).stdout);
  assert.deepEqual([listed.operator, listed.adapter], ['UNITEL_TMAIS', 'wallet']);
  const [health] = JSON.parse((await run('check')).stdout);
  assert.equal(health.service, 'available');
  assert.deepEqual(health.balance, { amount: '1250.5', currency: 'CVE' });
  const recovered = await run('recover', '--since', '1h', '--dry-run');
  assert.equal(recovered.code, 0, recovered.stderr);
  assert.equal(JSON.parse(recovered.stdout)[0].found.debitsKnown.count, 1, recovered.stdout);
});

test('refuses to start with an unknown adapter, and names the known ones', async (context) => {
  const wallet = await startWallet(context);
  const environment = walletEnvironment(wallet, { ADAPTER: 'soap' });
  const { code, stderr } = await runCommand(
    addOperatorCommands,
    ['operators', 'list'],
    environment,
  );
  assert.equal(code, 1);
  assert.match(stderr, /OPERATOR_UNITEL_TMAIS_ADAPTER must be one of gsma, wallet; not "soap"/);
});

async function namesOf(environment: Record<string, string>) {
  const { operators } = loadConfig(environment);
  const adapterOf = await loadAdapters(operators);
  return createWalletNames({ operators, adapterOf, clock: systemClock, log: silentLog });
}

test('names the holder of a live wallet, if the operator can be asked', async (context) => {
  const wallet = await startWallet(context);
  const there = { mode: 'live', operator: 'UNITEL_TMAIS' } as const;
  const names = await namesOf(walletEnvironment(wallet));
  assert.equal(names.isOffered(there), true);
  const known = { ...there, phone: '+2389910345' };
  assert.deepEqual(await names.find(known), { kind: 'FOUND', name: 'Ana Lopes' });
  assert.deepEqual(await names.find({ ...there, phone: '+2389910029' }), { kind: 'NOT_FOUND' });
  const refused = await namesOf(walletEnvironment(wallet, { SECRET: 'another' }));
  assert.deepEqual(await refused.find(known), { kind: 'FAILED' });
  const unreachable = {
    ...walletEnvironment(wallet),
    OPERATOR_UNITEL_TMAIS_URL: 'http://127.0.0.1:9',
  };
  assert.deepEqual(await (await namesOf(unreachable)).find(known), { kind: 'UNANSWERED' });
  // The adapter `gsma` has no such lookup.
  const provider = await startProvider(context);
  const gsma = await namesOf(operatorEnvironment('UNITEL_TMAIS', provider));
  assert.equal(gsma.isOffered(there), false);
  assert.deepEqual(await gsma.find(known), { kind: 'UNANSWERED' });
});

test('distinguishes an error of the adapter from an operator that is silent, and logs it without the phone', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const phone = '+2389910345';
  const findWalletName = () =>
    Promise.reject(new TypeError(`no holder in the answer about ${phone}`));
  const names = createWalletNames({
    operators: { UNITEL_TMAIS: {} } as never,
    adapterOf: { UNITEL_TMAIS: { findWalletName } } as never,
    clock: systemClock,
    log,
  });
  const there = { mode: 'live', operator: 'UNITEL_TMAIS', phone } as const;
  assert.deepEqual(await names.find(there), { kind: 'FAILED' });
  assert.match(
    lines.join(''),
    /adapter of UNITEL_TMAIS could not look up .*no holder in the answer|no holder in the answer.*could not look up/,
  );
  assert.doesNotMatch(lines.join(''), /9910345/);
});
