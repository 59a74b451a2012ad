import { hostname } from 'node:os';
import type { TestContext } from 'node:test';
import { testSimulator } from '../../../operator-simulator/test/support.ts';
import { adminOpenApiDocument } from '../../scripts/openapi.ts';
import type { RecordedExamples } from '../../src/platform/http/openapi-examples.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { formatId, parseId, randomIds } from '../../src/platform/values/ids.ts';
import { type StaffRole, staffPermissions } from '../../src/tenants/people/staff-permissions.ts';
import { adminKey } from '../support/admin.ts';
import { heldDisbursement } from '../support/disbursing.ts';
import { anotherGateway, apiOf, eventually, testGateway } from '../support/gateway.ts';
import { addStaff } from '../support/staff-member.ts';
import { tellRefusals } from './refusals.ts';
import { always, publicUrl } from './shop.ts';
import { stable } from './stable.ts';
import { type Office, tellOfStaff } from './staff-story.ts';
import { beginStory, sendTo } from './story.ts';

export const staffExamples = new URL(
  '../../src/interfaces/admin/openapi-examples.json',
  import.meta.url,
);

/** A gateway and an admin key for the story. */
export async function openOffice(context: TestContext) {
  const simulator = await testSimulator(context, () => {});
  const environment = {
    PUBLIC_URL: publicUrl,
    PAYOUT_FORMAT: 'pain.001',
    PAYOUT_ACCOUNT_CVE: 'CV64000500000020108215144;Zimbo Pagamentos;BCATCVCV',
    OPERATOR_CVMOVEL_URL: simulator.url,
    OPERATOR_CVMOVEL_SECRET: simulator.secret,
    OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@1234',
    OPERATOR_CVMOVEL_MODE: 'polling',
    OPERATOR_CVMOVEL_DEDUPLICATES: 'true',
  };
  const timing = { measureIntervalMs: 50, operatorTimeoutMs: 5_000 };
  const gateway = await testGateway(context, { environment, timing });
  const { database } = gateway;
  // The merchant of the test would be in all lists.
  await database.query({ text: 'DELETE FROM api_keys' });
  await database.query({ text: 'DELETE FROM tenants' });
  await database.query({ text: 'DELETE FROM merchants' });
  const { key } = await adminKey(gateway, { label: 'back office' });
  const document = JSON.parse(await adminOpenApiDocument());
  return { gateway, environment, key, document, office: officeOf(gateway) };
}

/** Tells the story of the staff and its refusals to a new gateway. */
export async function recordStaff(context: TestContext): Promise<RecordedExamples> {
  const { gateway, environment, key, document, office } = await openOffice(context);
  const direct = sendTo(gateway.url);
  const story = beginStory(document, key, { send: direct, direct });
  await tellOfStaff(story, office);
  const limits = { ...environment, ZIMBO_ROLE: 'api' };
  const limited = await anotherGateway(context, gateway.databaseUrl, { environment: limits });
  const keys = {
    unknown: `ak_admin_${'0'.repeat(32)}`,
    elsewhere: (await adminKey(gateway, { allowedAddresses: ['192.0.2.0/24'] })).key,
    without: async (permission: string) =>
      (
        await adminKey(gateway, {
          permissions: staffPermissions.filter((one) => one !== permission),
        })
      ).key,
  };
  await tellRefusals(story, keys, sendTo(limited.url), invalid);
  return stable(story.told, [
    [new RegExp(`\\b${hostname()}\\b`, 'g'), 'praia-1'],
    [new RegExp(`\\b${process.pid}\\b`, 'g'), '4711'],
    [/"memoryBytes":\d+/g, '"memoryBytes":131072000'],
    [/(?<=\(pid 4711\): )\d+ MiB/g, '125 MiB'],
    [/\/tmp\/zimbo-data-\w+/g, '/var/lib/zimbo'],
    [/\d+\.\d GiB/g, '71.3 GiB'],
    [/[^ "]+\/test_[0-9a-f]{32}/g, 'db.internal:5432/zimbo'],
    [/answers in \d+\.\d ms/g, 'answers in 1.0 ms'],
    [/"(p50|p95|p99)Ms":\d+/g, '"$1Ms":40'],
    ...always,
  ]);
}

const invalid = {
  changeBrand: { body: { colour: 'green' } },
  changeDisbursementTerms: { body: { maxDisbursement: '-1' } },
  completeSettlement: { body: { bankReference: '' } },
  rollKey: { body: { overlapHours: 1_000 } },
  listLedgerAccounts: { query: { limit: '1001' } },
};

async function testTenantOf(database: Database, merchantId: string): Promise<string> {
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  return (await database.query<{ id: string }>({ text }, [merchantId]))[0]!.id;
}

function officeOf(gateway: { url: string; database: Database }): Office {
  const { url, database } = gateway;
  return {
    merchantApi: (key) => apiOf(url, key),
    addAdministrator: async (name) => formatId('pe', await addPerson(database, 'ADMIN', name)),
    addAdminKey: async () =>
      formatId('ak', (await adminKey(gateway as never, { label: 'nightly' })).id),
    holdDebit: (paymentId) => holdDebit(database, parseId('pi', paymentId)!),
    askForApproval: (merchantId) => askForApproval(database, parseId('me', merchantId)!),
    holdDisbursement: async (merchantId) =>
      heldDisbursement(database, await testTenantOf(database, parseId('me', merchantId)!)),
    holdBatch: async (merchantId) =>
      heldBatch(database, await testTenantOf(database, parseId('me', merchantId)!)),
    handedOver: (settlementId) => handedOver(database, parseId('se', settlementId)!),
    crowdComparisons: (count) => crowdComparisons(database, count),
  };
}

async function heldBatch(database: Database, tenantId: string): Promise<string> {
  const id = randomIds().next(Date.now());
  const totals = [{ currency: 'CVE', amount: '250000', feeAmount: '0' }];
  const text = `INSERT INTO disbursement_batches (tenant_id, id, version, status, description, item_count,
      items_digest, totals, items, idempotency_key, created_at, updated_at)
    VALUES ($1, $2, 1, 'CREATED', 'Salaries of November', 2, decode(md5('salaries-11'), 'hex'),
      $3, '[]', 'salaries-11', now(), now())`;
  await database.query({ text }, [tenantId, id, JSON.stringify(totals)]);
  return formatId('dib', id);
}

async function addPerson(database: Database, role: StaffRole, name: string): Promise<string> {
  const id = await addStaff(database, role);
  const text = 'UPDATE people SET name = $2, email = $3 WHERE id = $1';
  await database.query({ text }, [id, name, `${name.toLowerCase()}@zimbo.example`]);
  return id;
}

async function handedOver(database: Database, settlementId: string): Promise<void> {
  const text = `SELECT FROM settlements WHERE id = $1 AND status = 'PROCESSING' AND due_at IS NULL`;
  await eventually('its order is handed over', async () => {
    return (await database.query({ text }, [settlementId])).length > 0;
  });
}

/** As found after a restore: the ledger lacks its payment. */
async function holdDebit(database: Database, paymentId: string): Promise<void> {
  const text = `
INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator, operator_tx_id,
  ask_count, created_at, updated_at)
SELECT tenant_id, $2, id, 'UNKNOWN_REFERENCE', 'HELD', 7700, 'CVE', 'MOCK', 'TX-900', 0, now(), now()
FROM payments WHERE id = $1`;
  await database.query({ text }, [paymentId, randomIds().next(Date.now())]);
}

async function askForApproval(database: Database, merchantId: string): Promise<string> {
  const id = randomIds().next(Date.now());
  const asker = await addPerson(database, 'AUDITOR', 'Ana');
  const account = {
    currency: 'CVE',
    accountNumber: '000300000000001234578',
    holder: 'Loja da Praia, Lda',
    bic: null,
  };
  const text = `
INSERT INTO approvals (tenant_id, id, kind, status, subject_id, subject_state, request, asked_by, asked_at, expires_at)
SELECT t.id, $2, 'BANK_ACCOUNT', 'PENDING', $1, 'account none', $3, $4, now(), now() + interval '3 days'
FROM tenants t WHERE merchant_id = $1 AND mode = 'live'`;
  await database.query({ text }, [merchantId, id, JSON.stringify(account), asker]);
  return formatId('ap', id);
}

async function crowdComparisons(database: Database, count: number): Promise<void> {
  const text = `
INSERT INTO reconciliations (id, status, operator, mode, has_lines, line_count, file_name, file_digest, file_bytes,
  uploaded_by, asked_by, asked_at, created_at, due_at)
SELECT gen_random_uuid(), 'COMPARING', 'CVMOVEL', 'live', true, 1, 'x.csv', decode(md5($1::text || n), 'hex'), 1,
  'cli:maria', 'cli:maria', now(), now(), '2126-01-01' FROM generate_series(1, $1) AS n`;
  await database.query({ text }, [count]);
}
