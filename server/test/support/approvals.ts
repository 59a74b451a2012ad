import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { makeDecide } from '../../src/backoffice/approvals/decide.ts';
import type { EffectDependencies } from '../../src/backoffice/approvals/effect.ts';
import { makeExecuteApproval } from '../../src/backoffice/approvals/execute-approval.ts';
import {
  makeRequestApproval,
  type RequestApprovalDependencies,
} from '../../src/backoffice/approvals/request-approval.ts';
import { workOnApprovals } from '../../src/backoffice/approvals/worker.ts';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import { makeCreateBatch } from '../../src/money/disbursements/batches/create.ts';
import { makeCreateDisbursement } from '../../src/money/disbursements/create.ts';
import { makeCreateRefund } from '../../src/money/refunds/create.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { type AmountLimits, guardedActs } from '../../src/platform/values/four-eyes.ts';
import type { Role } from '../../src/tenants/people/permissions.ts';
import type { StaffRole } from '../../src/tenants/people/staff-permissions.ts';
import { cleanUp } from './cleanup.ts';
import { silentLog } from './database.ts';
import { disbursing } from './disbursing.ts';
import { addPerson, peopleWorld } from './people.ts';
import { testHashes } from './request-hashes.ts';

export type ApprovalWorld = Awaited<ReturnType<typeof approvalWorld>>;

/** A merchant with people and a payment of 1,000.00 CVE, of which one person may refund 100.00 alone. */
export async function approvalWorld(context: Pick<TestContext, 'after'>) {
  const world = await peopleWorld(context);
  const { url, database, merchantId, clock } = world;
  const tenants = await database.query<{ id: string; mode: 'live' | 'test' }>({
    text: 'SELECT id, mode FROM tenants',
  });
  const tenantId = tenants.find(({ mode }) => mode === 'live')!.id;
  const paymentId = await debitedPayment(database, tenantId);
  const processOn = (on: Database, change: Partial<EffectDependencies> = {}) =>
    process({ ...world, database: on }, change);
  return {
    ...world,
    tenantId,
    paymentId,
    /** A separate process: another pool, and its own use cases. */
    anotherProcess() {
      const other = openDatabase({ url, log: silentLog, maxConnections: 4 });
      cleanUp(context, () => other.close());
      return processOn(other);
    },
    processOn,
    ...processOn(database),
    async member(role: Role, email = `${randomUUID()}@loja.cv`, identity: string | null = null) {
      const personId = await addPerson(world, email);
      const text = `INSERT INTO memberships (merchant_id, person_id, role, created_at) VALUES ($1, $2, $3, now())`;
      await database.query({ text }, [merchantId, personId, role]);
      return { personId, identity, origin: '192.0.2.7' };
    },
    async staff(role: StaffRole) {
      const personId = await addPerson(world, `${randomUUID()}@zimbo.cv`);
      const text = 'INSERT INTO staff (person_id, role, created_at) VALUES ($1, $2, now())';
      await database.query({ text }, [personId, role]);
      return { personId, identity: null, origin: '192.0.2.8' };
    },
    /** The audit records of approvals and their effects: action and author. */
    async steps() {
      const text = `SELECT action, actor, origin FROM audit_records
        WHERE action LIKE 'approval.%' OR action ~ '^(refund|settlement|api_key)[.]' ORDER BY id`;
      return database.query<{ action: string; actor: string; origin: string | null }>({ text });
    },
    async statusOf({ id }: { id: string }) {
      const text = 'SELECT status, failure FROM approvals WHERE id = $1';
      const [row] = await database.query<{ status: string; failure: string | null }>({ text }, [
        id,
      ]);
      return row?.failure ? `${row.status} ${row.failure}` : row?.status;
    },
    async refunded() {
      const text = 'SELECT amount_minor::integer AS amount FROM refunds ORDER BY id';
      const rows = await database.query<{ amount: number }>({ text });
      return rows.map(({ amount }) => amount);
    },
    later(ms: number) {
      clock.at += ms;
    },
  };
}

type World = Pick<Awaited<ReturnType<typeof peopleWorld>>, 'database' | 'clock' | 'dependencies'>;

function process({ database, clock, dependencies }: World, change: Partial<EffectDependencies>) {
  const { ids } = dependencies;
  const base = { database, clock, ids, log: silentLog, dispatcher: noDispatcher };
  const refundApprovalAbove: AmountLimits = { CVE: 10_000n };
  const createRefund = makeCreateRefund({
    ...base,
    refundApprovalAbove,
    worker: { leaseMs: ({ createdAtMs }) => createdAtMs, accept() {} },
    onRefund() {},
    requestHashes: testHashes,
    refundRendering: { at: () => 2 },
  });
  const parts = { ...disbursing(), ...base, onDisbursement() {}, batchWorker: { wake() {} } };
  const createDisbursement = makeCreateDisbursement(parts);
  const createBatch = makeCreateBatch(parts);
  // These tests have no statement files.
  const payoutFolder = '/nowhere/payouts';
  const decideReview = () => Promise.reject(new Error('nobody decides reviews here'));
  const carryOut = makeExecuteApproval({
    ...base,
    createRefund,
    createDisbursement,
    createBatch,
    payoutFolder,
    decideReview,
    ...change,
  });
  const asking: RequestApprovalDependencies = { ...base, fourEyes: new Set(guardedActs) };
  return {
    createRefund,
    carryOut,
    ask: makeRequestApproval(asking),
    decide: makeDecide({ ...base, carryOut }),
    /** One look of a process's worker for due rows. */
    work: () => workOnApprovals({ ...base, carryOut }),
  };
}

async function debitedPayment(database: Database, tenantId: string): Promise<string> {
  const id = randomUUID();
  const text = `
INSERT INTO payments (tenant_id, id, status, version, amount_minor, fee_minor, currency, operator, operator_phone,
  operator_tx_id, ask_count, created_at, updated_at, expires_at)
VALUES ($1, $2, 'DEBITED', 4, 100000, 2000, 'CVE', 'MOCK', '+2389912345', 'OP-1', 0, now(), now(), now())`;
  await database.query({ text }, [tenantId, id]);
  return id;
}

type Insert = (database: Database, table: string, row: Record<string, unknown>) => Promise<unknown>;

/**
 * A request with this status, made by one owner; returns the id of another owner. Valid until a
 * millisecond after `nowMs`.
 */
export async function beginApproval(
  insert: Insert,
  database: Database,
  { tenantId, id, status, nowMs }: { tenantId: string; id: string; status: string; nowMs: number },
) {
  const at = new Date(nowMs).toISOString();
  const asker = randomUUID();
  await insert(database, 'merchants', { id, name: 'Loja', created_at: at });
  await insert(database, 'tenants', {
    id: tenantId,
    merchant_id: id,
    mode: 'test',
    created_at: at,
  });
  for (const person of [id, asker]) {
    const named = { name: 'Maria', language: 'pt', created_at: at };
    await insert(database, 'people', { id: person, email: `${person}@loja.cv`, ...named });
    const membership = { merchant_id: id, person_id: person, role: 'OWNER', created_at: at };
    await insert(database, 'memberships', membership);
  }
  const isOpen = status === 'PENDING' || status === 'APPROVED';
  await insert(database, 'approvals', {
    tenant_id: tenantId,
    id,
    kind: 'REFUND',
    status,
    subject_id: id,
    subject_state: 'refunded 0',
    request: '{}',
    asked_by: asker,
    asked_mailbox: 'other@loja.cv',
    asked_at: at,
    expires_at: new Date(nowMs + 1).toISOString(),
    due_at: status === 'APPROVED' ? at : null,
    ended_at: isOpen ? null : at,
  });
}
