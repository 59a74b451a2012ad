import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { freshDatabase } from '../../../test/support/database.ts';
import { eventually, testGateway } from '../../../test/support/gateway.ts';
import { bookMany } from '../../../test/support/many-payments.ts';
import { addTenant, refundInput, refunding, telling } from '../../../test/support/refunding.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { parseId } from '../../platform/values/ids.ts';
import { checkLedger } from '../ledger/check.ts';

/** The first refund is committed, but its answer is lost. */
function losingCommit(database: Database): Database {
  let isLost = false;
  const loseOnce = <Result>(result: Result) => {
    if (isLost) return result;
    isLost = true;
    throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
  };
  return {
    ...database,
    query: async (statement, values) => {
      const rows = await database.query<never>(statement, values);
      return statement.name === 'refunds.insert' ? loseOnce(rows) : rows;
    },
    transaction: async (run) => loseOnce(await database.transaction(run)),
  };
}

const maria = { actor: 'person:maria', origin: '192.0.2.7' };

for (const [who, key, author] of [
  ['without a key', null, null],
  ['with a key', 'order-7', null],
  ['of a person', null, maria],
] as const) {
  test(`answers a refund whose COMMIT got no answer, ${who}`, async (context) => {
    const { api, database } = await testGateway(context);
    const order = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
    const { body } = await api('POST', '/v1/payments', order);
    await eventually(
      'it is debited',
      async () => (await api('GET', `/v1/payments/${body.id}`)).body.status === 'DEBITED',
    );
    const [owner] = await database.query<{ tenantId: string }>({
      text: 'SELECT tenant_id AS "tenantId" FROM payments',
    });
    const input = refundInput({
      tenantId: owner!.tenantId,
      paymentId: parseId('pi', body.id)!,
      ...(author && { author }),
      idempotency: key === null ? null : { key, meaning: '{}', asSent: {} },
    });
    const { json, replayed } = await refunding(losingCommit(database))(input);
    assert.equal(replayed, false);
    assert.equal(JSON.parse(json).amount, '10000');
    const { data } = (await api('GET', '/v1/refunds')).body;
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [JSON.parse(json).id],
    );
    assert.deepEqual(await checkLedger(database), []);
  });
}

/** Requests for 3 CVE of each of so many debited payments. */
async function requests(context: TestContext, count: number) {
  const { database } = await freshDatabase(context);
  const tenantId = await addTenant(database);
  await bookMany(database, { tenantId, count, fromMs: Date.now() - 60_000 });
  const text = 'SELECT id FROM payments WHERE tenant_id = $1 ORDER BY id';
  const payments = await database.query<{ id: string }>({ text }, [tenantId]);
  const inputs = payments.map(({ id: paymentId }) =>
    refundInput({ tenantId, paymentId, amountMinor: 300n }),
  );
  return { database, inputs };
}

const together = ['refunds.before', 'refunds.insert'];

test('takes two statements for a refund, and two for sixteen refunds of different payments', async (context) => {
  const { database, inputs } = await requests(context, 17);
  const told: string[] = [];
  const create = refunding(telling(database, (name) => void told.push(name)));
  await create(inputs.pop()!);
  assert.deepEqual(told.splice(0), together, 'one alone');
  await Promise.all(inputs.map(create));
  assert.deepEqual(told.splice(0), together, 'sixteen at once');
  const ofOne = Array.from({ length: 2 }, () => create(inputs[0]!));
  await Promise.all(ofOne);
  assert.deepEqual(told.splice(0), [...together, ...together], 'two of one payment');
  const refused = inputs.map((input) => create({ ...input, amountMinor: 1_000_000n }));
  const answers = await Promise.allSettled(refused);
  assert.ok(answers.every(({ status }) => status === 'rejected'));
  assert.deepEqual(told.splice(0), ['refunds.before'], 'what is refused is not written');
  const apiKey = { id: randomUUID(), maxRefundedPerDayMinor: 1_200n };
  const limited = await Promise.allSettled(inputs.map((input) => create({ ...input, apiKey })));
  assert.equal(limited.filter(({ status }) => status === 'fulfilled').length, 4);
  const begin = 'api_keys.begin_refund_days';
  const withLimit = ['refunds.before', begin, 'refunds.insert', 'refunds.before'];
  assert.deepEqual(told, withLimit, 'those for which the day has no room are refused next');
  assert.deepEqual(await checkLedger(database), []);
});

test('waits behind the lock for a payment that another process always gets first', async (context) => {
  const { database, inputs } = await requests(context, 1);
  const [input] = inputs;
  const other = refunding(database);
  const told: string[] = [];
  const create = refunding(
    telling(database, async (name) => {
      told.push(name);
      if (name === 'refunds.insert' && !told.includes('BEGIN'))
        await other({ ...input!, amountMinor: 1n });
    }),
  );
  await create(input!);
  const lost = [...together, ...together, ...together];
  assert.deepEqual(told, [...lost, 'BEGIN', 'refunds.lock_payment', ...together]);
  const text = 'SELECT amount_minor::integer AS amount FROM refunds ORDER BY amount_minor';
  const amounts = await database.query<{ amount: number }>({ text });
  assert.deepEqual(
    amounts.map(({ amount }) => amount),
    [1, 1, 1, 300],
  );
  assert.deepEqual(await checkLedger(database), []);
});

test('makes each refund once when its connection is killed during the write', async (context) => {
  const { database, inputs } = await requests(context, 8);
  const create = refunding(database);
  let answers: Promise<{ json: string }[]> | undefined;
  const waiting = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await database.transaction(async (transaction) => {
    // The last of them, so that all others are locked when the connection ends.
    const { tenantId, paymentId } = inputs.at(-1)!;
    const lock = 'SELECT id FROM payments WHERE tenant_id = $1 AND id = $2 FOR UPDATE';
    await transaction.query({ text: lock }, [tenantId, paymentId]);
    answers = Promise.all(inputs.map(create));
    const pid = await eventually('they wait', async () => {
      const [row] = await database.query<{ pid: number }>({ text: waiting });
      return row?.pid;
    });
    await database.query({ text: 'SELECT pg_terminate_backend($1)' }, [pid]);
    await eventually('they are written again', async () => {
      const [row] = await database.query<{ pid: number }>({ text: waiting });
      return row !== undefined && row.pid !== pid;
    });
  });
  const made = (await answers!).map(({ json }) => JSON.parse(json).id);
  assert.equal(new Set(made).size, inputs.length);
  const rows = await database.query({ text: 'SELECT id FROM refunds' });
  assert.equal(rows.length, inputs.length);
  assert.deepEqual(await checkLedger(database), []);
});
