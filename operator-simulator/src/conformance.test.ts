import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../server/test/support/eventually.ts';
import { openStandard } from '../../server/test/support/gsma-schema.ts';
import {
  callbackReceiver,
  disbursementBody,
  paymentBody,
  secret,
  testSimulator,
} from '../test/support.ts';
import type { Rates } from './faults.ts';

const { GSMA_OPENAPI: file = '' } = process.env;
const skip =
  file === '' &&
  'GSMA_OPENAPI does not name the OpenAPI document of the GSMA Mobile Money API 1.2 for merchant payments';
const merchantpay = '/transactions/type/merchantpay';

/** A client that checks all traffic against the standard. */
async function strictClient(context: TestContext, faults: Rates = {}) {
  const standard = openStandard(file);
  const { client } = await testSimulator(context, (options) => {
    options.provider.pollLimit = 3;
    options.faults = faults;
  });
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const problems: string[] = [];
  const statuses = new Set<string>();
  const send = async (method: string, path: string, body?: unknown) => {
    const id = randomUUID();
    const headers = { 'x-correlationid': id, 'x-callback-url': callbackUrl };
    const given = await client.send(method, path, body, headers);
    statuses.add(`${method} ${given.status}`);
    const requestHeaders = { ...headers, 'x-api-key': secret };
    const exchanged = { method, path, requestHeaders, requestBody: body, ...given };
    problems.push(...standard.problemsOf(exchanged));
    const isTold = () => taken.some((one) => one.headers['x-correlationid'] === id);
    return { id, body: given.body, told: () => eventually('its callback', isTold) };
  };
  const seen = () => [...problems, ...taken.flatMap(standard.problemsOfCallback)];
  return { send, statuses, taken, seen };
}

test('sends only answers and callbacks that the standard allows', { skip }, async (context) => {
  const { send, statuses, taken, seen } = await strictClient(context);
  for (const suffix of ['345', '049', '029', '109', '119']) {
    const { id, body, told } = await send('POST', merchantpay, paymentBody(suffix));
    if (suffix !== '109') await told();
    // The fourth query exceeds the pollLimit.
    for (let asked = 0; asked < 4; asked++) {
      await send('GET', `/requeststates/${body.serverCorrelationId}`);
    }
    const { link } = (await send('GET', `/responses/${id}`)).body;
    if (!link.startsWith('/transactions')) continue;
    await send('GET', link);
    const reversal = { type: 'reversal', amount: '5.2', currency: 'CVE' };
    await (await send('POST', `${link}/reversals`, reversal)).told();
    await send('POST', `${link}/reversals`, { ...reversal, amount: '900' });
  }
  const stranger = [{ key: 'organisationid', value: '9' }];
  await send('POST', merchantpay, { ...paymentBody('345'), creditParty: stranger });
  await send('GET', '/transactions/SIM0000009999');
  await send('GET', `/requeststates/${randomUUID()}`);
  await send('GET', `/responses/${randomUUID()}`);
  await send('GET', '/heartbeat');
  await send('GET', '/accounts/organisationid/1234/balance');
  await send('GET', '/accounts/organisationid@1234/balance');
  const listed = await send('GET', '/accounts/organisationid/1234/transactions?limit=50&offset=0');
  assert.equal(listed.body.length, 7);
  const query =
    'fromDateTime=2026-01-01T00:00:00Z&transactionType=reversal&transactionStatus=completed';
  await send('GET', `/accounts/organisationid@1234/transactions?${query}`);
  await send('GET', '/accounts/organisationid/1234/transactions?offset=-1');
  await send('GET', '/accounts/organisationid/9/transactions');
  assert.deepEqual(seen(), []);
  const expected = ['GET 200', 'GET 400', 'GET 404', 'POST 202', 'POST 400', 'POST 404'];
  assert.deepEqual([...statuses].sort(), expected);
  assert.equal(taken.length, 6);
});

test('pays out only with answers and callbacks that the standard allows', {
  skip,
}, async (context) => {
  const { send, taken, seen } = await strictClient(context);
  for (const suffix of ['345', '029', '149']) {
    const path = '/transactions/type/disbursement';
    const { id, body, told } = await send('POST', path, disbursementBody(suffix));
    await told();
    await send('GET', `/requeststates/${body.serverCorrelationId}`);
    const { link } = (await send('GET', `/responses/${id}`)).body;
    await send('GET', link);
  }
  await send('GET', '/accounts/organisationid/1234/transactions?transactionType=disbursement');
  await eventually('all callbacks', () => taken.length === 4);
  assert.deepEqual(seen(), []);
});

test("writes wrong answers and other words in the standard's format", {
  skip,
}, async (context) => {
  const odd = { 'other-word': 1, 'repeated-return': 0.5, 'stray-answer': 0.5, 'list-repeats': 1 };
  const { send, seen } = await strictClient(context, odd);
  for (let made = 0; made < 4; made++) {
    const { id, body, told } = await send('POST', merchantpay, paymentBody('345'));
    await told();
    await send('GET', `/requeststates/${body.serverCorrelationId}`);
    const { link } = (await send('GET', `/responses/${id}`)).body;
    await send('GET', link);
    await (await send('POST', `${link}/reversals`, { type: 'reversal', amount: '2' })).told();
  }
  for (const offset of [0, 2, 4]) {
    await send('GET', `/accounts/organisationid/1234/transactions?limit=2&offset=${offset}`);
  }
  assert.deepEqual(seen(), []);
});

test('finds violations of the standard', { skip }, () => {
  const standard = openStandard(file);
  const good = {
    method: 'POST',
    path: merchantpay,
    requestHeaders: { 'x-correlationid': randomUUID() },
    requestBody: paymentBody('345'),
    status: 202,
    body: { serverCorrelationId: randomUUID(), status: 'pending', notificationMethod: 'polling' },
  };
  const counts = {
    'x-date': new Date().toISOString(),
    'x-records-available-count': '0',
    'x-records-returned-count': '0',
  };
  const list = {
    method: 'GET',
    path: '/accounts/organisationid/1234/transactions?limit=10',
    requestHeaders: {},
    status: 200,
    headers: new Headers(counts),
    body: [],
  };
  assert.deepEqual(standard.problemsOf(good), []);
  assert.deepEqual(standard.problemsOf(list), []);
  for (const bad of [
    { ...good, requestBody: { ...good.requestBody, amount: '5.00' } },
    { ...good, requestHeaders: { 'x-correlationid': 'one' } },
    { ...good, body: { ...good.body, status: 'done' } },
    { ...good, body: { ...good.body, pollLimit: 0 } },
    { ...good, status: 204 },
    { ...good, path: '/payments' },
    { ...good, headers: new Headers() },
    { ...list, path: '/accounts/organisationid/1234/transactions?limit=ten' },
    { ...list, body: [{}] },
    { ...list, headers: new Headers({ ...counts, 'x-records-available-count': 'many' }) },
    { ...list, headers: new Headers({ 'x-date': new Date().toISOString() }) },
  ]) {
    assert.notDeepEqual(standard.problemsOf(bad), [], JSON.stringify(bad));
  }
  assert.notDeepEqual(standard.problemsOfCallback({ body: { status: 'completed' } }), []);
});
