import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type Client, ended, testSimulator } from '../test/support.ts';

const path = '/accounts/organisationid/1234/transactions';
const startMs = Date.parse('2026-03-01T10:00:00.000Z');

async function list(client: Client, query: Record<string, string | number> = {}, at = path) {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, `${value}`]),
  );
  const { status, body, headers } = await client.send('GET', `${at}?${text.toString()}`);
  return {
    status,
    body,
    ids: Array.isArray(body) ? body.map((one) => Number(one.transactionReference.slice(3))) : [],
    available: headers.get('x-records-available-count'),
    returned: headers.get('x-records-returned-count'),
  };
}

/** Completed debits, a minute apart. */
async function withDebits(context: TestContext, count: number, mostListed = 100) {
  let nowMs = startMs;
  const { client } = await testSimulator(context, (options) => {
    options.provider.mostListed = mostListed;
    options.clock = { nowMs: () => nowMs };
  });
  for (let made = 0; made < count; made++) {
    await ended(client, await client.pay('345'));
    nowMs += 60_000;
  }
  return { client, later: () => (nowMs += 60_000) };
}

test('lists the debits and returns of an account, newest first, with our references', async (context) => {
  const { client, later } = await withDebits(context, 1);
  const reference = randomUUID();
  later();
  await ended(
    client,
    await client.send('POST', '/transactions/SIM0000000001/reversals', {
      type: 'reversal',
      amount: '5.2',
      requestingOrganisationTransactionReference: reference,
    }),
  );
  await ended(client, await client.pay('049'));
  const { body, available, returned } = await list(client);
  assert.deepEqual([available, returned], ['3', '3']);
  assert.deepEqual(
    body.map((one: Record<string, unknown>) => [one.type, one.transactionStatus, one.amount]),
    [
      ['merchantpay', 'failed', '15.2'],
      ['reversal', 'completed', '5.2'],
      ['merchantpay', 'completed', '15.2'],
    ],
  );
  assert.equal(body[1].requestingOrganisationTransactionReference, reference);
  assert.equal(body[1].originalTransactionReference, 'SIM0000000001');
  assert.deepEqual(
    (await list(client, {}, '/accounts/organisationid@1234/transactions')).body,
    body,
  );
});

test('returns the part that limit, offset and dates request, with the right counts', async (context) => {
  const { client } = await withDebits(context, 7);
  const minute = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString();
  const asked = async (query: Record<string, string | number>) => {
    const { ids, available, returned } = await list(client, query);
    return [ids, available, returned];
  };
  assert.deepEqual(await asked({ limit: 3 }), [[7, 6, 5], '7', '3']);
  assert.deepEqual(await asked({ limit: 3, offset: 5 }), [[2, 1], '7', '2']);
  assert.deepEqual(await asked({ offset: 9 }), [[], '7', '0']);
  assert.deepEqual(await asked({ limit: 0 }), [[], '7', '0']);
  assert.deepEqual(await asked({ fromDateTime: minute(5) }), [[7, 6], '2', '2']);
  assert.deepEqual(await asked({ toDateTime: minute(1) }), [[2, 1], '2', '2']);
  const both = { fromDateTime: minute(2), toDateTime: minute(3), limit: 1 };
  assert.deepEqual(await asked(both), [[4], '2', '1']);
  assert.deepEqual(await asked({ transactionType: 'reversal' }), [[], '0', '0']);
  assert.deepEqual(await asked({ transactionStatus: 'completed', limit: 1 }), [[7], '7', '1']);
});

test("returns 50 rows by default, and at most the operator's limit", async (context) => {
  const { client } = await withDebits(context, 53, 52);
  assert.deepEqual((await list(client)).ids.length, 50);
  const { ids, available, returned } = await list(client, { limit: 1_000 });
  assert.deepEqual([ids.length, available, returned], [52, '53', '52']);
});

test('rejects a query outside the standard', async (context) => {
  const { client } = await withDebits(context, 0);
  for (const [query, status, code] of [
    [{ limit: 'ten' }, 400, 'formatError'],
    [{ limit: -1 }, 400, 'negativeValue'],
    [{ offset: 2 ** 31 }, 400, 'formatError'],
    [{ fromDateTime: '2026-03-01' }, 400, 'formatError'],
    [{ toDateTime: '2026-13-01T00:00:00Z' }, 400, 'formatError'],
    [{ transactionType: 'gift' }, 400, 'formatError'],
  ] as const) {
    const given = await list(client, query);
    assert.deepEqual([given.status, given.body.errorCode], [status, code], JSON.stringify(query));
  }
  const stranger = await list(client, {}, '/accounts/organisationid/9/transactions');
  assert.deepEqual([stranger.status, stranger.body.errorCode], [404, 'identifierError']);
});
