import { randomUUID } from 'node:crypto';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import { makeCreateRefund } from '../../src/money/refunds/create.ts';
import type { CreateRefundInput } from '../../src/money/refunds/creation.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import type { AmountLimits } from '../../src/platform/values/four-eyes.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { standardTerms } from '../../src/platform/values/merchant-terms.ts';
import { testHashes } from './request-hashes.ts';
import { addTenants } from './tenants.ts';

/** Creates refunds in a separate process, without a worker. */
export function refunding(database: Database, refundApprovalAbove: AmountLimits = {}) {
  return makeCreateRefund({
    database,
    refundApprovalAbove,
    refundRendering: { at: () => 2 },
    clock: { nowMs: () => Date.now() },
    ids: randomIds(),
    dispatcher: noDispatcher,
    worker: { leaseMs: ({ createdAtMs }) => createdAtMs, accept() {} },
    onRefund() {},
    requestHashes: testHashes,
  });
}

type Wanted = Pick<CreateRefundInput, 'tenantId' | 'paymentId'> & Partial<CreateRefundInput>;

/** A request for a refund; by default of the whole rest. */
export const refundInput = (wanted: Wanted): CreateRefundInput => ({
  mode: 'test',
  amountMinor: null,
  reason: null,
  metadata: null,
  apiKey: null,
  terms: standardTerms,
  idempotency: null,
  ...wanted,
});

/** A merchant with a test tenant. @returns the tenant's id */
export async function addTenant(database: Database): Promise<string> {
  const id = randomUUID();
  await addTenants(database, id);
  return id;
}

/** A database that reports the name of each statement before sending it. */
export function telling(
  database: Database,
  tell: (name: string) => Promise<void> | void,
): Database {
  return {
    ...database,
    query: async (statement, values) => {
      await tell(statement.name ?? statement.text);
      return database.query(statement, values);
    },
    transaction: async (run) => {
      await tell('BEGIN');
      return database.transaction((transaction) =>
        run(telling({ ...database, ...transaction }, tell)),
      );
    },
  };
}
