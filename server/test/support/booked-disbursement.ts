import { randomUUID } from 'node:crypto';
import type { Disbursement } from '../../src/money/disbursements/disbursement.ts';
import { disbursementTable } from '../../src/money/disbursements/store.ts';
import { appendPostings, postingRows } from '../../src/money/ledger/append.ts';
import {
  type DisbursementStep,
  disbursementPostings,
  type Posting,
} from '../../src/money/ledger/postings.ts';
import type { Database } from '../../src/platform/postgres/database.ts';

const createdAtMs = Date.parse('2026-11-21T09:30:00.123Z');

/** A new disbursement of 30 CVE with a fee of 0.50, as stored. */
const newDisbursement = (change: Partial<Disbursement>): Disbursement => ({
  tenantId: '0a1b2c3d-0000-7000-8000-000000000001',
  id: randomUUID(),
  batchId: null,
  batchRow: null,
  reference: randomUUID(),
  version: 1,
  status: 'CREATED',
  amountMinor: 3_000n,
  feeMinor: 50n,
  currency: 'CVE',
  operator: 'MOCK',
  operatorPhone: '+2389912345',
  operatorTxId: null,
  failureCode: null,
  failureMessage: null,
  externalId: null,
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
  dueAtMs: null,
  sentAtMs: null,
  byHand: false,
  expiresAtMs: createdAtMs + 86_400_000,
  createdAtMs,
  updatedAtMs: createdAtMs,
  ...change,
});

/** Appends postings as the gateway does, in a statement of their own. */
export async function append(database: Database, postings: Posting[]): Promise<void> {
  const text = `WITH new_posting AS (SELECT * FROM ${postingRows.sql(1)}), ${appendPostings} SELECT`;
  await database.query({ text }, postingRows.values(postings));
}

/** What was booked, step by step, for a disbursement in this state. */
function stepsOf({ status, operatorTxId }: Disbursement): DisbursementStep[] {
  if (status === 'SUCCEEDED') return ['CREATED', 'SUCCEEDED'];
  if (status !== 'FAILED' && status !== 'CANCELLED') return ['CREATED'];
  const late = operatorTxId === null ? [] : (['SUCCEEDED_AFTER_FAILURE'] as const);
  return ['CREATED', 'GIVEN_BACK', ...late];
}

const rows = disbursementTable.rowsWithout();

/** Stores a disbursement with the postings of its state. */
export async function bookDisbursement(
  database: Database,
  change: Partial<Disbursement>,
): Promise<Disbursement> {
  const disbursement = newDisbursement(change);
  const text = `INSERT INTO disbursements (${rows.names}) SELECT ${rows.names} FROM ${rows.sql(1)}`;
  await database.query({ text }, rows.values([disbursement]));
  for (const step of stepsOf(disbursement)) await bookStep(database, disbursement, step);
  return disbursement;
}

/** Books a further step of a disbursement. */
export const bookStep = (
  database: Database,
  disbursement: Disbursement,
  step: DisbursementStep,
  atMs = disbursement.updatedAtMs,
): Promise<void> => append(database, disbursementPostings(disbursement, step, atMs));
