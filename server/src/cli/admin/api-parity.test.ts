import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Command } from 'commander';
import { liveGateway } from '../../../test/operators/gateway.ts';
import { adminKey } from '../../../test/support/admin.ts';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { runCommand, type Said } from '../../../test/support/command-line.ts';
import { eventually, testGateway } from '../../../test/support/gateway.ts';
import { reviewItemOf } from '../../money/review/review-item.ts';
import { insertReviewItem } from '../../money/review/store.ts';
import { parseId } from '../../platform/values/ids.ts';
import { addKeyCommands } from '../keys.ts';
import { addMerchantCommands } from '../merchants.ts';
import { addReviewCommands } from '../review.ts';
import { addSettlementCommands } from '../settlements.ts';
import type { KeyView } from './parse-responses.ts';

const addCommands = (program: Command) => {
  for (const add of [addMerchantCommands, addKeyCommands, addReviewCommands, addSettlementCommands])
    add(program);
};

type Run = (...args: string[]) => Promise<Said>;

/** Runs the command line over /admin/v1, without any database, and directly on the database. */
async function bothWays(gateway: {
  url: string;
  database: Parameters<typeof adminKey>[0]['database'];
  databaseUrl: string;
  environment?: Record<string, string>;
}): Promise<[remote: Run, local: Run]> {
  const { key } = await adminKey(gateway);
  const nowhere = 'postgres://127.0.0.1:1/none';
  const remote = { ZIMBO_ADMIN_KEY: key, ZIMBO_URL: gateway.url, DATABASE_URL: nowhere };
  const local = { ...gateway.environment, DATABASE_URL: gateway.databaseUrl };
  return [
    (...args) => runCommand(addCommands, args, remote),
    (...args) => runCommand(addCommands, args, local),
  ];
}

/** Masks the parts that change with every run: ids, keys and their last characters, instants and ages. */
const plain = (text: string) =>
  text
    .replaceAll(/\b(me|ak|ri|se)_[0-9a-z]{26}\b/g, '$1_…')
    .replaceAll(/sk_(test|live)_([0-9A-Za-z]{32}|…\w{4})/g, 'sk_$1')
    .replaceAll(/"last4": "\w{4}"/g, '"last4"')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'INSTANT')
    .replaceAll(/\d+ (s|min) ago/g, 'AGE ago')
    .replaceAll(/ \d+ s$/gm, ' AGE');

async function same(ways: readonly Run[], ...args: string[]): Promise<Said> {
  const said: Said[] = [];
  for (const run of ways) said.push(await run(...args));
  const [one, other] = said.map(({ code, stdout }) => ({ code, stdout: plain(stdout) }));
  assert.deepEqual(one, other, args.join(' '));
  assert.equal(one!.code, 0, `${args.join(' ')}: ${said[0]!.stderr}`);
  assert.notEqual(one!.stdout, '', args.join(' '));
  return said[0]!;
}

const idIn = ({ stdout }: Said): string => (JSON.parse(stdout) as { id: string }).id;

test('creates a merchant with its bank account, but not if the number is wrong', async (context) => {
  const gateway = await testGateway(context);
  const ways = await bothWays(gateway);
  const create = ['merchants', 'create', '--name', 'Boa Vista', '--bank-account'];
  await same(ways, ...create, 'CV64 0005 0000 0020 1082 1514 4', '--json');
  const text = `SELECT m.name, b.currency, b.account_number, b.holder FROM merchants m
    LEFT JOIN bank_accounts b ON b.merchant_id = m.id WHERE m.name = 'Boa Vista'`;
  const found = () => gateway.database.query<Record<string, string>>({ text });
  const account_number = 'CV64000500000020108215144';
  const made = { name: 'Boa Vista', currency: 'CVE', account_number, holder: 'Boa Vista' };
  assert.deepEqual(await found(), [made, made]);
  for (const run of ways) {
    const { code, stderr } = await run(...create, 'CV65000500000020108215144');
    assert.deepEqual([code, /accountNumber must be an IBAN/.test(stderr)], [1, true], stderr);
  }
  assert.equal((await found()).length, 2);
});

test('prints the same merchants, brands and keys over /admin/v1 and from the database', async (context) => {
  const ways = await bothWays(await testGateway(context));
  await same(ways, 'merchants', 'create', '--name', 'Praia');
  const merchant = idIn(await same(ways, 'merchants', 'create', '--name', 'Sal', '--json'));
  await same(ways, 'merchants', 'list');
  await same(ways, 'merchants', 'list', '--json');
  await same(ways, 'merchants', 'payouts', merchant);
  await same(ways, 'merchants', 'payouts', merchant, '--schedule', 'WEEKLY_FRIDAY', '--json');
  assert.match((await same(ways, 'merchants', 'payouts', merchant)).stdout, /^WEEKLY_FRIDAY$/m);
  for (const run of ways) {
    const { code } = await run('merchants', 'payouts', merchant, '--schedule', 'SOMETIMES');
    assert.equal(code, 1);
  }
  const logo = join(mkdtempSync(join(tmpdir(), 'zimbo-logo-')), 'logo.svg');
  cleanUp(context, () => rmSync(join(logo, '..'), { recursive: true }));
  writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"></svg>');
  const brand = ['merchants', 'brand', merchant];
  await same(ways, ...brand, '--name', 'Loja', '--colour', '#c2410c', '--logo', logo);
  await same(ways, ...brand, '--name', '', '--json');
  await same(ways, ...brand);
  const create = ['keys', 'create', '--merchant', merchant, '--mode', 'test', '--label', 'till'];
  await same(
    ways,
    ...create,
    '--max-payment',
    '250',
    '--addresses',
    '192.0.2.0/24',
    '--expires',
    '90d',
  );
  const key = idIn(await same(ways, ...create, '--permissions', 'payments:read', '--json'));
  await same(ways, 'keys', 'list', '--merchant', merchant);
  const listed = JSON.parse((await same(ways, 'keys', 'list', '--json')).stdout) as KeyView[];
  const limited = listed.filter(
    ({ maxPayment, allowedAddresses: [from], expiresAt }) =>
      maxPayment === '25000' && from === '192.0.2.0/24' && expiresAt !== null,
  );
  assert.equal(limited.length, 2, 'one of each way');
  const [remote, local] = ways;
  const [one, other] = [
    await remote('keys', 'roll', key, '--json'),
    await local(...create, '--json'),
  ];
  assert.equal(JSON.parse(one.stdout).old.rolledTo, idIn(one));
  const rolled = await local('keys', 'roll', idIn(other), '--overlap', '1');
  const again = await remote(
    'keys',
    'roll',
    idIn(await local(...create, '--json')),
    '--overlap',
    '1',
  );
  assert.equal(plain(again.stdout), plain(rolled.stdout));
  await same(ways, 'keys', 'revoke', key);
  await same(ways, 'keys', 'revoke', key, '--json');
  for (const run of ways) {
    const said = await run('keys', 'revoke', `ak_${'0'.repeat(26)}`);
    assert.deepEqual(
      [said.code, said.stderr.split('\n')[0]],
      [1, `There is no key "ak_${'0'.repeat(26)}".`],
    );
  }
});

test('creates a merchant once if its bank account needs two people, and prints its id', async (context) => {
  const gateway = await testGateway(context, { environment: { FOUR_EYES: 'bank-accounts' } });
  const [remote] = await bothWays(gateway);
  const create = (...args: string[]) =>
    remote('merchants', 'create', '--bank-account', 'CV64000500000020108215144', ...args);
  for (const form of [[], ['--json']]) {
    const name = `Praia${form.join('')}`;
    const said = await create('--name', name, ...form);
    const listed = JSON.parse((await remote('merchants', 'list', '--json')).stdout);
    const made = listed.filter((each: { name: string }) => each.name === name);
    assert.equal(made.length, 1);
    assert.equal(said.code, 1, 'leaves no approval open, since keys cannot request approvals');
    assert.match(said.stderr, new RegExp(made[0].id));
    assert.match(said.stderr, /second person.*console/);
    assert.match(said.stderr, /again/);
    assert.match(said.stdout, new RegExp(made[0].id));
    if (form.length > 0) assert.equal(idIn(said), made[0].id);
  }
});

test('prints the same reviews both ways, each with the person who decided', async (context) => {
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });
  const { zimbo, database } = gateway;
  const ways = await bothWays(gateway);
  const made: string[] = [];
  for (const amount of [900, 900]) {
    const body = { amount, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
    made.push((await zimbo.payments.create(body)).id);
  }
  await database.query({
    text: `UPDATE payments SET status = 'OPERATOR_PENDING', sent_at = now() - interval '1 day', due_at = now()`,
  });
  const [tenant] = await database.query<{ id: string }>({
    text: `SELECT id FROM tenants WHERE mode = 'test'`,
  });
  const items: string[] = [];
  for (const about of ['a', 'b']) {
    const subject = {
      tenantId: tenant!.id,
      id: parseId('pi', made[0]!)!,
      operator: 'MOCK',
    } as const;
    const detail = { booked: { status: 'CREATED' }, told: { failureCode: 'OPERATOR_REJECTED' } };
    const item = reviewItemOf(
      'PAYMENT',
      subject,
      { kind: 'CONTRADICTION', about, detail },
      Date.now(),
    );
    await insertReviewItem(database, item);
    items.push(item.id);
  }
  await same(ways, 'review', '--mode', 'test');
  const listed = JSON.parse((await same(ways, 'review', '--mode', 'test', '--json')).stdout);
  assert.equal(listed.length, 3);
  await same(ways, 'review', 'show', made[1]!);
  await same(ways, 'review', 'show', listed[1].id, '--json');
  const closed: string[] = [];
  const words: string[] = [];
  for (const [index, run] of ways.entries()) {
    const close = await run('review', 'close', listed[1 + index].id, '--reason', 'asked');
    assert.equal(close.code, 0, close.stderr);
    closed.push(plain(close.stdout));
  }
  for (const [index, run] of ways.entries()) {
    const finding = ['--debited', `TX-${index}`, '--amount', '9'];
    const said = await run('review', 'resolve', made[index]!, ...finding);
    assert.equal(said.code, 0, said.stderr);
    words.push(said.stdout.replace(made[index]!, 'IT'));
  }
  assert.equal(closed[0], closed[1]);
  assert.deepEqual(words, ['IT is DEBITED.\n', 'IT is DEBITED.\n']);
  const actors = await database.query<{ who: string }>({
    text: `SELECT DISTINCT split_part(actor, ':', 1) AS who FROM audit_records WHERE action LIKE '%.resolved' ORDER BY 1`,
  });
  assert.deepEqual(
    actors.map(({ who }) => who),
    ['admin_key', 'cli'],
  );
});

/** A live settlement waiting for the bank. */
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

test('prints the same settlements both ways, and discards a payout file over the API too', async (context) => {
  const { ways, settle } = await settled(context);
  for (const [how, ...options] of [['complete'], ['fail'], ['fail', '--json']]) {
    const said: string[] = [];
    for (const run of ways) {
      const id = await settle();
      if (how === 'complete') await same(ways, 'settlements', 'list');
      else await same(ways, 'settlements', 'list', '--json');
      const order = await same(ways, 'settlements', 'file', id, '--format', 'csv');
      assert.ok(order.stdout.includes(id), order.stdout);
      const done = await run('settlements', how!, id, ...options);
      assert.equal(done.code, 0, done.stderr);
      if (how === 'fail') assert.match(done.stdout + done.stderr, /Its file is /);
      said.push(
        options.length > 0
          ? String(Object.keys(JSON.parse(done.stdout)))
          : plain(done.stdout).replaceAll(/\/\S+/g, 'FILE'),
      );
    }
    assert.equal(said[0], said[1]);
  }
});
