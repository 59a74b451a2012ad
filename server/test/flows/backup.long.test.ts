import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { sign } from '../../src/integrations/webhooks/signature.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { writeTopUp } from '../../src/money/top-ups/create.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { contentsOf, testFolder } from '../support/backup.ts';
import { cleanUp } from '../support/cleanup.ts';
import { emptyDatabase, silentLog } from '../support/database.ts';
import {
  type Api,
  anotherGateway,
  apiOf,
  eventually,
  type TestGateway,
  testGateway,
} from '../support/gateway.ts';
import { runZimbo } from '../support/process.ts';
import { type Receiver, testReceiver } from '../support/receiver.ts';

/** A request with its answer, which a repetition must get again. */
interface Answered {
  path: string;
  body: object;
  key: string;
  text: string;
}

const debited = '+2389912345';
const debitedLate = '+2389912139';
const secretKey = Buffer.alloc(32, 7).toString('base64');

/** Creates, refunds and cancels until stopped; records the answers. */
async function load(api: Api, answered: Answered[], stop: AbortSignal): Promise<void> {
  const post = async (path: string, body: object) => {
    const key = crypto.randomUUID();
    const {
      status,
      text,
      body: answer,
    } = await api('POST', path, body, { 'idempotency-key': key });
    assert.equal(status, 200, text);
    answered.push({ path, body, key, text });
    return answer;
  };
  for (let index = 0; !stop.aborted; index++) {
    const operatorPhone = index % 5 === 4 ? debitedLate : debited;
    const payment = await post('/v1/payments', { amount: 10_000, operator: 'MOCK', operatorPhone });
    const reaches = (...statuses: string[]) =>
      eventually(`the payment is ${statuses[0]}`, async () => {
        const { body } = await api('GET', `/v1/payments/${payment.id}`);
        return statuses.includes(body.status);
      });
    if (operatorPhone === debitedLate) {
      await reaches('USER_CONFIRMING');
      const key = `cancel of ${payment.id}`;
      const path = `/v1/payments/${payment.id}/cancel`;
      await api('POST', path, undefined, { 'idempotency-key': key });
    } else {
      await reaches('DEBITED', 'SETTLED');
      if (index % 2 === 0)
        await post('/v1/refunds', { paymentIntentId: payment.id, amount: 2_500 });
    }
  }
}

/** A database for checks and queries, closed when the test ends. */
function opened(context: TestContext, url: string) {
  const database = openDatabase({ url, log: silentLog, maxConnections: 2 });
  cleanUp(context, () => database.close());
  return database;
}

/** The sum of a column, read from the file without our own code. */
function sumInFile(text: string, table: string, column: string): bigint {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));
  const at = JSON.parse(lines[start]!).columns.indexOf(column);
  const rows = lines.slice(start + 1, lines.indexOf('\\.', start));
  return rows.reduce((sum, row) => sum + BigInt(row.split('\t')[at]!), 0n);
}

/** Filled by requests for erasure, and by age. */
const ofPrivacy = ['erasures', 'erasing_payments', 'personal_data_walks'];

/** Filled by people in the console, and by customers of payment links. */
const ofPeople = [
  'admin_keys',
  'approvals',
  'bank_accounts',
  'bank_statement_lines',
  'bank_statements',
  'fee_statements',
  'identities',
  'invitations',
  'memberships',
  'merchant_roles',
  'notice_mails',
  'notice_recipients',
  'notice_settings',
  'notices',
  'passkeys',
  'payment_link_uses',
  'people',
  'person_sessions',
  'reconciliation_differences',
  'reconciliation_lines',
  'reconciliations',
  'recovery_codes',
  'sign_in_tries',
  'staff',
  'till_charges',
  'till_closings',
  'till_devices',
  'used_challenges',
];

/**
 * Deltas exist until they are folded, exports after a download of payments, alerts while one fires, batches once
 * someone sends a file.
 */
const nowAndThen = [
  'alerts',
  'audit_unsealed',
  'backups',
  'disbursement_batches',
  'exports',
  'payment_total_deltas',
];

/** Filled with live keys only. */
const ofLiveOperators = [
  'blocked_phones',
  'operator_callbacks',
  'operator_requests',
  'operator_statuses',
  'operator_transactions',
  'outgoing_transactions',
  'phone_digest_key',
  'phone_prompt_totals',
  'phone_prompts',
  'review_items',
];

/** Filled with several cells. */
const ofCells = ['cell_keys', 'cell_merchants', 'cell_tenants', 'cells', 'this_cell'];

/** The tables that the load should fill, and that are empty. */
async function emptyTables(databaseUrl: string): Promise<string[]> {
  const elsewhere = [...ofLiveOperators, ...ofPrivacy, ...ofPeople, ...ofCells, ...nowAndThen];
  const contents = Object.entries(await contentsOf(databaseUrl));
  const empty = contents.filter(([, { rows }]) => rows === 0).map(([table]) => table);
  return empty.filter((table) => !elsewhere.includes(table));
}

/** A transfer from the bank's statement, which needs no load. */
async function topUp({ database }: TestGateway): Promise<void> {
  const [tenant] = await database.query<{ tenantId: string; merchantId: string }>({
    text: `SELECT id AS "tenantId", merchant_id AS "merchantId" FROM tenants WHERE mode = 'live' LIMIT 1`,
  });
  const administration = { clock: systemClock, ids: randomIds() };
  await database.transaction((transaction) =>
    writeTopUp(transaction, administration, tenant!, {
      currency: 'CVE',
      amountMinor: 5_000n,
      bankReference: 'TRF-1',
    }),
  );
}

/** Works on every table, until stopped. */
async function loadedGateway(context: TestContext) {
  const environment = { RATE_LIMIT: 'off' };
  const gateway = await testGateway(context, { environment, timing: { sealIntervalMs: 2_000 } });
  // The refunds of a key are counted only if it has a limit.
  const limit = 'UPDATE api_keys SET max_refunded_per_day_minor = 1000000000000';
  await gateway.database.query({ text: limit });
  const receiver = await testReceiver(context);
  const { api, databaseUrl } = gateway;
  await topUp(gateway);
  await api('POST', '/v1/products', { name: 'Café', price: 10_000 });
  await api('POST', '/v1/checkout/sessions', { amount: 10_000 });
  await api('POST', '/v1/payment-links', { description: 'Quota', amount: 10_000 });
  const body = { url: receiver.url, events: ['payment.debited'] };
  const key = 'endpoint';
  const created = await api('POST', '/v1/webhooks', body, { 'idempotency-key': key });
  const answered: Answered[] = [{ path: '/v1/webhooks', body, key, text: created.text }];
  const stopping = new AbortController();
  context.after(() => stopping.abort());
  const loads = Array.from({ length: 8 }, () => load(api, answered, stopping.signal));
  const loaded = Promise.all(loads);
  const isEverywhere = async () => {
    // Of what no settlement has taken yet.
    const disbursement = { amount: 1, operator: 'MOCK', operatorPhone: debited };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    await api('POST', '/v1/disbursements', disbursement, headers);
    await api('POST', '/v1/settlements/process', {});
    empty = await emptyTables(databaseUrl);
    return answered.length > 40 && empty.length === 0;
  };
  let empty: string[] = [];
  const everywhere = eventually('the load has come to every table', isEverywhere, 90_000);
  await Promise.race([
    loaded,
    everywhere.catch(() => assert.fail(`still empty: ${empty.join(', ')}`)),
  ]);
  const stop = async () => {
    stopping.abort();
    await loaded;
  };
  return { ...gateway, receiver, answered, secret: created.body.secret as string, stop };
}

test('backs up a gateway under load, and continues after a restore', async (context) => {
  const gateway = await loadedGateway(context);
  const file = join(await testFolder(context), 'zimbo.backup.gz');
  const before = [...gateway.answered];
  const environment = { DATABASE_URL: gateway.databaseUrl, ZIMBO_SECRET_KEY: secretKey };
  const backup = await runZimbo(['backup', file], environment);
  assert.deepEqual([backup.code, backup.stderr], [0, '']);
  assert.ok(gateway.answered.length > before.length, 'the gateway ran meanwhile');
  await gateway.stop();

  const target = await emptyDatabase(context);
  const restored = await runZimbo(['restore', file], { ...environment, DATABASE_URL: target });
  assert.deepEqual([restored.code, restored.stderr], [0, ''], restored.stdout);
  assert.match(restored.stdout, /^The ledger is correct\.$/m);
  assert.deepEqual(await checkLedger(gateway.database), []);
  const database = opened(context, target);
  await expectTotals(database, file);

  gateway.receiver.received.length = 0;
  const { url } = await anotherGateway(context, target, { environment: { RATE_LIMIT: 'off' } });
  const api = apiOf(url, gateway.key);
  for (const { path, body, key, text } of before) {
    const again = await api('POST', path, body, { 'idempotency-key': key });
    assert.deepEqual([again.status, again.text], [200, text]);
  }
  await expectSignedWebhook(api, gateway);
  await eventually('all ends', () => hasEnded(api, database), 60_000);
  assert.deepEqual(await checkLedger(database), []);
});

/**
 * Whether nothing is due. Customers who never answer cancel again: a backup taken between a payment
 * and its cancel would keep the payment until its expiry after five minutes.
 */
async function hasEnded(api: Api, database: Database): Promise<boolean> {
  const text = `SELECT id FROM payments WHERE status = 'USER_CONFIRMING' AND operator_phone = $1`;
  for (const { id } of await database.query<{ id: string }>({ text }, [debitedLate])) {
    await api('POST', `/v1/payments/${formatId('pi', id)}/cancel`);
  }
  const due = ['payments', 'refunds', 'reversals'].map(
    (table) => `SELECT FROM ${table} WHERE due_at IS NOT NULL`,
  );
  return (await database.query({ text: due.join(' UNION ALL ') })).length === 0;
}

async function expectTotals(database: Database, file: string): Promise<void> {
  const text = gunzipSync(await readFile(file)).toString();
  const [totals] = await database.query({
    text: `SELECT (SELECT sum(amount_minor)::bigint FROM postings) AS postings,
      (SELECT sum(amount_minor)::bigint FROM payments) AS payments`,
  });
  assert.deepEqual(totals, {
    postings: sumInFile(text, 'postings', 'amount_minor'),
    payments: sumInFile(text, 'payments', 'amount_minor'),
  });
}

async function expectSignedWebhook(
  api: Api,
  { receiver, secret }: { receiver: Receiver; secret: string },
): Promise<void> {
  const payment = { amount: 777, operator: 'MOCK', operatorPhone: debited };
  const { body } = await api('POST', '/v1/payments', payment);
  const { headers, raw } = await eventually('its webhook comes', () =>
    receiver.received.find(({ event }) => event.data.id === body.id),
  );
  const timestamp = Number(headers['x-service-timestamp']);
  assert.equal(headers['x-service-signature'], sign(secret, timestamp, raw));
}
