import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Command } from 'commander';
import { liveGateway } from '../../../test/operators/gateway.ts';
import { adminKey } from '../../../test/support/admin.ts';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { runCommand, type Said } from '../../../test/support/command-line.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { eventually, reach, testGateway } from '../../../test/support/gateway.ts';
import { runZimbo } from '../../../test/support/zimbo.ts';
import { formatId } from '../../platform/values/ids.ts';
import { addAdminKeyCommands } from '../admin-keys.ts';
import { addAdminCommands } from '../api/operations.ts';
import { addKeyCommands } from '../keys.ts';
import { addLedgerCommands } from '../ledger.ts';
import { addMerchantCommands } from '../merchants.ts';
import { addReviewCommands } from '../review.ts';
import { addSettlementCommands } from '../settlements.ts';

const adds = [
  addMerchantCommands,
  addKeyCommands,
  addAdminKeyCommands,
  addLedgerCommands,
  addReviewCommands,
  addSettlementCommands,
  addAdminCommands,
];
const addCommands = (program: Command) => {
  for (const add of adds) add(program);
};

type Run = (...args: string[]) => Promise<Said>;
const runWith =
  (environment: Record<string, string>): Run =>
  (...args) =>
    runCommand(addCommands, args, environment);

/** The command line over a gateway's /admin/v1, without any database, and over that of its own process. */
async function bothWays(gateway: {
  url: string;
  database: Parameters<typeof adminKey>[0]['database'];
  databaseUrl: string;
  environment?: Record<string, string>;
}): Promise<[remote: Run, local: Run]> {
  const { key } = await adminKey(gateway);
  const nowhere = 'postgres://127.0.0.1:1/none';
  return [
    runWith({ ZIMBO_ADMIN_KEY: key, ZIMBO_URL: gateway.url, DATABASE_URL: nowhere }),
    runWith({ ...gateway.environment, DATABASE_URL: gateway.databaseUrl }),
  ];
}

const iban = 'CV64 0005 0000 0020 1082 1514 4';

test('a person at a shell needs no second one, and is the author', async (context) => {
  const environment = { FOUR_EYES: 'bank-accounts,live-keys' };
  const gateway = await testGateway(context, { environment });
  const [remote, local] = await bothWays({ ...gateway, environment });
  const create = ['merchants', 'create', '--json', '--name'];
  const made = await local(...create, 'Sal', '--bank-account', iban);
  assert.equal(made.code, 0, made.stderr);
  const { id } = JSON.parse(made.stdout) as { id: string };
  const issue = ['keys', 'create', '--merchant', id, '--mode', 'live'];
  assert.equal((await local(...issue)).code, 0);
  assert.match((await remote(...issue)).stderr, /second person/);
  const text = `SELECT DISTINCT actor, origin FROM audit_records WHERE actor LIKE 'cli:%' AND action <> 'admin_key.issued'`;
  assert.deepEqual(await gateway.database.query({ text }), [
    { actor: `cli:${userInfo().username}`, origin: hostname() },
  ]);
  const refused = await remote(...create, 'Praia', '--bank-account', iban);
  assert.equal(refused.code, 1, 'leaves no approval open, since keys cannot request approvals');
  const listed = JSON.parse((await remote('merchants', 'list', '--json')).stdout);
  const [praia, ...others] = listed.filter(({ name }: { name: string }) => name === 'Praia');
  assert.deepEqual(others, []);
  assert.match(refused.stderr, new RegExp(`${praia.id}.*second person.*console.*\\n.*again`));
  assert.equal(JSON.parse(refused.stdout).id, praia.id);
});

test('creates no merchant if the number of its bank account is wrong', async (context) => {
  const ways = await bothWays(await testGateway(context));
  for (const run of ways) {
    const create = ['merchants', 'create', '--name', 'Sal', '--bank-account'];
    const { code, stderr } = await run(...create, iban.replace('64', '65'));
    assert.deepEqual([code, /accountNumber must be an IBAN/.test(stderr)], [1, true], stderr);
    assert.doesNotMatch((await run('merchants', 'list')).stdout, /Sal/);
  }
});

test('resolves a payment both ways, each with its author', async (context) => {
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });
  const { zimbo, database } = gateway;
  const body = { amount: 900, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const text = `UPDATE payments SET status = 'OPERATOR_PENDING', sent_at = now() - interval '1 day', due_at = now()`;
  for (const [index, run] of (await bothWays(gateway)).entries()) {
    const { id } = await zimbo.payments.create(body);
    await database.query({ text });
    assert.match((await run('review', '--mode', 'test')).stdout, new RegExp(`payment ${id} of`));
    assert.match((await run('review', 'show', id)).stdout, /--debited TRANSACTION --amount 9\.00/);
    const finding = ['--debited', `TX-${index}`, '--amount', '9'];
    const said = await run('review', 'resolve', id, ...finding);
    assert.deepEqual(said, { code: 0, stdout: `${id} is DEBITED.\n`, stderr: '' });
  }
  const actors = await database.query<{ who: string }>({
    text: `SELECT split_part(actor, ':', 1) AS who FROM audit_records WHERE action LIKE '%.resolved' ORDER BY at`,
  });
  assert.deepEqual(
    actors.map(({ who }) => who),
    ['admin_key', 'cli'],
  );
});

test('lists and revokes keys of staff, and lists balances and suspense, both ways', async (context) => {
  const gateway = await testGateway(context);
  const body = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912300' } as const;
  const { id } = await gateway.zimbo.payments.create(body);
  await reach(gateway.zimbo.payments, id, 'DEBITED');
  const { id: other } = await adminKey(gateway);
  const key = formatId('ak', other);
  for (const run of await bothWays(gateway)) {
    const list = await run('admin-keys', 'list');
    assert.match(list.stdout, new RegExp(`^${key} +ak_admin_….{4} +`, 'm'), list.stderr);
    assert.match((await run('admin-keys', 'revoke', key)).stdout, /^ak_admin_….{4} is revoked\. /);
    const unknown = await run('admin-keys', 'revoke', `ak_${'0'.repeat(26)}`);
    assert.equal(unknown.stderr.split('\n')[1], '"zimbo admin-keys list" shows them all.');
    const balances = await run('ledger', 'balances');
    assert.match(balances.stdout, /^me_\w+ +\S.* test +payable +\d+\.\d\d CVE$/m, balances.stderr);
    assert.equal((await run('ledger', 'suspense')).stdout, 'Nothing is in suspense.\n');
  }
});

/** Live settlements waiting for the bank. */
async function settled(context: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'zimbo-payouts-'));
  cleanUp(context, () => rmSync(dataDir, { recursive: true, force: true }));
  const environment = { DATA_DIR: dataDir };
  const gateway = await liveGateway(context, {}, { environment });
  const { live, database } = gateway;
  const settle = async (): Promise<string> => {
    const body = { amount: 1_520, operator: 'CVMOVEL', operatorPhone: '+2389910345' };
    const { body: payment } = await live('POST', '/v1/payments', body);
    await eventually('the debit', async () => {
      return (await live('GET', `/v1/payments/${payment.id}`)).body.status === 'DEBITED';
    });
    const { id } = (await live('POST', '/v1/settlements/process', { currency: 'CVE' })).body;
    const text = `SELECT FROM settlements WHERE status = 'PROCESSING' AND due_at IS NULL`;
    await eventually('it waits', async () => (await database.query({ text })).length === 1);
    return id;
  };
  return { ways: await bothWays({ ...gateway, environment }), settle };
}

test('completes and fails settlements both ways, and discards the payout file', async (context) => {
  const { ways, settle } = await settled(context);
  for (const run of ways) {
    for (const [how, ended] of [
      ['complete', 'COMPLETED'],
      ['fail', 'FAILED'],
    ] as const) {
      const id = await settle();
      assert.match((await run('settlements', 'list')).stdout, new RegExp(`^${id} `, 'm'));
      const order = await run('settlements', 'file', id, '--format', 'csv');
      assert.ok(order.stdout.includes(id), order.stdout);
      const done = await run('settlements', how, id, '--json');
      assert.equal(JSON.parse(done.stdout).status, ended);
      if (how === 'fail') assert.match(done.stderr, /Its file is /);
    }
  }
});

test('serves the operations of /admin/v1 on a database without a gateway', async (context) => {
  const { url } = await testDatabase(context);
  const run = runWith({
    DATABASE_URL: url,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  assert.equal((await run('merchants', 'create', '--name', 'Sal')).code, 0);
  const [merchant] = JSON.parse((await run('admin', 'merchants', 'list', '--json')).stdout);
  const account = ['--currency', 'CVE', '--account-number', iban, '--holder', 'Sal'];
  const set = await run('admin', 'merchants', 'set-bank-accounts', merchant.id, ...account);
  assert.match(set.stdout, /^holder +Sal$/m, set.stderr);
  const found = await run(
    'admin',
    'audit-records',
    'list',
    '--action',
    'merchant.*',
    '--limit',
    '1',
  );
  assert.match(
    found.stdout,
    /merchant\.bank_account_changed[\s\S]*There are more: --starting-after au_/,
  );
  const file = join(mkdtempSync(join(tmpdir(), 'zimbo-statement-')), 'statement.csv');
  cleanUp(context, () => rmSync(join(file, '..'), { recursive: true }));
  writeFileSync(file, 'nonsense\n');
  const upload = ['admin', 'reconciliations', 'compare', '--operator', 'CVMOVEL', '--file', file];
  const refused = await run(...upload);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /line 1/);
  const { checks } = JSON.parse((await run('admin', 'doctor', 'get', '--json')).stdout);
  assert.ok(checks.length > 10);
  const unknown = await run('admin', 'merchants', 'get', `me_${'0'.repeat(26)}`);
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [1, 'No such merchant.\n"zimbo admin merchants list" shows them all.\n'],
  );
});

test('exports audit records as lines, and honours an idempotency key without a gateway', async (context) => {
  const { url } = await testDatabase(context);
  const environment = {
    DATABASE_URL: url,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const run = runWith(environment);
  const merchant = JSON.parse(
    (await run('merchants', 'create', '--name', 'Sal', '--json')).stdout,
  ) as { id: string };
  const issued = await run('keys', 'create', '--merchant', merchant.id, '--mode', 'test', '--json');
  const { id } = JSON.parse(issued.stdout) as { id: string };
  // The file goes to the standard output of a process as it is.
  const exported = runZimbo(context, ['admin', 'audit-records', 'export'], environment);
  assert.equal(await exported.ended, 0, exported.output.stderr);
  const lines = exported.output.stdout.trimEnd().split('\n');
  assert.ok(lines.length >= 2, exported.output.stdout);
  const actions = lines.map((line) => (JSON.parse(line) as { action: string }).action);
  assert.ok(actions.includes('api_key.issued'), actions.join());

  const roll = ['admin', 'keys', 'roll', id, '--overlap-hours', '0', '--json'];
  roll.push('--idempotency-key', 'once');
  const [first, again] = [await run(...roll), await run(...roll)];
  assert.equal(first.code, 0, first.stderr);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(JSON.parse(again.stdout).id, JSON.parse(first.stdout).id);
});
