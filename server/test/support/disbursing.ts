import { randomUUID } from 'node:crypto';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import { createDisbursements } from '../../src/money/disbursements/create-many.ts';
import {
  type CreateDisbursementInput,
  prepareDisbursement,
} from '../../src/money/disbursements/prepare.ts';
import { createPhoneDigests } from '../../src/money/phones/digest.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { standardTerms } from '../../src/platform/values/merchant-terms.ts';
import { bookMany } from './many-payments.ts';
import { testHashes } from './request-hashes.ts';

/** Makes so much of a tenant's balance available. */
export const fund = (
  database: Database,
  tenantId: string,
  amountMinor: number,
  currency: 'CVE' | 'AOA' = 'CVE',
) =>
  bookMany(database, {
    tenantId,
    count: 1,
    fromMs: Date.now() - 60_000,
    amountMinor: amountMinor + 20,
    currency,
  });

/** The parts that prepare and write disbursements in a separate process, without a worker. */
export const disbursing = (environment: Record<string, string> = {}) => ({
  clock: { nowMs: () => Date.now() },
  ids: randomIds(),
  disbursementSettings: loadConfig({ DISBURSEMENTS: 'on', ...environment }).disbursements,
  checkOperator() {},
  phoneDigests: createPhoneDigests({ open: async () => Buffer.alloc(32, 7) }),
  requestHashes: testHashes,
  dispatcher: noDispatcher,
  worker: { leaseMs: ({ createdAtMs }: { createdAtMs: number }) => createdAtMs, accept() {} },
});

type Wanted = Pick<CreateDisbursementInput, 'tenantId'> & Partial<CreateDisbursementInput>;

/** A request for a disbursement; by default of 1000 to one wallet. */
export const disbursementInput = (wanted: Wanted): CreateDisbursementInput => ({
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
  apiKey: null,
  terms: standardTerms,
  ...wanted,
});

/** A disbursement that no worker sends within the hour: it can be cancelled. @returns its id */
export async function heldDisbursement(database: Database, tenantId: string): Promise<string> {
  await fund(database, tenantId, 10_000);
  const dependencies = disbursing();
  const worker = { leaseMs: () => Date.now() + 3_600_000 };
  const prepared = await prepareDisbursement(
    { ...dependencies, worker },
    disbursementInput({ tenantId }),
    { idempotency: { key: randomUUID(), meaning: '{}', asSent: {} } },
  );
  await database.transaction((transaction) =>
    createDisbursements(transaction, dependencies, [prepared], 'refuse'),
  );
  return formatId('di', prepared.disbursement.id);
}

/** The test tenant of the gateway's first merchant. */
export async function firstTenant(database: Database): Promise<string> {
  const text = `SELECT k.tenant_id AS id FROM api_keys k ORDER BY k.id LIMIT 1`;
  const [tenant] = await database.query<{ id: string }>({ text });
  return tenant!.id;
}
