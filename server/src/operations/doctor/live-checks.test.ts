import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { noticeWorld } from '../../../test/support/notices.ts';
import { read } from '../../../test/support/pages.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { runCheck } from './check.ts';
import { liveSettingChecks } from './live-checks.ts';
import { liveDataChecks } from './live-data-checks.ts';

const healthy = { service: 'available', problem: null, latencyMs: 3, balance: null } as const;
const operator = {
  OPERATOR_CVMOVEL_URL: 'https://api.operator.example/v1.2/mm',
  OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@1234',
  OPERATOR_CVMOVEL_SECRET: 'the secret',
};
const database = {
  DATABASE_URL: 'postgres://zimbo@localhost/zimbo',
  ZIMBO_SECRET_KEY: '01'.repeat(32),
};

/** The status of each line of the checklist with these settings. */
async function statusesOf(environment: Record<string, string>, health: object = healthy) {
  const config = loadConfig(environment, 'command');
  const probe = async () => ({ ...healthy, ...health });
  const found = liveSettingChecks({ config, probe }).map(async (check) => [
    check.name,
    (await runCheck(check)).status,
  ]);
  return Object.fromEntries(await Promise.all(found));
}

test('has a line for each missing setting for live money', async () => {
  assert.deepEqual(await statusesOf({}), {
    'Own database': 'error',
    'Secret key': 'error',
    'Public URL': 'error',
    Proxy: 'error',
    Operators: 'error',
    'Own account': 'ok',
  });
  const given = { ...database, ...operator, TRUST_PROXY: '127.0.0.1' };
  const anybody = await statusesOf(given);
  assert.deepEqual(
    [anybody['Own database'], anybody['Secret key'], anybody.Proxy, anybody.Operators],
    ['ok', 'ok', 'ok', 'error'],
    'anybody may send callbacks',
  );
  const proven = { ...given, OPERATOR_CVMOVEL_CALLBACK_ADDRESSES: '203.0.113.7' };
  assert.equal((await statusesOf(proven)).Operators, 'ok');
  const silent = { service: 'unavailable', problem: 'HTTP 503' };
  assert.equal((await statusesOf(proven, silent)).Operators, 'error');
  const here = { ...proven, OPERATOR_CVMOVEL_URL: 'http://127.0.0.1:4600/v1.2/mm' };
  assert.equal((await statusesOf(here)).Operators, 'warning');
  assert.equal((await statusesOf({ TRUST_PROXY: 'true' })).Proxy, 'warning');
});

test('requires a payout account for each collected currency, at least for pain.001 orders', async () => {
  const given = { ...database, ...operator, OPERATOR_CVMOVEL_CURRENCIES: 'CVE,AOA' };
  const status = async (settings: object) =>
    (await statusesOf({ ...given, ...settings }))['Own account'];
  assert.equal(await status({}), 'warning');
  const escudos = { PAYOUT_ACCOUNT_CVE: 'CV64000500000020108215144;Zimbo Pagamentos, SA' };
  assert.equal(await status(escudos), 'warning');
  assert.equal(await status({ ...escudos, PAYOUT_FORMAT: 'pain.001' }), 'error');
  const kwanzas = { PAYOUT_ACCOUNT_AOA: 'AO06004400006729503010102;Zimbo Angola, Lda' };
  assert.equal(await status({ ...escudos, ...kwanzas, PAYOUT_FORMAT: 'pain.001' }), 'ok');
  assert.equal(await status({ ...escudos, OPERATOR_CVMOVEL_CURRENCIES: 'CVE' }), 'ok');
});

test('requires a gateway at PUBLIC_URL', async (context) => {
  const finding = async (publicUrl: string, trusted?: typeof fetch) => {
    // A second mock could not be restored.
    const mocked = trusted && context.mock.method(globalThis, 'fetch', trusted);
    const config = loadConfig({ PUBLIC_URL: publicUrl }, 'command');
    const checks = liveSettingChecks({ config, probe: async () => healthy });
    const found = await runCheck(checks.find(({ name }) => name === 'Public URL')!);
    mocked?.mock.restore();
    return found;
  };
  const url = await closedPort(context);
  assert.match((await finding(url)).figure, /does not answer from here: .*ECONNREFUSED/);
  const answering = (status: number, body: string) => async () => new Response(body, { status });
  const gateway = answering(401, '{"error":{"code":"UNAUTHORIZED"}}');
  assert.equal((await finding('https://pay.example.cv', gateway)).status, 'ok');
  const other = await finding('https://pay.example.cv', answering(200, '<html>'));
  assert.match(other.figure, /answers 200, unlike a gateway/);
});

async function closedPort(context: TestContext): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  context.after(() => server.close());
  return `https://127.0.0.1:${port}`;
}

test('requires people, keys, accounts, endpoints and a recent backup for live money', async (context) => {
  const world = await noticeWorld(context);
  const { sql, merchantId, clock } = world;
  const config = loadConfig(
    { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'Zimbo <zimbo@example.cv>' },
    'command',
  );
  const nowMs = () => clock.at;
  const checks = liveDataChecks({ database: world.database, clock: { nowMs }, config });
  const statuses = async () =>
    Object.fromEntries(
      await Promise.all(checks.map(async (each) => [each.name, (await runCheck(each)).status])),
    );
  await sql('UPDATE api_keys SET revoked_at = now()');
  await sql('DELETE FROM staff');
  assert.deepEqual(await statuses(), {
    Standby: 'warning',
    Staff: 'error',
    Alerts: 'error',
    'Live keys': 'error',
    'Bank accounts': 'ok',
    Webhooks: 'ok',
    'Last backup': 'error',
  });
  await world.worker('ADMIN');
  const [live] = await sql<{ id: string }>(
    `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'live'`,
    [merchantId],
  );
  await sql(
    `INSERT INTO api_keys (tenant_id, id, key_hash, last4, permissions, created_at)
     VALUES ($1, gen_random_uuid(), 'x', 'abcd', '{}', now())`,
    [live!.id],
  );
  const withKey = await statuses();
  assert.deepEqual(
    [
      withKey.Staff,
      withKey.Alerts,
      withKey['Live keys'],
      withKey['Bank accounts'],
      withKey.Webhooks,
    ],
    ['warning', 'ok', 'ok', 'error', 'warning'],
  );
  await world.cause.bankAccountChanged();
  assert.equal((await statuses())['Bank accounts'], 'ok');
  const backedUp = (hours: number, { error = '', isTried = true, isEncrypted = true } = {}) =>
    sql(
      `INSERT INTO backups (id, began_at, ended_at, name, bytes, is_encrypted, error, verified_at)
       VALUES (gen_random_uuid(), $1, $1, 'a.gz', 1, $4, nullif($2, ''), CASE WHEN $3 THEN $1::timestamptz END)`,
      [new Date(clock.at - hours * 3_600_000).toISOString(), error, isTried, isEncrypted],
    );
  await backedUp(27);
  assert.equal((await statuses())['Last backup'], 'error');
  await backedUp(2, { error: 'the disk is full' });
  assert.equal((await statuses())['Last backup'], 'error');
  await backedUp(1, { isTried: false });
  assert.equal((await statuses())['Last backup'], 'warning', 'never tried');
  await backedUp(0.75, { isEncrypted: false });
  assert.equal((await statuses())['Last backup'], 'warning', 'in clear text');
  await backedUp(0.5);
  assert.equal((await statuses())['Last backup'], 'ok');
});

test('counts two people as four eyes only if the settings require both for money', async (context) => {
  const world = await noticeWorld(context);
  await world.sql('DELETE FROM staff');
  await world.worker('ADMIN');
  const finding = async (environment: Record<string, string>) => {
    const config = loadConfig(environment, 'command');
    const nowMs = () => world.clock.at;
    const checks = liveDataChecks({ database: world.database, clock: { nowMs }, config });
    const found = await runCheck(checks.find(({ name }) => name === 'Staff')!);
    return {
      status: found.status,
      said: `${found.figure}\n${'advice' in found ? found.advice : ''}`,
    };
  };
  const money = { FOUR_EYES: 'bank-accounts,settlements' };
  assert.equal((await finding(money)).status, 'warning', 'who would approve?');
  await world.worker('FINANCE');
  assert.equal((await finding(money)).status, 'ok');
  for (const [given, lacking] of [
    [{}, 'bank-accounts and settlements'],
    [{ FOUR_EYES: 'reviews,live-keys' }, 'bank-accounts and settlements'],
    [{ FOUR_EYES: 'reviews,settlements' }, 'bank-accounts'],
    [{ FOUR_EYES: 'bank-accounts' }, 'settlements'],
  ] as const) {
    const { status, said } = await finding(given);
    assert.equal(status, 'warning');
    assert.match(said, new RegExp(`^2; one alone decides ${lacking}\n`));
  }
  const { said } = await finding({ FOUR_EYES: 'reviews,settlements' });
  assert.match(said, /FOUR_EYES=reviews,settlements,bank-accounts/);
});

test('documents every line of the checklist', () => {
  const [, section = ''] = read('docs/monitoring.md').split('## Before live money');
  const said = [...section.split('\n## ')[0]!.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
    cell!.split(', ').map((name) => name.replaceAll('`', '')),
  );
  const config = loadConfig({}, 'command');
  const probe = async () => healthy;
  const settings = liveSettingChecks({ config, probe }).map(({ name }) => name);
  const nothing = { database: undefined as never, clock: { nowMs: () => 0 }, config };
  const data = liveDataChecks(nothing).map(({ name }) => name);
  assert.deepEqual(said, [...settings, ...data, 'Role', 'Clock', 'Mail', 'All the others']);
});
