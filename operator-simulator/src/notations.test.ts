import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../server/test/support/eventually.ts';
import { type Client, callbackReceiver, ended, testSimulator } from '../test/support.ts';
import type { Fault } from './faults.ts';
import type { OperatorSimulatorOptions } from './start.ts';

const list = '/accounts/organisationid/1234/transactions';

const always = (
  context: TestContext,
  faults: Fault[],
  change: (options: OperatorSimulatorOptions) => void = () => {},
) =>
  testSimulator(context, (options) => {
    options.faults = Object.fromEntries(faults.map((fault) => [fault, 1]));
    change(options);
  });

/** A completed debit with this reference, and the id in the operator's answers. */
async function debit(client: Client, reference: string = randomUUID()): Promise<string> {
  const pending = await client.pay('345', { reference });
  let link = '';
  await eventually('the debit', async () => {
    link = (await client.send('GET', `/responses/${reference}`)).body.link;
    return link.startsWith('/transactions/');
  });
  assert.equal(pending.status, 202);
  return link;
}

const reverse = async (client: Client, link: string, amount: string) => {
  const reference = randomUUID();
  const body = { type: 'reversal', amount, requestingOrganisationTransactionReference: reference };
  const headers = { 'x-correlationid': reference };
  await client.send('POST', `${link}/reversals`, body, headers);
  let found = '';
  await eventually('the reversal', async () => {
    found = (await client.send('GET', `/responses/${reference}`)).body.link;
    return found.startsWith('/transactions/');
  });
  return { reference, link: found };
};

test('reports a completed debit in other words, and a reversal as "reversed"', async (context) => {
  const { client } = await always(context, ['other-word']);
  const link = await debit(client);
  const { transactionStatus } = (await client.send('GET', link)).body;
  assert.ok(['Completed', 'COMPLETED', 'successful'].includes(transactionStatus));
  const returned = await reverse(client, link, '5.2');
  const { transactionStatus: word } = (await client.send('GET', returned.link)).body;
  assert.ok(['reversed', 'Reversed', 'refunded', 'settled'].includes(word));
});

test('writes amounts as numbers, or unexpected capitals', async (context) => {
  const { client } = await always(context, ['other-notation']);
  const reference = randomUUID();
  const bodies = [];
  for (let made = 0; made < 5; made++) {
    bodies.push((await client.send('GET', await debit(client))).body);
  }
  assert.ok(bodies.some(({ amount }) => amount === 15.2));
  assert.ok(bodies.some(({ currency }) => currency === 'cve'));
  assert.ok(bodies.some(({ type }) => type === 'MERCHANTPAY'));
  const { serverCorrelationId } = (await client.pay('345', { reference })).body;
  assert.equal(serverCorrelationId, serverCorrelationId.toUpperCase());
  const state = await client.send('GET', `/requeststates/${serverCorrelationId}`);
  assert.equal(state.status, 200);
});

test('shows the same unreadable amount every time', async (context) => {
  const { client } = await always(context, ['unclear-amount']);
  for (let made = 0; made < 7; made++) {
    const link = await debit(client);
    const { amount, currency } = (await client.send('GET', link)).body;
    assert.ok(amount !== '15.2' || currency !== 'CVE', JSON.stringify({ amount, currency }));
    assert.deepEqual((await client.send('GET', list)).body[0].amount, amount);
  }
});

test('finds a transaction by an id with strange characters', async (context) => {
  const { client } = await always(context, ['strange-id']);
  for (let made = 0; made < 5; made++) {
    const link = await debit(client);
    const { transactionReference: id } = (await client.send('GET', link)).body;
    assert.doesNotMatch(id, /^SIM\d{10}$/);
    assert.equal(decodeURIComponent(link), `/transactions/${id}`);
    assert.equal((await client.send('GET', list)).body[0].transactionReference, id);
  }
});

test('shows a second reversal as the first, and returns nothing', async (context) => {
  const { client } = await always(context, ['repeated-return']);
  const link = await debit(client);
  const first = await reverse(client, link, '5.2');
  const second = await reverse(client, link, '3');
  assert.equal(second.link, first.link);
  assert.equal((await client.send('GET', second.link)).body.amount, '5.2');
  const [total] = (await client.totals()).totals;
  assert.deepEqual([total.reversals, total.reversedMinor], [1, '520']);
});

test('answers a query about one request with another', async (context) => {
  const { client } = await always(context, ['stray-answer']);
  const [one, other] = [await client.pay('345'), await client.pay('345')];
  const id = one.body.serverCorrelationId;
  const { body } = await client.send('GET', `/requeststates/${id}`);
  assert.equal(body.serverCorrelationId, other.body.serverCorrelationId);
});

test('sends junk before a callback', async (context) => {
  const { client } = await always(context, ['junk-callbacks']);
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  await client.pay('345', { callbackUrl });
  await eventually('the callback', () => taken.length === 11);
  const codes = taken.map(({ body }) => body.errorCode ?? body.transactionStatus);
  const junk = Array.from({ length: 10 }, (_, index) => `junk${index}`);
  assert.deepEqual(codes, [...junk, 'completed']);
});

for (const [fault, pages, counts] of [
  ['list-ends-early', [[7, 6, 5], []], ['7', '7']],
  ['list-error', [[7, 6, 5], 503], ['7', null]],
  [
    'list-repeats',
    [
      [7, 6, 5],
      [6, 5, 4],
    ],
    ['7', '7'],
  ],
  [
    'list-skips',
    [
      [6, 5],
      [4, 3, 2],
    ],
    ['7', '7'],
  ],
  ['list-pages', [[7, 6, 5], []], ['7', '7']],
  [
    'list-counts-page',
    [
      [7, 6, 5],
      [4, 3, 2],
    ],
    ['3', '3'],
  ],
  [
    'list-counts-more',
    [
      [7, 6, 5],
      [4, 3, 2],
    ],
    ['12', '12'],
  ],
  [
    'list-counts-less',
    [
      [7, 6, 5],
      [4, 3, 2],
    ],
    ['3', '3'],
  ],
  [
    'list-counts-nothing',
    [
      [7, 6, 5],
      [4, 3, 2],
    ],
    [null, null],
  ],
] as const) {
  test(`a list of transactions: ${fault}`, async (context) => {
    let nowMs = Date.parse('2026-03-01T10:00:00.000Z');
    const { client } = await always(context, [fault], (options) => {
      options.clock = { nowMs: () => nowMs };
    });
    for (let made = 0; made < 7; made++) {
      await ended(client, await client.pay('345'));
      nowMs += 60_000;
    }
    const given = [];
    for (const offset of [0, 3]) {
      given.push(await client.send('GET', `${list}?limit=3&offset=${offset}`));
    }
    assert.deepEqual(
      given.map(({ body, status }) =>
        Array.isArray(body) ? body.map((row) => Number(row.transactionReference.slice(3))) : status,
      ),
      pages,
    );
    const available = given.map(({ headers }) => headers.get('x-records-available-count'));
    assert.deepEqual(available, counts);
  });
}

test('dates a list by a wrong clock, or without a zone', async (context) => {
  for (const [listClock, date] of [
    ['behind', '2026-03-01T07:00:00.000Z'],
    ['ahead', '2026-03-01T13:00:00.000Z'],
    ['local', '2026-03-01T09:00:00.000'],
  ] as const) {
    const { client } = await always(context, [], (options) => {
      options.provider.listClock = listClock;
      options.clock = { nowMs: () => Date.parse('2026-03-01T10:00:00.000Z') };
    });
    await ended(client, await client.pay('345'));
    assert.equal((await client.send('GET', list)).body[0].creationDate, date);
  }
});
