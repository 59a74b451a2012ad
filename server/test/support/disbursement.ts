import type { Disbursement } from '../../src/money/disbursements/disbursement.ts';
import {
  disbursementColumnNames,
  disbursementFields,
} from '../../src/money/disbursements/store.ts';
import { appendPostings, newPostings, postingRows } from '../../src/money/ledger/append.ts';
import { disbursementPostings } from '../../src/money/ledger/postings.ts';
import type { Queryable } from '../../src/platform/postgres/database.ts';
import { prepare, table } from '../../src/platform/postgres/statement.ts';

const createdAtMs = Date.parse('2026-11-21T09:30:00.123Z');

/** A new disbursement of 40 CVE, with a fee of 1 CVE, as stored. */
export function exampleDisbursement(change: Partial<Disbursement> = {}): Disbursement {
  return {
    tenantId: '0a1b2c3d-0000-7000-8000-000000000001',
    id: '019aa5d4-e0fb-7000-8000-000000000005',
    batchId: null,
    batchRow: null,
    reference: '019aa5d4-e0fb-5000-8000-000000000006',
    version: 1,
    status: 'CREATED',
    amountMinor: 4_000n,
    feeMinor: 100n,
    currency: 'CVE',
    operator: 'CVMOVEL',
    operatorPhone: '+2389912345',
    operatorTxId: null,
    failureCode: null,
    failureMessage: null,
    externalId: 'SALARY-11',
    customerId: null,
    description: null,
    statementDescriptor: null,
    metadata: null,
    idempotencyKey: null,
    requestHash: null,
    createdByKey: null,
    createdByPerson: null,
    rendering: 1,
    queryCount: 0,
    dueAtMs: createdAtMs,
    sentAtMs: null,
    byHand: false,
    expiresAtMs: createdAtMs + 86_400_000,
    createdAtMs,
    updatedAtMs: createdAtMs,
    ...change,
  };
}

const rows = table<Disbursement>(disbursementFields, disbursementColumnNames).rowsWithout();

const insertStatement = prepare({
  name: 'test.insert_disbursements',
  given: { disbursements: rows, postings: postingRows },
  text: (given) => `
WITH created AS (
  INSERT INTO disbursements (${rows.names}) SELECT ${rows.names} FROM ${given.disbursements}
  RETURNING tenant_id, id
),
${newPostings(given.postings, 'created')},
${appendPostings}
SELECT id FROM created`,
});

/** Writes new disbursements, whose amounts and fees leave the balance. */
export async function insertDisbursements(
  database: Queryable,
  ...disbursements: Disbursement[]
): Promise<void> {
  const postings = disbursements.flatMap((each) =>
    disbursementPostings(each, 'CREATED', each.createdAtMs),
  );
  await insertStatement.run(database, { disbursements, postings });
}
