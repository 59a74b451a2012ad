import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../server/test/support/eventually.ts';
import {
  account,
  callbackReceiver,
  disbursementBody,
  ended,
  testSimulator,
} from '../test/support.ts';
import type { Fault } from './faults.ts';
import { fileName } from './store.ts';

const path = '/transactions/type/disbursement';

test('pays out from the account to the phone, calls back, and is found by either id', async (context) => {
  const { client } = await testSimulator(context);
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const reference = randomUUID();
  const accepted = await client.disburse('345', { reference, callbackUrl });
  assert.equal(accepted.status, 202);
  const state = await ended(client, accepted);
  const { body: response } = await client.send('GET', `/responses/${reference}`);
  assert.equal(response.link, `/transactions/${state.objectReference}`);
  const { body: paid } = await client.send('GET', response.link);
  assert.deepEqual(
    [paid.type, paid.transactionStatus, paid.amount, paid.currency],
    ['disbursement', 'completed', '15.2', 'CVE'],
  );
  assert.deepEqual(paid.debitParty, account);
  assert.deepEqual(paid.creditParty, [{ key: 'msisdn', value: '+2389910345' }]);
  assert.equal(paid.requestingOrganisationTransactionReference, reference);
  const told = await eventually('the callback', () => taken[0]);
  assert.deepEqual(told.body, paid);
  const listed = await client.send(
    'GET',
    '/accounts/organisationid/1234/transactions?transactionType=disbursement',
  );
  assert.deepEqual(listed.body, [paid]);
  const [total] = (await client.totals()).totals;
  assert.deepEqual([total.disbursements, total.disbursedMinor], [1, '1520']);
  const reversal = await client.send('POST', `${response.link}/reversals`, { type: 'reversal' });
  assert.equal(reversal.body.errorCode, 'incorrectState', 'only a debit can be reversed');
  const confirmed = await client.send('POST', `/_simulator/confirm/${reference}`);
  assert.equal(confirmed.body.errorCode, 'incorrectState');
});

test('pays once for the same X-CorrelationID, unless it does not deduplicate', async (context) => {
  for (const [duplicates, disbursements] of [
    ['state', 1],
    ['error', 1],
    ['again', 4],
  ] as const) {
    const { client } = await testSimulator(context, ({ provider }) => {
      provider.duplicates = duplicates;
    });
    const reference = randomUUID();
    const body = disbursementBody('345', '1', reference);
    const headers = { 'x-correlationid': reference };
    for (let sent = 0; sent < 4; sent++) await client.send('POST', path, body, headers);
    await eventually('all of them', async () => {
      const [total] = (await client.totals()).totals;
      return total.pending === 0 && total.disbursements === disbursements;
    });
    const asDebit = await client.pay('345', { reference });
    const code = duplicates === 'again' ? undefined : 'duplicateRequest';
    assert.equal(asDebit.body.errorCode, code, 'a debit is another request');
  }
});

test('fails a disbursement by the last digits of the phone', async (context) => {
  const { client } = await testSimulator(context);
  const said = new Map<string, string>();
  for (const suffix of ['019', '029', '039', '059', '069', '079']) {
    const { status, error } = await ended(client, await client.disburse(suffix));
    assert.equal(status, 'failed');
    said.set(suffix, `${error.errorCategory}/${error.errorCode}`);
  }
  assert.deepEqual(Object.fromEntries(said), {
    '019': 'businessRule/dailyValueLimitExceeded',
    '029': 'identification/identifierError',
    '039': 'businessRule/idDocumentNotSupported',
    '059': 'businessRule/genericError',
    '069': 'internal/genericError',
    '079': 'serviceUnavailable/genericError',
  });
  assert.equal((await ended(client, await client.disburse('049'))).status, 'completed');
});

test('never calls back for 129, and calls back twice for 149', async (context) => {
  const { client } = await testSimulator(context);
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const silent = randomUUID();
  await ended(client, await client.disburse('129', { reference: silent, callbackUrl }));
  await ended(client, await client.disburse('149', { callbackUrl }));
  await eventually('both callbacks', () => taken.length === 2);
  assert.equal((await client.totals()).openCallbacks, 0);
  assert.ok(taken.every(({ headers }) => headers['x-correlationid'] !== silent));
});

test('139: reports a failure, and pays after --late-confirm-ms', async (context) => {
  let aheadMs = 0;
  const { client } = await testSimulator(context, (options) => {
    options.provider.lateConfirmMs = 60_000;
    options.clock = { nowMs: () => Date.now() + aheadMs };
  });
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const accepted = await client.disburse('139', { callbackUrl });
  const { status, error } = await ended(client, accepted);
  assert.deepEqual([status, error.errorCode], ['failed', 'genericError']);
  await eventually('the callback', () => taken.length === 1);
  assert.equal((await client.totals()).totals[0].succeedingLate, 1);
  aheadMs = 60_001;
  await eventually('the success', async () => {
    // Any other request makes the simulator look at what is due.
    await client.disburse('029');
    return taken.length === 2;
  });
  assert.deepEqual(
    taken.map(({ body }) => body.errorCode ?? body.transactionStatus),
    ['genericError', 'completed'],
  );
  assert.equal((await ended(client, accepted)).status, 'completed');
  const [total] = (await client.totals()).totals;
  assert.deepEqual([total.disbursements, total.succeedingLate], [1, 0]);
});

test('139: calls back about the late success, whatever fault befalls the other callbacks', async (context) => {
  const { client } = await testSimulator(context, (options) => {
    options.provider.lateConfirmMs = 1;
    options.faults = { 'lost-callback': 1 };
  });
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  await client.disburse('139', { callbackUrl });
  await eventually('the success', async () => {
    // Any other request makes the simulator look at what is due.
    await client.disburse('029');
    return taken.length === 1;
  });
  assert.equal(taken[0]!.body.transactionStatus, 'completed');
});

test('159: pays, but does not answer', async (context) => {
  const { client } = await testSimulator(context);
  const reference = randomUUID();
  await assert.rejects(client.disburse('159', { reference }));
  await eventually('paid', async () => (await client.totals()).totals[0]?.disbursements === 1);
  const { link } = (await client.send('GET', `/responses/${reference}`)).body;
  assert.equal(link, '/transactions/SIM0000000001');
});

test('pays no more than the account holds', async (context) => {
  const { client } = await testSimulator(context, ({ provider }) => {
    provider.floatMinor = 1_000n;
  });
  const balance = async () =>
    (await client.send('GET', '/accounts/organisationid/1234/balance')).body.currentBalance;
  assert.equal(await balance(), '10');
  const refused = await client.disburse('345', { amount: '10.01' });
  assert.deepEqual([refused.status, refused.body.errorCode], [400, 'insufficientFunds']);
  await ended(client, await client.disburse('029', { amount: '10' }));
  await ended(client, await client.disburse('345', { amount: '6' }));
  assert.equal(await balance(), '4');
  assert.equal((await client.disburse('345', { amount: '4.01' })).status, 400);
  await ended(client, await client.pay('345', { amount: '1' }));
  await ended(client, await client.disburse('345', { amount: '5' }));
  assert.equal(await balance(), '0');
  const all = await Promise.all(['1', '1'].map((amount) => client.disburse('345', { amount })));
  assert.ok(all.every(({ status }) => status === 400));
});

test('rejects a disbursement that breaks the standard, without paying', async (context) => {
  const { client } = await testSimulator(context);
  const good = disbursementBody('345');
  for (const [body, code] of [
    [{ ...good, creditParty: undefined }, 'mandatoryValueNotSupplied'],
    [{ ...good, creditParty: account }, 'mandatoryValueNotSupplied'],
    [{ ...good, creditParty: [{ key: 'msisdn', value: 'Ana' }] }, 'formatError'],
    [{ ...good, debitParty: [{ key: 'organisationid', value: '9' }] }, 'identifierError'],
    [{ ...good, amount: '5.00' }, 'formatError'],
  ] as const) {
    const given = await client.send('POST', path, body);
    assert.equal(given.body.errorCode, code, JSON.stringify(body));
  }
  assert.deepEqual((await client.totals()).totals, []);
});

const always = (context: TestContext, fault: Fault) =>
  testSimulator(context, (options) => {
    options.faults = { [fault]: 1 };
  });

test('plays its faults on disbursements too', async (context) => {
  const more = await always(context, 'other-amount');
  await ended(more.client, await more.client.disburse('345', { amount: '10' }));
  assert.equal((await more.client.totals()).totals[0].disbursedMinor, '1150');
  const { client } = await always(context, 'reused-id');
  await ended(client, await client.pay('345'));
  await ended(client, await client.disburse('345'));
  const second = await ended(client, await client.disburse('345'));
  assert.equal(second.objectReference, 'SIM0000000002', 'of an earlier disbursement');
});

/** As version 1 created it. */
const schemaOne = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE transactions (
  number INTEGER PRIMARY KEY AUTOINCREMENT, shown_number INTEGER,
  kind TEXT NOT NULL CHECK (kind IN ('merchantpay', 'reversal')), correlation_id TEXT NOT NULL,
  request_id TEXT NOT NULL UNIQUE, reference TEXT NOT NULL, request TEXT NOT NULL,
  original_number INTEGER REFERENCES transactions, amount_minor INTEGER NOT NULL, currency TEXT NOT NULL,
  payer TEXT NOT NULL, callback_url TEXT, status TEXT NOT NULL DEFAULT 'pending', error_category TEXT,
  error_code TEXT, polls INTEGER NOT NULL DEFAULT 0, created_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL, due_at_ms INTEGER
) STRICT;
CREATE INDEX transactions_correlation ON transactions (correlation_id);
CREATE INDEX transactions_shown ON transactions (shown_number) WHERE shown_number IS NOT NULL;
CREATE INDEX transactions_created ON transactions (created_at_ms, number);
CREATE TABLE callbacks (
  number INTEGER PRIMARY KEY AUTOINCREMENT, transaction_number INTEGER NOT NULL REFERENCES transactions,
  told TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, last_answer TEXT, sent_at_ms REAL, due_at_ms INTEGER
) STRICT;
CREATE INDEX callbacks_due ON callbacks (due_at_ms) WHERE due_at_ms IS NOT NULL;
PRAGMA user_version = 1`;

test('pays out on the data of version 1, and keeps its debits and callbacks', async (context) => {
  const [debit, borrower] = [randomUUID(), randomUUID()];
  const { client } = await testSimulator(context, (options) => {
    const database = new DatabaseSync(join(options.dataDir, fileName));
    database.exec(schemaOne);
    const insert = database.prepare(
      `INSERT INTO transactions (kind, shown_number, correlation_id, request_id, reference, request, original_number,
         amount_minor, currency, payer, status, created_at_ms, changed_at_ms)
       VALUES (?, ?, ?, ?, ?, '', ?, 1520, 'CVE', '+2389910345', 'completed', 1, 1)`,
    );
    insert.run('merchantpay', null, debit, randomUUID(), debit, null);
    insert.run('merchantpay', 1, borrower, randomUUID(), borrower, null);
    const reversal = randomUUID();
    insert.run('reversal', null, reversal, randomUUID(), reversal, 1);
    database.exec(
      "INSERT INTO callbacks (transaction_number, told, last_answer, sent_at_ms) VALUES (1, 'fee', '204', 2.5)",
    );
    database.close();
  });
  await ended(client, await client.disburse('345'));
  const [total] = (await client.totals()).totals;
  assert.deepEqual([total.debits, total.reversals, total.disbursements], [2, 1, 1]);
  const { link } = (await client.send('GET', `/responses/${debit}`)).body;
  assert.equal(link, '/transactions/SIM0000000001');
  const shown = await client.send('GET', link);
  assert.equal(shown.body.requestingOrganisationTransactionReference, borrower, 'the later one');
  const returned = await client.send('GET', '/transactions/SIM0000000003');
  assert.equal(returned.body.originalTransactionReference, link.split('/').at(-1));
  const { callbacks } = (await client.send('GET', '/_simulator/callbacks')).body;
  assert.deepEqual([callbacks[0].told, callbacks[0].sentAtMs], ['fee', 2.5]);
});
