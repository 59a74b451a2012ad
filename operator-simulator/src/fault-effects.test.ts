import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../server/test/support/eventually.ts';
import {
  callbackReceiver,
  ended,
  paymentBody,
  type SentCallback,
  testSimulator,
} from '../test/support.ts';
import type { Fault } from './faults.ts';
import { fileName } from './store.ts';

const merchantpay = '/transactions/type/merchantpay';

/** A simulator that applies one fault to every request, acceptance or callback. */
const always = (context: TestContext, fault: Fault) =>
  testSimulator(context, (options) => {
    options.faults = { [fault]: 1 };
  });

test('debits and returns again under a new id if it does not deduplicate', async (context) => {
  const { client } = await testSimulator(context, ({ provider }) => {
    provider.duplicates = 'again';
  });
  const reference = randomUUID();
  const [first, second] = [
    await client.pay('345', { reference }),
    await client.pay('345', { reference }),
  ];
  const states = [await ended(client, first), await ended(client, second)];
  assert.deepEqual(
    states.map(({ objectReference }) => objectReference),
    ['SIM0000000001', 'SIM0000000002'],
  );
  assert.equal(
    (await client.send('GET', `/responses/${reference}`)).body.link,
    '/transactions/SIM0000000001',
  );
  const headers = { 'x-correlationid': randomUUID() };
  const body = { type: 'reversal', amount: '5' };
  for (let sent = 0; sent < 2; sent++) {
    const path = '/transactions/SIM0000000001/reversals';
    await ended(client, await client.send('POST', path, body, headers));
  }
  const [total] = (await client.totals()).totals;
  assert.deepEqual([total.debitedMinor, total.reversedMinor], ['3040', '1000']);
});

for (const duplicates of ['state', 'error', 'again'] as const) {
  test(`rejects a repeated reversal for its state if the state comes first, with duplicates "${duplicates}"`, async (context) => {
    const { client } = await testSimulator(context, ({ provider }) => {
      Object.assign(provider, { duplicates, stateFirst: true });
    });
    await ended(client, await client.pay('345'));
    const reverse = (amount: string, id: string) =>
      client.send(
        'POST',
        '/transactions/SIM0000000001/reversals',
        { type: 'reversal', amount },
        {
          'x-correlationid': id,
        },
      );
    const id = randomUUID();
    await ended(client, await reverse('5', id));
    const repeated = await reverse('5', id);
    assert.deepEqual(
      [repeated.status, repeated.body.errorCategory, repeated.body.errorCode],
      [400, 'businessRule', 'incorrectState'],
    );
    await ended(client, await reverse('1', randomUUID()));
    assert.equal((await client.totals()).totals[0].reversedMinor, '600');
  });
}

test('hides a queued request from every query until it is due', async (context) => {
  const queueMs = 60_000;
  let aheadMs = 0;
  const { client } = await testSimulator(context, (options) => {
    options.faults = { queued: 1 };
    options.provider.queueMs = queueMs;
    options.clock = { nowMs: () => Date.now() + aheadMs };
  });
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const reference = randomUUID();
  const accepted = await client.pay('345', { reference, callbackUrl });
  assert.deepEqual([accepted.status, accepted.body.status], [202, 'pending']);
  const questions = [
    `GET /responses/${reference}`,
    `GET /requeststates/${accepted.body.serverCorrelationId}`,
    'GET /transactions/SIM0000000001',
    `POST /_simulator/confirm/${reference}`,
  ];
  const ask = async () => {
    const given = [];
    for (const question of questions) {
      const [method, path] = question.split(' ') as [string, string];
      given.push((await client.send(method, path)).status);
    }
    return given;
  };
  const list = async () =>
    (await client.send('GET', '/accounts/organisationid/1234/transactions')).body.length;
  assert.deepEqual(await ask(), [404, 404, 404, 404]);
  assert.equal(await list(), 0);
  const [total] = (await client.totals()).totals;
  assert.deepEqual([total.debits, total.pending, taken.length], [0, 1, 0]);
  aheadMs = queueMs + 1;
  assert.deepEqual((await ask()).slice(0, 3), [200, 200, 200]);
  assert.equal(await list(), 1);
  await eventually('its callback', () => taken.length === 1);
  assert.equal((await ended(client, accepted)).status, 'completed');
});

test('shows a debit of another amount with that amount everywhere', async (context) => {
  const { client } = await always(context, 'other-amount');
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  await ended(client, await client.pay('345', { amount: '10', callbackUrl }));
  const { body } = await client.send('GET', '/transactions/SIM0000000001');
  const told = await eventually('the callback', () => taken[0]);
  const { totals, faults } = await client.totals();
  assert.deepEqual([body.amount, told.body.amount], ['11.5', '11.5']);
  assert.equal(totals[0].debitedMinor, '1150');
  assert.deepEqual(faults, { 'other-amount': 1 });
});

test('makes a reversal of the requested amount with its own id', async (context) => {
  for (const fault of ['other-amount', 'reused-id'] as const) {
    const { client } = await always(context, fault);
    await ended(client, await client.pay('345', { amount: '10' }));
    const path = '/transactions/SIM0000000001/reversals';
    const accepted = await client.send('POST', path, { type: 'reversal', amount: '4' });
    const { objectReference } = await ended(client, accepted);
    const { body } = await client.send('GET', `/transactions/${objectReference}`);
    assert.deepEqual([objectReference, body.amount], ['SIM0000000002', '4'], fault);
  }
});

test('shows a fee on the callback in no answer and no total', async (context) => {
  const { client } = await always(context, 'fee-on-callback');
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  await ended(client, await client.pay('345', { amount: '10', callbackUrl }));
  const told = await eventually('the callback', () => taken[0]);
  const { body } = await client.send('GET', '/transactions/SIM0000000001');
  assert.deepEqual([told.body.amount, body.amount], ['11.5', '10']);
  assert.deepEqual({ ...told.body, amount: '' }, { ...body, amount: '' });
  assert.equal((await client.totals()).totals[0].debitedMinor, '1000');
});

test('shows the later of two transactions with one id', async (context) => {
  const { client } = await always(context, 'reused-id');
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const [first, second] = [randomUUID(), randomUUID()];
  await ended(client, await client.pay('345', { reference: first }));
  const { objectReference } = await ended(
    client,
    await client.pay('345', { reference: second, callbackUrl }),
  );
  assert.equal(objectReference, 'SIM0000000001');
  const { body } = await client.send('GET', '/transactions/SIM0000000001');
  assert.equal(body.requestingOrganisationTransactionReference, second);
  for (const reference of [first, second]) {
    const { link } = (await client.send('GET', `/responses/${reference}`)).body;
    assert.equal(link, '/transactions/SIM0000000001');
  }
  const told = await eventually('the callback', () => taken[0]);
  assert.equal(told.body.transactionReference, 'SIM0000000001');
  const listed = await client.send('GET', '/accounts/organisationid/1234/transactions');
  assert.deepEqual(
    listed.body.map((one: SentCallback['body']) => [
      one.transactionReference,
      one.requestingOrganisationTransactionReference,
    ]),
    [
      ['SIM0000000001', second],
      ['SIM0000000001', first],
    ],
  );
});

const wordOf = ({ body }: SentCallback): string => body.transactionStatus ?? body.errorCode;

test('sends a contradictory callback before the true one', async (context) => {
  const { client } = await always(context, 'contradictory-callback');
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const said = async (accept: () => ReturnType<typeof client.send>) => {
    taken.length = 0;
    await ended(client, await accept());
    await eventually('both callbacks', () => taken.length === 2);
    return taken.map(wordOf);
  };
  const debit = await said(() => client.pay('345', { callbackUrl }));
  assert.deepEqual(debit, ['genericError', 'completed']);
  const path = '/transactions/SIM0000000001/reversals';
  const headers = { 'x-callback-url': callbackUrl };
  const reversal = await said(() => client.send('POST', path, { type: 'reversal' }, headers));
  assert.deepEqual(reversal, ['genericError', 'completed']);
  const failure = await said(() => client.pay('049', { callbackUrl }));
  assert.deepEqual(failure, ['completed', 'insufficientFunds']);
});

test('lists sent callbacks with their times', async (context) => {
  const { client } = await always(context, 'contradictory-callback');
  const { url: callbackUrl } = await callbackReceiver(context);
  const reference = randomUUID();
  const beforeMs = Date.now();
  await client.pay('345', { reference, callbackUrl });
  const callbacks = await eventually('both', async () => {
    const { body } = await client.send('GET', '/_simulator/callbacks');
    return body.callbacks.length === 2 && body.callbacks;
  });
  assert.deepEqual(
    callbacks.map((one: Record<string, unknown>) => [one.correlationId, one.told, one.lastAnswer]),
    [
      [reference, 'opposite', '204'],
      [reference, 'outcome', '204'],
    ],
  );
  assert.ok(callbacks[0].sentAtMs >= beforeMs - 1 && callbacks[1].sentAtMs > callbacks[0].sentAtMs);
});

for (const [fault, isAnswered] of [
  ['just-in-time', true],
  ['just-too-late', false],
] as const) {
  test(`${fault}: gives a client that waits the configured time ${isAnswered ? 'its' : 'no'} answer, and makes the debit`, async (context) => {
    const clientTimeoutMs = 1_500;
    const { client, url } = await testSimulator(context, (options) => {
      Object.assign(options, { faults: { [fault]: 1 }, clientTimeoutMs, edgeMs: 1_400 });
    });
    const asked = Array.from({ length: 6 }, () =>
      fetch(url + merchantpay, {
        method: 'POST',
        headers: { 'x-api-key': 'the secret', 'content-type': 'application/json' },
        body: JSON.stringify(paymentBody('345')),
        signal: AbortSignal.timeout(clientTimeoutMs),
      }),
    );
    const outcomes = await Promise.allSettled(asked);
    const answered = outcomes.filter(({ status }) => status === 'fulfilled').length;
    assert.equal(answered, isAnswered ? 6 : 0);
    await eventually('the debits', async () => (await client.totals()).totals[0]?.debits === 6);
  });
}

test('delays each answer as configured', async (context) => {
  const { client } = await testSimulator(context, (options) => {
    options.answerMs = 60;
  });
  const beforeMs = performance.now();
  await client.send('GET', '/heartbeat');
  assert.ok(performance.now() - beforeMs > 55);
});

/** As the first version created it. */
const formerSchema = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE transactions (
  number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, correlation_id TEXT NOT NULL UNIQUE,
  request_id TEXT NOT NULL UNIQUE, reference TEXT NOT NULL, request TEXT NOT NULL,
  original_number INTEGER REFERENCES transactions, amount_minor INTEGER NOT NULL, currency TEXT NOT NULL,
  payer TEXT NOT NULL, callback_url TEXT, status TEXT NOT NULL DEFAULT 'pending', error_category TEXT,
  error_code TEXT, polls INTEGER NOT NULL DEFAULT 0, created_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL, due_at_ms INTEGER
) STRICT;
CREATE INDEX transactions_reference ON transactions (reference);
CREATE INDEX transactions_original ON transactions (original_number) WHERE original_number IS NOT NULL;
CREATE INDEX transactions_due ON transactions (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE TABLE callbacks (
  number INTEGER PRIMARY KEY AUTOINCREMENT, transaction_number INTEGER NOT NULL REFERENCES transactions,
  is_stale INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, last_answer TEXT, due_at_ms INTEGER
) STRICT;
CREATE INDEX callbacks_due ON callbacks (due_at_ms) WHERE due_at_ms IS NOT NULL`;

test('keeps the data of an earlier version, and sends its due callbacks', async (context) => {
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const [debit, reversal] = [randomUUID(), randomUUID()];
  const { client } = await testSimulator(context, (options) => {
    options.provider.duplicates = 'again';
    const database = new DatabaseSync(join(options.dataDir, fileName));
    database.exec(formerSchema);
    const insert = database.prepare(
      `INSERT INTO transactions (kind, correlation_id, request_id, reference, request, original_number,
         amount_minor, currency, payer, callback_url, status, created_at_ms, changed_at_ms)
       VALUES (?, ?, ?, ?, '', ?, 1520, 'CVE', '+2389910345', ?, 'completed', 1, 1)`,
    );
    insert.run('merchantpay', debit, randomUUID(), debit, null, callbackUrl);
    insert.run('reversal', reversal, randomUUID(), reversal, 1, callbackUrl);
    database.exec(
      'INSERT INTO callbacks (transaction_number, is_stale, due_at_ms) VALUES (2, 0, 1)',
    );
    database.close();
  });
  const told = await eventually('the callback', () => taken[0]);
  assert.equal(told.body.originalTransactionReference, 'SIM0000000001');
  assert.equal(
    (await client.send('GET', `/responses/${debit}`)).body.link,
    '/transactions/SIM0000000001',
  );
  assert.equal(
    (await ended(client, await client.pay('345', { reference: debit }))).status,
    'completed',
  );
  const [total] = (await client.totals()).totals;
  assert.deepEqual([total.debits, total.debitedMinor, total.reversedMinor], [2, '3040', '1520']);
});
