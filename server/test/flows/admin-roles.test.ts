import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import {
  type StaffPermission,
  type StaffRole,
  staffCan,
  staffPermissions,
  staffRoles,
} from '../../src/tenants/people/staff-permissions.ts';
import { adminKey, permissionsOf } from '../support/admin.ts';
import { bookDisbursement } from '../support/booked-disbursement.ts';
import { okPhone } from '../support/checkout.ts';
import { type Answer, type Api, apiOf, reach, testGateway } from '../support/gateway.ts';
import { addStaff } from '../support/staff-member.ts';

interface Seeded {
  merchant: string;
  key: string;
  payment: string;
  settlement: string;
  member: string;
  adminKey: string;
  disbursement: string;
}

interface Entry {
  /** The value of `{id}` in the path. */
  id?: keyof Seeded;
  query?: (seeded: Seeded) => string;
  body?: (seeded: Seeded) => unknown;
  /** Its action in the audit log. */
  leaves?: string;
  /** The allowed error codes, because an earlier call has already had the effect. */
  or?: number[];
}

let holders = 0;

const difference = { difference: formatId('rd', randomIds().next(Date.now())) };
const differences = { differences: [difference.difference] };

/** How to call each operation. A new route needs a line here. */
const entries: Record<string, Entry> = {
  createMerchant: { body: () => ({ name: 'Nova' }), leaves: 'merchant.created' },
  listMerchants: {},
  getMerchant: { id: 'merchant' },
  getBrand: { id: 'merchant' },
  changeBrand: { id: 'merchant', body: () => ({ colour: '#0b5d44' }), leaves: 'merchant.branded' },
  listBankAccounts: { id: 'merchant' },
  changeBankAccount: {
    id: 'merchant',
    // A different value each time, because repeating a value changes nothing.
    body: () => ({
      currency: 'CVE',
      accountNumber: '000500000020108215144',
      holder: `L${++holders}`,
    }),
    leaves: 'merchant.bank_account_changed',
  },
  getDisbursementTerms: { id: 'merchant' },
  changeDisbursementTerms: {
    id: 'merchant',
    body: () => ({ allowed: true }),
    leaves: 'merchant.disbursement_terms_changed',
  },
  getDisbursement: { id: 'disbursement' },
  cancelDisbursement: { id: 'disbursement', leaves: 'disbursement.cancelled', or: [409] },
  // No batch has this id.
  getDisbursementBatch: { id: 'payment', or: [404] },
  cancelDisbursementBatch: { id: 'payment', or: [404] },
  createTopUp: {
    id: 'merchant',
    body: () => ({ currency: 'CVE', amount: '100', bankReference: `T${++holders}` }),
    leaves: 'balance.topped_up',
  },
  getPayoutSchedule: { id: 'merchant' },
  changePayoutSchedule: { id: 'merchant', body: () => ({ schedule: 'MONTHLY_1' }) },
  createKey: {
    body: ({ merchant }) => ({ merchantId: merchant, mode: 'test' }),
    leaves: 'api_key.issued',
  },
  listKeys: { leaves: 'api_keys.listed' },
  rollKey: { id: 'key', body: () => ({}), leaves: 'api_key.rolled', or: [409] },
  revokeKey: { id: 'key', leaves: 'api_key.revoked' },
  listPayments: { query: ({ merchant }) => `?merchant_id=${merchant}&mode=test` },
  getPayment: { id: 'payment' },
  listReviews: {},
  getReview: { id: 'payment', or: [404] },
  resolveReview: { id: 'payment', body: () => ({ finding: 'NOT_DEBITED' }), or: [409] },
  closeReview: { id: 'payment', body: () => ({ reason: 'nothing' }), or: [404, 409] },
  listSettlements: {},
  getSettlement: { id: 'settlement' },
  listSettlementItems: { id: 'settlement' },
  getPayoutOrder: { id: 'settlement', leaves: 'settlement.order_downloaded' },
  completeSettlement: { id: 'settlement', or: [409], leaves: 'settlement.completed' },
  failSettlement: { id: 'settlement', or: [409] },
  listApprovals: {},
  getApproval: { id: 'payment', or: [404] },
  listLedgerAccounts: {},
  listPostings: { query: ({ merchant }) => `?merchant_id=${merchant}&mode=test` },
  listSuspense: {},
  listReversals: {},
  createBankStatement: { or: [400] },
  listBankStatements: {},
  // No object has this id.
  getBankStatement: { id: 'payment', or: [404] },
  confirmBankLines: { id: 'payment', body: () => ({ lines: [1] }), or: [404] },
  dismissBankLines: { id: 'payment', body: () => ({ lines: [1] }), or: [404] },
  recordBankReference: { id: 'payment', body: () => ({ bankReference: 'B1' }), or: [404] },
  compareStatement: { query: () => '?operator=CVMOVEL', or: [400] },
  createReconciliation: { query: () => '?operator=CVMOVEL', or: [400] },
  listReconciliations: {},
  // No object has this id.
  getReconciliation: { id: 'payment', or: [404] },
  listDifferences: { id: 'payment', or: [404] },
  compareAgain: { id: 'payment', or: [404] },
  explainDifferences: {
    id: 'payment',
    body: () => ({ ...differences, reason: 'NEXT_STATEMENT' }),
    or: [404],
  },
  askOperator: { id: 'payment', body: () => differences, or: [404] },
  reopenDifference: { id: 'payment', body: () => difference, or: [404] },
  requestReview: { id: 'payment', body: () => difference, or: [404] },
  listOperators: {},
  getOperatorHealth: { or: [404] },
  listOperatorStates: {},
  listOperatorMeasurements: { or: [404] },
  listNotices: {},
  listDueWork: {},
  listProcesses: {},
  getDiagnosis: {},
  listAuditRecords: {},
  exportAuditRecords: { leaves: 'audit.exported' },
  verifyAuditLog: { leaves: 'audit.verified' },
  listStaff: {},
  removeStaff: { id: 'member', leaves: 'person.removed', or: [404] },
  listAdminKeys: {},
  revokeAdminKey: { id: 'adminKey', leaves: 'admin_key.revoked' },
};

interface Operation {
  method: string;
  path: string;
  name: string;
  permission: StaffPermission;
}

async function operationsOf(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/admin/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; 'x-permission': StaffPermission }>>;
  };
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, ...operation }]) => ({
      method: method.toUpperCase(),
      path,
      name: operationId,
      permission: operation['x-permission'],
    })),
  );
}

async function seeded(gateway: Awaited<ReturnType<typeof testGateway>>): Promise<Seeded> {
  const { zimbo, database, api } = gateway;
  const { id: payment } = await zimbo.payments.create({
    amount: 10_000,
    operator: 'MOCK',
    operatorPhone: okPhone,
  });
  await reach(zimbo.payments, payment, 'DEBITED');
  const settlement = (await api('POST', '/v1/settlements/process', {})).body;
  const [key] = await database.query<{ id: string }>({ text: 'SELECT id FROM api_keys' });
  await addStaff(database, 'ADMIN');
  const [tenant] = await database.query<{ id: string }>({
    text: `SELECT id FROM tenants WHERE mode = 'test' LIMIT 1`,
  });
  const dueAtMs = Date.now() + 86_400_000;
  const disbursement = await bookDisbursement(database, { tenantId: tenant!.id, dueAtMs });
  return {
    disbursement: formatId('di', disbursement.id),
    merchant: settlement.merchantId,
    key: formatId('ak', key!.id),
    payment,
    settlement: settlement.id,
    member: formatId('pe', await addStaff(database, 'AUDITOR')),
    adminKey: formatId('ak', (await adminKey(gateway)).id),
  };
}

function call(api: Api, { method, path, name }: Operation, given: Seeded): Promise<Answer> {
  const { id, query, body } = entries[name]!;
  const place = path
    .replace('{id}', id === undefined ? '' : given[id])
    .replace('{operator}', 'CVMOVEL');
  return api(method, place + (query?.(given) ?? ''), body?.(given));
}

test('gives every role exactly its routes', async (context) => {
  const gateway = await testGateway(context);
  const operations = await operationsOf(gateway.url);
  assert.deepEqual(operations.map(({ name }) => name).sort(), Object.keys(entries).sort());
  const given = await seeded(gateway);
  const wrong: string[] = [];
  // The role with all permissions comes last, while the objects of the others' attempts still
  // exist.
  const roles = [...staffRoles].reverse() as StaffRole[];
  for (const role of roles) {
    const { id, key } = await adminKey(gateway, { permissions: permissionsOf(role) });
    const api = apiOf(gateway.url, key);
    for (const operation of operations) {
      const { or = [], leaves } = entries[operation.name]!;
      const { status, body } = await call(api, operation, given);
      const may = staffCan(role, operation.permission);
      const isRight = may
        ? [200, 204, ...or].includes(status)
        : status === 403 && body.error.code === 'FORBIDDEN';
      if (!isRight) wrong.push(`${role} ${operation.name}: ${status} ${JSON.stringify(body)}`);
      if (!may || leaves === undefined || ![200, 204].includes(status) || role !== 'ADMIN')
        continue;
      const text = `SELECT FROM audit_records WHERE actor = $1 AND origin = '127.0.0.1' AND action = $2`;
      const actor = `admin_key:${formatId('ak', id)}`;
      const records = await gateway.database.query({ text }, [actor, leaves]);
      if (
        records.length === 0 &&
        operation.name !== 'revokeAdminKey' &&
        operation.name !== 'revokeKey'
      )
        wrong.push(`${operation.name} left no ${leaves}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('rejects a key without the one permission that a route needs', async (context) => {
  const gateway = await testGateway(context);
  const operations = await operationsOf(gateway.url);
  const id = (prefix: 'me' | 'pi') => formatId(prefix, randomIds().next(Date.now()));
  const given = { merchant: id('me'), payment: id('pi') } as Seeded;
  for (const lacking of staffPermissions) {
    const permissions = staffPermissions.filter((permission) => permission !== lacking);
    const api = apiOf(gateway.url, (await adminKey(gateway, { permissions })).key);
    for (const operation of operations.filter(({ permission }) => permission === lacking)) {
      const { status } = await call(api, operation, { ...given });
      assert.equal(status, 403, `${operation.name} without ${lacking}`);
    }
  }
});
