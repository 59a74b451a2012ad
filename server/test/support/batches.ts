import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { BatchItem, DisbursementBatch } from '../../src/money/disbursements/batches/batch.ts';
import { makeCreateBatch } from '../../src/money/disbursements/batches/create.ts';
import { processBatch } from '../../src/money/disbursements/batches/process.ts';
import { claimDueBatches } from '../../src/money/disbursements/batches/store.ts';
import { BatchWorker } from '../../src/money/disbursements/batches/worker.ts';
import type { CreateDisbursementInput } from '../../src/money/disbursements/prepare.ts';
import { idempotentRequest } from '../../src/platform/idempotency/idempotency.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import type { Clock } from '../../src/platform/process/clock.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { standardTerms } from '../../src/platform/values/merchant-terms.ts';
import { cleanUp } from './cleanup.ts';
import { silentLog } from './database.ts';
import { disbursementInput, disbursing, fund } from './disbursing.ts';
import { type Answer, type Api, eventually, testGateway } from './gateway.ts';

export const batchesPath = '/v1/disbursement_batches';
/** Of 1000, this is 10. */
export const batchFees = { DISBURSEMENT_FEE_MOCK: '0+10' };

/** A gateway that sends and writes nothing by itself, and a merchant with this balance. */
export async function batchWorld(context: TestContext, balanceMinor = 0, settings = {}) {
  const environment = { ZIMBO_ROLE: 'api', DISBURSEMENTS: 'on', ...batchFees, ...settings };
  const gateway = await testGateway(context, { environment });
  const { database } = gateway;
  const text = `SELECT id, merchant_id AS "merchantId" FROM tenants WHERE mode = 'test'`;
  const [tenant] = await database.query<{ id: string; merchantId: string }>({ text });
  const { id: tenantId, merchantId } = tenant!;
  if (balanceMinor > 0) await fund(database, tenantId, balanceMinor);
  return { ...gateway, environment, tenantId, merchantId };
}

export type BatchWorld = Awaited<ReturnType<typeof batchWorld>>;

/** Asks for a batch. */
export const sendBatch = (api: Api, body: object, key: string = randomUUID()) =>
  api('POST', batchesPath, body, { 'idempotency-key': key });

/** Status and code. */
export const refusalOf = ({ status, body }: Answer) => [status, body.error?.code];

/** The balance of the merchant. */
export async function payable({ database, tenantId }: BatchWorld) {
  const text = `SELECT balance_minor AS minor FROM balances WHERE tenant_id = $1 AND account = 'payable'`;
  return Number((await database.query<{ minor: bigint }>({ text }, [tenantId]))[0]!.minor);
}

/** The rows as they are stored, in their order. */
export function stored({ database }: BatchWorld) {
  const text = `SELECT batch_row AS row, status, failure_code AS code, external_id AS "externalId"
    FROM disbursements ORDER BY batch_id, batch_row`;
  return database.query<{ row: number; status: string; code: string; externalId: string }>({
    text,
  });
}

/** Waits until a batch has a status, and returns it. */
export const reached = (api: Api, id: string, status: string) =>
  eventually(`${id} becomes ${status}`, async () => {
    const { body } = await api('GET', `${batchesPath}/${id}`);
    return body.status === status && body;
  });

/** Ends the rows that were written, as operators would. */
export const endRows = ({ database }: BatchWorld, status: string, where = 'true') =>
  database.query({
    text: `UPDATE disbursements SET status = '${status}', version = version + 1
      WHERE status = 'CREATED' AND ${where}`,
  });

/** 0, 1, 2, … */
export const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

/** The rows of a request: each to another wallet. */
export const rowsTo = (count: number, change: object = {}) =>
  Array.from({ length: count }, (_, row) => ({
    amount: 1_000,
    operator: 'MOCK',
    operatorPhone: `+23899${String(row).padStart(5, '0')}`,
    externalId: `row-${row}`,
    ...change,
  }));

/** Writes the rows of batches, as a process does that sends nothing. */
export function batchWorker(
  context: Pick<TestContext, 'after'>,
  database: Database,
  environment: Record<string, string> = {},
) {
  const worker = new BatchWorker(batchDependencies(database, environment));
  cleanUp(context, () => worker.stop());
  worker.start();
  return worker;
}

export const batchDependencies = (
  database: Database,
  environment: Record<string, string> = {},
) => ({
  ...disbursing(environment),
  database,
  log: silentLog,
  onDisbursement() {},
});

/** Claims the only batch, and processes it until it has written so many chunks. */
export async function workOnBatch({ database }: BatchWorld, chunks = 100) {
  const nowMs = Date.now();
  const wanted = { nowMs, leaseMs: nowMs + 10_000, limit: 1, busyModes: [] };
  const [batch] = await claimDueBatches(database, wanted);
  const dependencies = {
    ...batchDependencies(database, batchFees),
    batchLeaseMs: 10_000,
    wake() {},
  };
  let looks = 0;
  if (batch) await processBatch(dependencies, batch, () => looks++ >= chunks);
  return batch !== undefined;
}

/** As if its wait were over. */
export const makeDue = ({ database }: BatchWorld) =>
  database.query({ text: 'UPDATE disbursement_batches SET due_at = now()' });

interface WantedBatch {
  key: string;
  rows: readonly Partial<CreateDisbursementInput>[];
  clock?: Clock;
}

/** Creates a batch of a test tenant, without a worker. */
export async function batchOf(
  database: Database,
  tenantId: string,
  { key, rows, clock }: WantedBatch,
): Promise<DisbursementBatch> {
  const dependencies = { ...batchDependencies(database), batchWorker: { wake() {} } };
  const createBatch = makeCreateBatch({ ...dependencies, ...(clock && { clock }) });
  const author = { tenantId, mode: 'test', apiKey: null, terms: standardTerms } as const;
  const { batch } = await createBatch({
    ...author,
    rows: rows.map((row) => disbursementInput({ tenantId, ...row })),
    externalId: null,
    description: null,
    retryOf: null,
    idempotency: idempotentRequest(key, {}, () => ({}))!,
  });
  return batch;
}

/** The names at the operator of the rows that are not written yet. */
export async function plannedReferences(database: Database): Promise<string[]> {
  const text = 'SELECT items FROM disbursement_batches';
  const [row] = await database.query<{ items: string }>({ text });
  return (JSON.parse(row!.items) as BatchItem[]).map(({ reference }) => reference);
}

/** A batch that no worker writes, and another whose only row has failed. @returns their ids */
export async function heldBatches(
  database: Database,
  tenantId: string,
): Promise<{ batch: string; failedBatch: string }> {
  // Workers take it when it is due: not within the hour.
  const clock = { nowMs: () => Date.now() + 3_600_000 };
  const make = (key: string, amountMinor: bigint) =>
    batchOf(database, tenantId, { key, rows: [{ amountMinor }], clock });
  const [held, failed] = [await make('held', 1n), await make('failed', 100_000_000n)];
  const processing = { ...batchDependencies(database), batchLeaseMs: 10_000, wake() {} };
  await processBatch(processing, { ...failed, mode: 'test' }, () => false);
  return { batch: formatId('dib', held.id), failedBatch: formatId('dib', failed.id) };
}
