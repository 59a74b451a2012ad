import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { testKey } from '../../../test/support/gateway.ts';
import { secretContext } from '../../integrations/webhooks/endpoint.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { createDigestKey } from '../../platform/secrets/digest-key.ts';
import { createSecretBox } from '../../platform/secrets/secret-box.ts';
import type { SecretKeys } from '../../platform/secrets/secret-keys.ts';
import { runCheck } from './check.ts';
import { dataChecks } from './data-directory-checks.ts';
import { serverChecks, settingChecks } from './database-checks.ts';
import { processChecks } from './process-checks.ts';
import { reportProcess, unregisterProcess } from './process-registry.ts';
import { workChecks } from './work-checks.ts';

/** A separate database, and the finding of a named check there. */
async function world(context: TestContext) {
  const { url, database } = await testDatabase(context);
  await testKey(database);
  const [tenant] = await database.query<{ id: string }>({ text: 'SELECT id FROM tenants LIMIT 1' });
  const tenantId = tenant!.id;
  const settings = {
    databaseUrl: url,
    offsetMs: 0,
    databaseConnections: 16,
    paymentReviewAfterMs: 86_400_000,
    backup: loadConfig({}).backup,
  };
  const keys: { found: SecretKeys | undefined } = { found: undefined };
  const dependencies = {
    database,
    config: settings,
    clock: systemClock,
    wallClock: { nowMs: () => Date.now() + settings.offsetMs },
    place: 'here',
    findKeys: async () => keys.found,
  };
  const checks = [
    ...serverChecks(dependencies),
    ...settingChecks(dependencies),
    ...processChecks(dependencies),
    ...workChecks(dependencies),
  ];
  const find = async (name: string) => {
    const { status, figure } = await runCheck(checks.find((check) => check.name === name)!);
    return `${status}: ${figure}`;
  };
  const sql = (text: string, values: unknown[] = []) => database.query({ text }, values);
  const names = checks.map(({ name }) => name);
  return { url, database, tenantId, settings, keys, find, sql, names };
}

test('documents every check', async (context) => {
  const { names } = await world(context);
  const path = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'monitoring.md');
  const [, page = ''] = (await readFile(path, 'utf8')).split('\n## ');
  const rows = [...page.matchAll(/^\| ([A-Z].*?) \|/gm)].flatMap(([, cell]) => cell!.split(', '));
  const others = dataChecks({ dataDir: '/' }).map(({ name }) => name);
  const [, example = ''] = page.split('```text\n', 2);
  const shown = [...example.matchAll(/^ {2}[✓!✗] (.{15})(.*)$/gm)];
  const named = shown.map(([, name]) => name!.trim());
  assert.deepEqual(
    named,
    rows.filter((name) => named.includes(name)),
    'each once, in this order',
  );
  assert.match(example, /^ {2}✓ Variables {6}\d+ set, all well-formed$/m);
  assert.deepEqual(rows, ['Check', 'Variables', 'Console', 'Mail', ...others, ...names]);
});

test('requires recent backups once there is live money or a schedule', async (context) => {
  const { settings, find, sql } = await world(context);
  assert.equal(await find('Backups'), 'ok: none yet, and none needed: there is no live money');
  settings.backup = { ...settings.backup, schedule: { kind: 'daily', hour: 2, minute: 30 } };
  assert.equal(await find('Backups'), 'warning: none was made of this database');
  settings.backup = { ...settings.backup, schedule: undefined };
  await sql(`INSERT INTO balances SELECT id, 'fees', 'CVE', 0 FROM tenants WHERE mode = 'live'`);
  assert.equal(await find('Backups'), 'warning: none was made of this database');
  const insert = (hoursAgo: number, error: string | null) =>
    sql(
      `INSERT INTO backups (id, began_at, ended_at, name, bytes, is_encrypted, error)
       VALUES (gen_random_uuid(), now() - make_interval(hours => $1), now(), 'a.gz', 1, false, $2)`,
      [hoursAgo, error],
    );
  await insert(27, null);
  assert.match(await find('Backups'), /^warning: the last good one is 27 h old, not verified$/);
  await insert(25, null);
  assert.match(await find('Backups'), /^ok: the last good one is 25 h old, not verified$/);
  await insert(1, 'the disk is full');
  assert.match(await find('Backups'), /^warning: .* the last one failed: the disk is full$/);
});

test('counts only scheduled backups if there is a schedule, and none dated in the future', async (context) => {
  const { settings, find, sql } = await world(context);
  const schedule = { kind: 'daily', hour: 2, minute: 30 } as const;
  settings.backup = { ...settings.backup, schedule, to: { kind: 'folder', path: '/backups' } };
  const insert = (hoursAgo: number, place: string | null, error: string | null = null) =>
    sql(
      `INSERT INTO backups (id, began_at, ended_at, place, name, bytes, is_encrypted, error)
       VALUES (gen_random_uuid(), now() - make_interval(hours => $1), now(), $2, 'a.gz', 1, false, $3)`,
      [hoursAgo, place, error],
    );
  await insert(27, '/backups');
  await insert(3, '/backups', 'the disk is full');
  await insert(2, null);
  await insert(1, '/elsewhere');
  assert.match(await find('Backups'), /^warning: .* 27 h old, .*; the last one failed: the disk/);
  await insert(1, '/backups');
  assert.match(await find('Backups'), /^ok: the last good one is 1 h old/);
  await insert(-48, '/backups');
  assert.match(
    await find('Backups'),
    /^warning: the last good one is 1 h old, not verified; the list has others that begin in the future$/,
  );
});

test('tolerates a clock that is a second off the database’s, and warns up to a minute', async (context) => {
  const { settings, find } = await world(context);
  assert.equal(await find('Encoding'), 'ok: UTF8');
  assert.match(await find('Clock'), /^ok/);
  settings.offsetMs = 2_500;
  assert.match(await find('Clock'), /^warning: 2\.\d s ahead of/);
  settings.offsetMs = -2_500;
  assert.match(await find('Clock'), /^warning: 2\.\d s behind/);
  settings.offsetMs = 59_000;
  assert.match(await find('Clock'), /^warning: 5\d\.\d s ahead of/);
  settings.offsetMs = 65_000;
  assert.match(await find('Clock'), /^error: 6\d\.\d s ahead of/);
});

test('reports a running gateway’s wrong clock as an error, and differing settings as a warning', async (context) => {
  const { database, find } = await world(context);
  assert.equal(await find('Processes'), 'ok: no gateway is running');
  const first = {
    id: randomUUID(),
    role: 'all',
    host: 'a',
    pid: 7,
    version: '1.0.0',
    settings: { FEE_MOCK: '200' },
    clockOffsetMs: 900,
    memoryBytes: 100 * 2 ** 20,
  };
  const other = { id: randomUUID(), role: 'worker', host: 'b', pid: 9 };
  const second = { ...first, ...other, memoryBytes: null };
  await reportProcess(database, first);
  assert.equal(await find('Processes'), 'ok: all on a (pid 7): 100 MiB');
  await reportProcess(database, second);
  const both = 'ok: 2, and their settings agree\nall on a (pid 7): 100 MiB\nworker on b (pid 9)';
  assert.equal(await find('Processes'), both);
  await unregisterProcess(database, second.id);
  await reportProcess(database, { ...second, settings: { FEE_MOCK: '300' } });
  const said = 'FEE_MOCK differs: 200 in all on a (pid 7); 300 in worker on b (pid 9)';
  assert.equal(await find('Processes'), `warning: ${said}`);
  await reportProcess(database, { ...second, clockOffsetMs: -61_000 });
  const clock = "the clock of worker on b (pid 9) is 61.0 s behind the database's";
  assert.equal(await find('Processes'), `error: ${clock}`);
});

test('warns if no running gateway is a worker', async (context) => {
  const { database, find } = await world(context);
  const api = {
    id: randomUUID(),
    role: 'api',
    host: 'a',
    pid: 7,
    version: '1.0.0',
    settings: {},
    clockOffsetMs: 0,
    memoryBytes: 100 * 2 ** 20,
  };
  await reportProcess(database, api);
  assert.equal(await find('Processes'), 'warning: none is a worker: api on a (pid 7)');
  await reportProcess(database, { ...api, id: randomUUID(), role: 'worker', host: 'b' });
  assert.match(await find('Processes'), /^ok/);
  await reportProcess(database, { ...api, id: randomUUID(), role: 'worker', pid: 8 });
  assert.match(
    await find('Processes'),
    /^ok: 3.*\nall 2 on a: 200 MiB$/s,
    'of one machine, summed',
  );
});

test('reports as an error that the role may change the ledger, by column or by table', async (context) => {
  const { find, sql } = await world(context);
  assert.match(await find('Postings'), /^ok/);
  await sql('GRANT UPDATE (amount_minor) ON postings TO CURRENT_USER');
  assert.equal(await find('Postings'), 'error: this role may UPDATE postings');
  await sql('GRANT DELETE, TRUNCATE ON postings TO PUBLIC');
  assert.match(await find('Postings'), /^error: this role may DELETE, TRUNCATE, UPDATE/);
});

test('warns of missing migrations, and reports an incompatible newer database as an error', async (context) => {
  const { find, sql } = await world(context);
  assert.match(await find('Migrations'), /^ok: all applied$/);
  await sql(
    `INSERT INTO schema_migrations VALUES (9998, '9998-later.sql', 'x', '9.9.9', now(), '0.1.0')`,
  );
  assert.equal(
    await find('Migrations'),
    'ok: all applied; from a newer version: 9998-later.sql',
    'which this one can work with',
  );
  await sql('DELETE FROM schema_migrations WHERE number = 2');
  assert.match(await find('Migrations'), /^warning: not applied yet: 0002-/);
  await sql(`INSERT INTO schema_migrations VALUES (9999, '9999-later.sql', 'x', '9.9.9', now())`);
  assert.match(await find('Migrations'), /^error: The database is newer.*9\.9\.9/);
});

test('reports too few connections', async (context) => {
  const { settings, find } = await world(context);
  assert.match(await find('Connections'), /^ok: \d+ of 297 are free/);
  settings.databaseConnections = 297;
  assert.match(await find('Connections'), /^warning: \d+ of 297/);
  settings.databaseConnections = 298;
  assert.match(await find('Connections'), /^error/);
});

test('requires a secret key that decrypts all stored secrets', async (context) => {
  const { database, tenantId, keys, find, sql } = await world(context);
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
  assert.equal(await find('Secret key'), 'ok: decrypts all 1 stored');
  keys.found = { current: next, previous: old };
  assert.equal(await find('Secret key'), 'warning: 1 of 1 still need the previous key');
  keys.found = { current: next, previous: undefined };
  assert.match(await find('Secret key'), /^error: cannot decrypt the secrets of 1: we_\w{26}$/);
  await sql('DELETE FROM webhook_endpoints');
  // The digest key is stored, too.
  await createDigestKey({ database, secrets: createSecretBox(old), log: silentLog }).open();
  assert.equal(await find('Secret key'), 'error: cannot decrypt the digest key');
  keys.found = { current: next, previous: old };
  assert.equal(await find('Secret key'), 'warning: 1 of 1 still need the previous key');
  keys.found = { current: old, previous: undefined };
  assert.equal(await find('Secret key'), 'ok: decrypts all 1 stored');
  keys.found = undefined;
  assert.match(await find('Secret key'), /^error: there is none/);
});

test('reports overdue work as a warning, and after an hour as an error', async (context) => {
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

test('warns of unsealed audit records', async (context) => {
  const { find, sql } = await world(context);
  assert.equal(await find('Audit log'), 'ok: sealed');
  await sql(`
    WITH written AS (
      INSERT INTO audit_records (id, at, actor, action, subject, detail)
      VALUES (gen_random_uuid(), now() - interval '1210 seconds', 'cli:maria', 'merchant.created', 'me_x', '{}')
      RETURNING id)
    INSERT INTO audit_unsealed (record_id) SELECT id FROM written`);
  assert.match(await find('Audit log'), /^warning: \d+ not sealed; the oldest for 20 min$/);
});

test('warns of money in suspense, and of cases that need a person', async (context) => {
  const { tenantId, find, sql } = await world(context);
  for (const name of ['Suspense', 'Reversals', 'Refunds', 'Settlements', 'Ledger'])
    assert.match(await find(name), /^ok/, name);
  await sql(`INSERT INTO balances VALUES ($1, 'suspense', 'CVE', 123450)`, [tenantId]);
  assert.equal(await find('Suspense'), 'warning: 1,234.50 CVE of 1 tenant');
  await sql(
    `INSERT INTO balances SELECT id, 'suspense', 'CVE', -120000 FROM tenants WHERE id <> $1`,
    [tenantId],
  );
  assert.equal(
    await find('Suspense'),
    'warning: 1,234.50 CVE of 1 tenant, 1,200.00 CVE missing of 1 tenant',
  );
  assert.equal(await find('Ledger'), 'error: 2 problems');
  const reversal = (status: string, age: string) =>
    sql(
      `INSERT INTO reversals VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'LATE_DEBIT', $2, 1, 'CVE', 'MOCK', 'x', NULL, 0, NULL, now() - $3::interval, now())`,
      [tenantId, status, age],
    );
  await reversal('SUCCEEDED', '9 days');
  await reversal('PROCESSING', '1 hour');
  await reversal('HELD', '9 days');
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
  assert.equal(
    await find('Settlements'),
    'warning: 1 open for more than three days, the oldest for 5 d',
  );
  await sql(
    `UPDATE settlements SET payout_error = 'no space left' WHERE tenant_id = $1 AND currency = 'CVE'`,
    [tenantId],
  );
  assert.equal(await find('Settlements'), 'warning: 1 whose payout cannot be dispatched');
});

test('counts review items by kind, for live tenants only', async (context) => {
  const { database, find, sql } = await world(context);
  assert.equal(await find('Review'), 'ok: nothing waits for a person');
  const [live] = await database.query<{ id: string }>({
    text: `SELECT id FROM tenants WHERE mode = 'live'`,
  });
  const list = (tenant: string, kind: string, age: string) =>
    sql(
      `INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
       VALUES ($1, gen_random_uuid(), $2, 'PAYMENT', gen_random_uuid(), 'CVMOVEL', '{}', now() - $3::interval)`,
      [tenant, kind, age],
    );
  const [simulated] = await sql(`SELECT id FROM tenants WHERE mode = 'test'`);
  await list((simulated as { id: string }).id, 'CLASH', '9 hours');
  await list(live!.id, 'CLASH', '3 hours');
  await list(live!.id, 'CLASH', '2 hours');
  await list(live!.id, 'UNCLEAR', '1 hour');
  assert.equal(await find('Review'), 'warning: 1 UNCLEAR, 2 CLASH; the oldest 3 h');
  await sql(
    `UPDATE review_items SET closed_at = now(), closed_by = 'cli:maria', reason = 'x' WHERE kind = 'CLASH'`,
  );
  assert.equal(await find('Review'), 'warning: 1 UNCLEAR; the oldest 1 h');
});
