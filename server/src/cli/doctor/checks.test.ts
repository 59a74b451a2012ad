import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog, testDatabase, urlOf } from '../../../test/database.ts';
import { testKey } from '../../../test/gateway.ts';
import { openDatabase } from '../../platform/database.ts';
import type { SecretKeys } from '../../platform/secret-keys.ts';
import { createSecretBox } from '../../platform/secrets.ts';
import { secretContext } from '../../webhooks/endpoint.ts';
import { runCheck } from './check.ts';
import { dataChecks } from './data-checks.ts';
import { serverChecks, settingChecks } from './database-checks.ts';
import { workChecks } from './work-checks.ts';

/** A database of the test's own, and what a check of some name finds there. */
async function world(context: TestContext) {
  const { url, database } = await testDatabase(context);
  await testKey(database);
  const [tenant] = await database.query<{ id: string }>({ text: 'SELECT id FROM tenants LIMIT 1' });
  const tenantId = tenant!.id;
  const settings = { offsetMs: 0, databaseConnections: 16 };
  const keys: { found: SecretKeys | undefined } = { found: undefined };
  const parts = {
    database,
    config: settings,
    clock: { nowMs: () => Date.now() + settings.offsetMs },
    place: 'here',
    findKeys: async () => keys.found,
  };
  const checks = [...serverChecks(parts), ...settingChecks(parts), ...workChecks(parts)];
  const find = async (name: string) => {
    const { status, figure } = await runCheck(checks.find((check) => check.name === name)!);
    return `${status}: ${figure}`;
  };
  const sql = (text: string, values: unknown[] = []) => database.query({ text }, values);
  const names = checks.map(({ name }) => name);
  return { url, database, tenantId, settings, keys, find, sql, names };
}

test('the page names every check', async (context) => {
  const { names } = await world(context);
  const page = await readFile(join(import.meta.dirname, '../../../../docs/doctor.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ([A-Z].*?) \|/gm)].flatMap(([, cell]) => cell!.split(', '));
  const others = dataChecks({ dataDir: '/' }).map(({ name }) => name);
  assert.deepEqual(rows, ['Check', 'Variables', ...others, ...names]);
});

test('the clock may be a second off the database, and five at the very most', async (context) => {
  const { settings, find } = await world(context);
  assert.match(await find('Clock'), /^ok/);
  settings.offsetMs = 2_500;
  assert.match(await find('Clock'), /^warning: 2\.\d s ahead of/);
  settings.offsetMs = -2_500;
  assert.match(await find('Clock'), /^warning: 2\.\d s behind/);
  settings.offsetMs = 60_000;
  assert.match(await find('Clock'), /^error: \d\d\.\d s ahead of/);
});

test('a ledger that the role may change is an error, by a column just as by the table', async (context) => {
  const { find, sql } = await world(context);
  assert.match(await find('Postings'), /^ok/);
  await sql('GRANT UPDATE (amount_minor) ON postings TO CURRENT_USER');
  assert.equal(await find('Postings'), 'error: this role has UPDATE on postings');
  await sql('GRANT DELETE, TRUNCATE ON postings TO PUBLIC');
  assert.match(await find('Postings'), /^error: this role has DELETE, TRUNCATE, UPDATE/);
});

test('migrations that lack are a warning, those of another program an error', async (context) => {
  const { find, sql } = await world(context);
  assert.match(await find('Migrations'), /^ok/);
  await sql('DELETE FROM schema_migrations WHERE number = 2');
  assert.match(await find('Migrations'), /^warning: not applied yet: 0002-/);
  await sql(`INSERT INTO schema_migrations VALUES (9999, '9999-later.sql', 'x', '9.9.9', now())`);
  assert.match(await find('Migrations'), /^error: The database is newer.*9\.9\.9/);
});

test('connections that do not suffice are told of', async (context) => {
  const { settings, find } = await world(context);
  assert.match(await find('Connections'), /^ok: \d+ of 297 are left/);
  settings.databaseConnections = 297;
  assert.match(await find('Connections'), /^warning: \d+ of 297/);
  settings.databaseConnections = 298;
  assert.match(await find('Connections'), /^error/);
});

test('another encoding than UTF8 is an error', async (context) => {
  const { sql, find } = await world(context);
  assert.equal(await find('Encoding'), 'ok: UTF8');
  const name = `test_ascii_${randomBytes(8).toString('hex')}`;
  const locale = `LOCALE_PROVIDER libc LOCALE 'C'`;
  await sql(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' ${locale}`);
  const url = urlOf(process.env.ZIMBO_TEST_DATABASE!, name);
  const database = openDatabase({ url, log: silentLog, maxConnections: 1 });
  try {
    const config = { databaseConnections: 1 };
    const parts = { database, config, clock: { nowMs: () => 0 }, place: 'here' };
    const check = settingChecks(parts).find((entry) => entry.name === 'Encoding')!;
    assert.equal((await runCheck(check)).figure, 'SQL_ASCII');
  } finally {
    await database.close();
    await sql(`DROP DATABASE ${name}`);
  }
});

test('the secret key must open what is stored', async (context) => {
  const { tenantId, keys, find, sql } = await world(context);
  assert.match(await find('Secret key'), /^ok: none yet/);
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const id = randomUUID();
  const box = createSecretBox(old).encrypt('whsec_x', secretContext({ tenantId, id }));
  await sql(
    `INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, created_at, updated_at)
     VALUES ($1, $2, 1, 'http://localhost/', '{payment.created}', 'ACTIVE', $3, now(), now())`,
    [tenantId, id, box],
  );
  assert.match(await find('Secret key'), /^error: there is none/);
  keys.found = { current: old, previous: undefined };
  assert.equal(await find('Secret key'), 'ok: opens all 1 stored');
  keys.found = { current: next, previous: old };
  assert.equal(await find('Secret key'), 'warning: 1 of 1 still need the previous key');
  keys.found = { current: next, previous: undefined };
  assert.match(await find('Secret key'), /^error: does not open the secrets of 1: we_\w{26}$/);
});

test('work that is overdue is a warning, and an error after an hour', async (context) => {
  const { tenantId, find, sql } = await world(context);
  assert.match(await find('Due work'), /^ok/);
  const delivery = (endpointId: string, status: string, due: string) =>
    sql(
      `INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, 0, ${due}, now() - interval '50 hours', now())`,
      [tenantId, endpointId, randomUUID(), status],
    );
  const endpointId = randomUUID();
  await delivery(endpointId, 'PENDING', `now() - interval '200 seconds'`);
  assert.match(await find('Due work'), /^warning: deliveries: 1, the oldest 3 min$/);
  await delivery(endpointId, 'PENDING', `now() - interval '150 minutes'`);
  assert.match(await find('Due work'), /^error: deliveries: 2, the oldest 2 h$/);
  assert.match(await find('Waiting'), /^ok/);
  for (let number = 0; number < 3; number++) await delivery(endpointId, 'PENDING', 'NULL');
  await delivery(endpointId, 'FAILED', 'NULL');
  assert.equal(await find('Waiting'), 'warning: 3 for 1 disabled, the oldest 2 d');
});

test('money in suspense, and what a person has to look at, are warnings', async (context) => {
  const { tenantId, find, sql } = await world(context);
  for (const name of ['Suspense', 'Reversals', 'Refunds', 'Settlements', 'Ledger'])
    assert.match(await find(name), /^ok/, name);
  await sql(`INSERT INTO balances VALUES ($1, 'suspense', 'CVE', 123450)`, [tenantId]);
  assert.equal(await find('Suspense'), 'warning: 1,234.50 CVE of 1 tenant');
  assert.equal(await find('Ledger'), 'error: 1 problem');
  const reversal = (status: string, age: string) =>
    sql(
      `INSERT INTO reversals VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'LATE_DEBIT', $2, 1, 'CVE', 'MOCK', 'x', NULL, 0, NULL, now() - $3::interval, now())`,
      [tenantId, status, age],
    );
  await reversal('SUCCEEDED', '9 days');
  await reversal('PROCESSING', '1 hour');
  assert.match(await find('Reversals'), /^ok/);
  await reversal('FAILED', '1 hour');
  await reversal('PROCESSING', '2 days');
  assert.match(await find('Reversals'), /^warning: 1 refused by the operator, 1 tried for/);
  const refund = (status: string, operatorRefundId: string | null, age: string) =>
    sql(
      `INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency, operator, operator_tx_id, operator_refund_id, ask_count, created_at, updated_at)
       VALUES ($1, gen_random_uuid(), gen_random_uuid(), 1, $2, 1, 'CVE', 'MOCK', 'x', $3, 0, now() - $4::interval, now())`,
      [tenantId, status, operatorRefundId, age],
    );
  await refund('FAILED', null, '9 days');
  await refund('SUCCEEDED', 'y', '9 days');
  assert.match(await find('Refunds'), /^ok/);
  await refund('FAILED', 'z', '9 days');
  await refund('PROCESSING', null, '2 days');
  assert.match(await find('Refunds'), /^warning: 1 succeeded after they had failed, 1 tried for/);
  const settlement = (currency: string, age: string) =>
    sql(
      `INSERT INTO settlements (tenant_id, id, version, merchant_id, status, currency, gross_minor, fee_minor, refund_minor, net_minor, item_count, period_start, period_end, created_at)
       VALUES ($1, gen_random_uuid(), 1, gen_random_uuid(), 'PROCESSING', $2, 1, 0, 0, 1, 1, now(), now(), now() - $3::interval)`,
      [tenantId, currency, age],
    );
  await settlement('CVE', '2 days');
  assert.match(await find('Settlements'), /^ok/);
  await settlement('AOA', '121 hours');
  assert.equal(await find('Settlements'), 'warning: 1 open for long, the oldest 5 d');
  await sql(
    `UPDATE settlements SET payout_error = 'no space left' WHERE tenant_id = $1 AND currency = 'CVE'`,
    [tenantId],
  );
  assert.equal(await find('Settlements'), 'warning: 1 whose payout cannot be handed over');
});
