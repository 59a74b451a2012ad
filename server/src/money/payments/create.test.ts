import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { testHashes } from '../../../test/support/request-hashes.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import { noDispatcher } from '../../integrations/events/dispatch.ts';
import { operatorNames, recordOf } from '../../platform/config/operator-catalogue.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { standardTerms } from '../../platform/values/merchant-terms.ts';
import { type CreatePaymentInput, makeCreatePayment } from './create.ts';

const noFee = { basisPoints: 0, fixedMinor: 0n };

function payment(tenantId: string): CreatePaymentInput {
  return {
    tenantId,
    mode: 'test',
    amountMinor: 1_000n,
    operator: 'MOCK',
    operatorPhone: '+2389912345',
    currency: null,
    externalId: null,
    customerId: null,
    description: null,
    statementDescriptor: null,
    metadata: null,
    idempotency: null,
    apiKey: null,
    terms: standardTerms,
  };
}

/** The first batch is committed, but its answer is lost. */
function losesOneAnswer(database: Database): Database {
  let isLost = false;
  return {
    ...database,
    async query(statement, values) {
      const rows = await database.query<never>(statement, values);
      if (statement.name !== 'payments.insert' || isLost) return rows;
      isLost = true;
      throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
    },
  };
}

test('creates payments without an idempotency key once after a lost COMMIT', async (context) => {
  const { database } = await testDatabase(context);
  const tenantId = randomUUID();
  await addTenants(database, tenantId);
  const create = makeCreatePayment({
    database: losesOneAnswer(database),
    clock: { nowMs: () => Date.now() },
    ids: randomIds(),
    fees: recordOf(operatorNames, () => noFee),
    expiryMs: 300_000,
    dispatcher: noDispatcher,
    worker: { leaseMs: ({ createdAtMs }) => createdAtMs, accept: () => {} },
    checkOperator: () => {},
    onTransition: () => {},
    requestHashes: testHashes,
  });
  const created = await Promise.all([1, 2, 3].map(() => create(payment(tenantId))));
  const shown = created.map(({ json }) => (JSON.parse(json) as { id: string }).id);
  assert.equal(new Set(shown).size, 3);
  const text = 'SELECT id FROM payments WHERE tenant_id = $1';
  assert.equal((await database.query({ text }, [tenantId])).length, 3);
});
