import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, testGateway } from '../../test/support/gateway.ts';
import { testHashes } from '../../test/support/request-hashes.ts';
import { noDispatcher } from '../events/dispatch.ts';
import { parseId, randomIds } from '../ids.ts';
import { checkLedger } from '../ledger/check.ts';
import { standardTerms } from '../merchant-terms.ts';
import type { Database } from '../postgres/database.ts';
import { makeCreateRefund } from './create.ts';

/** The first refund is committed, but the answer to that is lost. */
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
  test(`a refund whose COMMIT was answered by nobody is answered all the same, ${who}`, async (context) => {
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
    const create = makeCreateRefund({
      refundApprovalAbove: {},
      database: losingCommit(database),
      clock: { nowMs: () => Date.now() },
      ids: randomIds(),
      dispatcher: noDispatcher,
      worker: { leaseMs: ({ createdAtMs }) => createdAtMs, accept: () => {} },
      onRefund: () => {},
      requestHashes: testHashes,
    });
    const { json, replayed } = await create({
      tenantId: owner!.tenantId,
      mode: 'test',
      paymentId: parseId('pi', body.id)!,
      amountMinor: null,
      reason: null,
      metadata: null,
      apiKey: null,
      terms: standardTerms,
      ...(author && { author }),
      idempotency: key === null ? null : { key, meaning: '{}', asSent: {} },
    });
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
