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

/** Its first transaction is committed, but the answer to the COMMIT is lost. */
function losingCommit(database: Database): Database {
  let isLost = false;
  return {
    ...database,
    async transaction(run) {
      const result = await database.transaction(run);
      if (isLost) return result;
      isLost = true;
      throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
    },
  };
}

for (const key of [null, 'order-7']) {
  test(`a refund whose COMMIT was answered by nobody is answered all the same, ${key ? 'with' : 'without'} a key`, async (context) => {
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
