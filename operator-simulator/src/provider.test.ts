import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '../../server/test/support/eventually.ts';
import { callbackReceiver, ended, paymentBody, testSimulator } from '../test/support.ts';

test('accepts a debit, calls back, finds it by either id, and returns it in parts', async (context) => {
  const { client } = await testSimulator(context);
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const reference = randomUUID();
  const accepted = await client.pay('345', { reference, callbackUrl });
  assert.equal(accepted.status, 202);
  assert.equal(accepted.body.notificationMethod, 'callback');
  const state = await ended(client, accepted);
  const { body: response } = await client.send('GET', `/responses/${reference}`);
  assert.equal(response.link, `/transactions/${state.objectReference}`);
  const { body: debit } = await client.send('GET', response.link);
  assert.equal(debit.transactionStatus, 'completed');
  assert.equal(debit.amount, '15.2');
  assert.equal(debit.requestingOrganisationTransactionReference, reference);
  const told = await eventually('the callback', () => taken[0]);
  assert.deepEqual(told.body, debit);
  assert.equal(told.path, 'PUT /told');
  assert.equal(told.headers['x-correlationid'], reference);
  const reverse = (amount?: string) =>
    client.send('POST', `${response.link}/reversals`, { type: 'reversal', amount });
  await ended(client, await reverse('10'));
  const tooMuch = await reverse('5.21');
  assert.deepEqual(
    [tooMuch.status, tooMuch.body.errorCode],
    [400, 'greaterThanTransactionMaxValue'],
  );
  const { objectReference } = await ended(client, await reverse());
  const { body: reversal } = await client.send('GET', `/transactions/${objectReference}`);
  assert.equal(reversal.amount, '5.2');
  assert.equal(reversal.originalTransactionReference, debit.transactionReference);
  assert.equal((await reverse('0.01')).status, 400);
  const { totals } = await client.totals();
  const total = { currency: 'CVE', debits: 1, debitedMinor: '1520' };
  assert.deepEqual(totals, [
    {
      ...total,
      reversals: 2,
      reversedMinor: '1520',
      disbursements: 0,
      disbursedMinor: '0',
      pending: 0,
      failed: 0,
      succeedingLate: 0,
    },
  ]);
});

test('debits once for the same X-CorrelationID, even under concurrency', async (context) => {
  const { client } = await testSimulator(context);
  const reference = randomUUID();
  const request = paymentBody('345', '1', reference);
  const pay = (body: unknown, id: string = reference) =>
    client.send('POST', '/transactions/type/merchantpay', body, { 'x-correlationid': id });
  const all = await Promise.all(Array.from({ length: 20 }, () => pay(request)));
  assert.ok(all.every(({ status }) => status === 202));
  assert.equal(new Set(all.map(({ body }) => body.serverCorrelationId)).size, 1);
  await ended(client, all[0]!);
  assert.equal((await pay(request, reference.toUpperCase())).body.status, 'completed');
  const other = await pay({ ...request, amount: '2' });
  assert.deepEqual([other.status, other.body.errorCode], [400, 'duplicateRequest']);
  const { totals } = await client.totals();
  assert.deepEqual([totals[0].debits, totals[0].debitedMinor], [1, '100']);
});

test('rejects a repetition without a debit if duplicates are errors', async (context) => {
  const { client } = await testSimulator(context, ({ provider }) => {
    provider.duplicates = 'error';
  });
  const reference = randomUUID();
  await ended(client, await client.pay('345', { reference }));
  assert.equal((await client.pay('345', { reference })).body.errorCode, 'duplicateRequest');
  assert.equal((await client.totals()).totals[0].debits, 1);
});

test('returns the same reversal once', async (context) => {
  const { client } = await testSimulator(context);
  const { objectReference } = await ended(client, await client.pay('345'));
  const id = { 'x-correlationid': randomUUID() };
  const path = `/transactions/${objectReference}/reversals`;
  const body = { type: 'reversal', amount: '1' };
  const all = await Promise.all([1, 2, 3].map(() => client.send('POST', path, body, id)));
  for (const one of all) await ended(client, one);
  const { totals } = await client.totals();
  assert.deepEqual([totals[0].reversals, totals[0].reversedMinor], [1, '100']);
});

test('fails a debit by the last digits of the phone', async (context) => {
  const { client } = await testSimulator(context);
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const said = new Map<string, string>();
  for (const suffix of ['019', '029', '039', '049', '059', '069', '079', '099']) {
    const { status, error } = await ended(client, await client.pay(suffix, { callbackUrl }));
    assert.equal(status, 'failed');
    said.set(suffix, `${error.errorCategory}/${error.errorCode}`);
  }
  assert.deepEqual(Object.fromEntries(said), {
    '019': 'businessRule/dailyValueLimitExceeded',
    '029': 'identification/identifierError',
    '039': 'authorisation/requestDeclined',
    '049': 'businessRule/insufficientFunds',
    '059': 'businessRule/genericError',
    '069': 'internal/genericError',
    '079': 'serviceUnavailable/genericError',
    '099': 'authorisation/requestingPartyAuthorisationError',
  });
  await eventually('the callbacks', () => taken.length === 8);
  assert.deepEqual(
    taken.map(({ body }) => `${body.errorCategory}/${body.errorCode}`).sort(),
    [...said.values()].sort(),
  );
  const { totals } = await client.totals();
  assert.deepEqual([totals[0].failed, totals[0].debitedMinor], [8, '0']);
});

test('cannot return 119, never calls back for 129, calls back twice for 149', async (context) => {
  const { client } = await testSimulator(context);
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const { objectReference } = await ended(client, await client.pay('119'));
  const body = { type: 'reversal' };
  const reversal = await client.send('POST', `/transactions/${objectReference}/reversals`, body);
  assert.equal((await ended(client, reversal)).error.errorCode, 'incorrectState');
  const silent = randomUUID();
  await ended(client, await client.pay('129', { reference: silent, callbackUrl }));
  await ended(client, await client.pay('149', { callbackUrl }));
  await eventually('both callbacks', () => taken.length === 2);
  assert.equal((await client.totals()).openCallbacks, 0);
  assert.ok(taken.every(({ headers }) => headers['x-correlationid'] !== silent));
  assert.deepEqual(taken[0]!.body, taken[1]!.body);
});

test('waits for /_simulator/confirm with 109 and 159', async (context) => {
  const { client } = await testSimulator(context);
  for (const suffix of ['109', '159']) {
    const reference = randomUUID();
    const accepted = await client.pay(suffix, { reference });
    const path = `/_simulator/confirm/${reference}`;
    const { body } = await client.send('GET', `/responses/${reference}`);
    assert.equal(body.link, `/requeststates/${accepted.body.serverCorrelationId}`);
    assert.equal((await client.send('POST', path)).body.transactionStatus, 'completed');
    assert.equal((await client.send('POST', path)).body.errorCode, 'incorrectState');
  }
  assert.equal((await client.totals()).totals[0].debits, 2);
});

test('fails an unconfirmed request in the end', async (context) => {
  const { client } = await testSimulator(context, ({ provider }) => {
    provider.expiryMs = 0;
  });
  for (const suffix of ['109', '159']) {
    const { status, error } = await ended(client, await client.pay(suffix));
    assert.deepEqual([status, error.errorCode], ['failed', 'genericError']);
  }
});

test('enforces the pollLimit', async (context) => {
  const { client } = await testSimulator(context, ({ provider }) => {
    provider.pollLimit = 2;
  });
  const { body } = await client.pay('109');
  assert.equal(body.pollLimit, 2);
  const ask = () => client.send('GET', `/requeststates/${body.serverCorrelationId}`);
  const statuses = [(await ask()).status, (await ask()).status];
  assert.deepEqual(statuses, [200, 200]);
  assert.equal((await ask()).body.errorCode, 'rateLimitError');
});

test('repeats a rejected callback', async (context) => {
  const { client } = await testSimulator(context);
  const { url: callbackUrl, taken } = await callbackReceiver(context, [500]);
  await ended(client, await client.pay('345', { callbackUrl }));
  await eventually('the second attempt', () => taken.length === 2);
  assert.deepEqual(taken[0]!.body, taken[1]!.body);
  await eventually('no more', async () => (await client.totals()).openCallbacks === 0);
});

test('rejects a request that breaks the standard, without a debit', async (context) => {
  const { client } = await testSimulator(context);
  const good = paymentBody('345');
  const wrong: [unknown, string][] = [
    ['{', 'formatError'],
    [[], 'formatError'],
    [{ ...good, amount: '5.00' }, 'formatError'],
    [{ ...good, amount: '0.001' }, 'formatError'],
    [{ ...good, amount: 5 }, 'formatError'],
    [{ ...good, amount: '0' }, 'lessThanTransactionMinValue'],
    [{ ...good, amount: '900000000000000000' }, 'greaterThanTransactionMaxValue'],
    [{ ...good, amount: undefined }, 'mandatoryValueNotSupplied'],
    [{ ...good, currency: 'EUR' }, 'currencyNotSupported'],
    [{ ...good, debitParty: undefined }, 'mandatoryValueNotSupplied'],
    [{ ...good, debitParty: [{ key: 'msisdn' }] }, 'formatError'],
    [{ ...good, debitParty: [{ key: 'msisdn', value: 'Ana' }] }, 'formatError'],
    [{ ...good, creditParty: [{ key: 'organisationid', value: '9' }] }, 'identifierError'],
  ];
  for (const [body, code] of wrong) {
    const given = await client.send('POST', '/transactions/type/merchantpay', body);
    assert.equal(given.body.errorCode, code, JSON.stringify(body));
    assert.ok(given.status === 400 || given.status === 404);
  }
  const badId = await client.send('POST', '/transactions/type/merchantpay', good, {
    'x-correlationid': 'one',
  });
  assert.equal(badId.body.errorCode, 'formatError');
  const badType = await client.send('POST', '/transactions/type/deposit', good);
  assert.equal(badType.body.errorCode, 'transactionTypeError');
  assert.deepEqual((await client.totals()).totals, []);
});
