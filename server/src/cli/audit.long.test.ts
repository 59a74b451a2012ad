import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../test/support/cleanup.ts';
import { testDatabase } from '../../test/support/database.ts';
import { testGateway } from '../../test/support/gateway.ts';
import { runZimbo } from '../../test/support/zimbo.ts';
import { readCsv } from '../platform/formats/csv.ts';

/** Runs commands on a database, with a folder for their files. */
async function commandLine(context: TestContext, databaseUrl?: string) {
  const { url } = databaseUrl === undefined ? await testDatabase(context) : { url: databaseUrl };
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-audit-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  const zimboOn = async (on: string, ...args: string[]) => {
    const environment = { DATABASE_URL: on, DATA_DIR: folder, ZIMBO_SECRET_KEY: 'ab'.repeat(32) };
    const { ended, output } = runZimbo(context, args, environment);
    return { code: await ended, ...output };
  };
  const zimbo = (...args: string[]) => zimboOn(url, ...args);
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await zimbo(...args, '--json');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    return JSON.parse(stdout);
  };
  return { zimbo, zimboOn, json, folder, file: (name: string) => join(folder, name) };
}

const person = `cli:${userInfo().username}`;

test('lists what people did with commands: who, what, from where', async (context) => {
  const { zimbo, json } = await commandLine(context);
  const { id: merchant } = await json('merchants', 'create', '--name', 'Loja');
  const create = ['keys', 'create', '--merchant', merchant, '--mode', 'test', '--label', 'till 3'];
  const { id: key } = await json(...create);
  await json('keys', 'revoke', key);
  const records = await json('audit');
  assert.deepEqual(
    records.map((record: Record<string, string>) => [record.action, record.subject]),
    [
      ['api_key.revoked', key],
      ['api_key.issued', key],
      ['merchant.created', merchant],
    ],
  );
  for (const { actor, origin } of records) {
    assert.equal(actor, person);
    assert.ok(origin.startsWith(hostname()));
  }
  assert.equal(records[1].after.label, 'till 3');
  assert.equal(records[1].merchantId, merchant);
  const only = await json('audit', '--action', 'api_key.*', '--subject', key, '--actor', 'cli:*');
  assert.equal(only.length, 2);
  assert.deepEqual(await json('audit', '--until', '2026-01-01'), []);
  assert.deepEqual(
    await json('audit', '--actor', 'cli_*'),
    [],
    'does not treat an underscore as a wildcard',
  );
  assert.equal((await json('audit', '--merchant', merchant, '--limit', '1')).length, 1);
  const { stdout } = await zimbo('audit', 'list', '--action', 'api_key.revoked');
  assert.match(stdout, /^AT \(UTC\) +WHO +FROM +WHAT +TO +CHANGE\n.*api_key\.revoked/);
});

test('records backups, restores and exports, and verifies a restored log', async (context) => {
  const { zimbo, zimboOn, json, file } = await commandLine(context);
  await json('merchants', 'create', '--name', 'Loja');
  const early = (await zimbo('audit', 'head')).stdout.trim();
  assert.match(early, /^1:[0-9a-f]{64}$/);
  assert.equal((await zimbo('ledger', 'export', file('postings.csv'))).code, 0);
  const backup = await zimbo('backup', file('zimbo.backup.gz'));
  assert.deepEqual([backup.code, backup.stderr], [0, '']);
  const made = await json('audit', '--action', 'database.backed_up');
  assert.equal(made.length, 1);
  assert.equal(made[0].actor, person);
  assert.equal(made[0].detail.file, file('zimbo.backup.gz'));

  const late = (await zimbo('audit', 'head')).stdout.trim();
  const clean = await json('audit', 'verify', '--head', early, '--head', late);
  assert.equal(clean.clean, true);
  assert.equal(clean.head, late);
  assert.equal(clean.records, 3);

  const { url: empty, database } = await emptyDatabase(context);
  const restored = await zimboOn(empty, 'restore', file('zimbo.backup.gz'));
  assert.equal(restored.code, 0, restored.stderr);
  const there = await zimboOn(empty, 'audit', '--json');
  assert.deepEqual(
    JSON.parse(there.stdout).map(({ action }: { action: string }) => action),
    ['database.restored', 'database.backed_up', 'ledger.exported', 'merchant.created'],
  );
  assert.equal((await zimboOn(empty, 'audit', 'verify', '--head', early)).code, 0);
  const back = await zimboOn(empty, 'audit', 'verify', '--head', late);
  assert.equal(back.code, 1);
  assert.match(back.stdout, /the end was cut off, or the database was set back/);
  await assert.rejects(database.query({ text: 'TRUNCATE audit_records' }), { code: '42501' });
});

async function emptyDatabase(context: TestContext) {
  const made = await testDatabase(context);
  await made.database.query({ text: 'DROP SCHEMA public CASCADE; CREATE SCHEMA public' });
  return made;
}

test('exports the log as CSV, and records the export', async (context) => {
  const { zimbo, json, file } = await commandLine(context);
  await json('merchants', 'create', '--name', 'Loja, "Bar"');
  const { code, stdout } = await zimbo('audit', 'export', file('audit.csv'));
  assert.equal(code, 0);
  assert.match(stdout, /^2 records written/);
  const rows: string[][] = [];
  const text = createReadStream(file('audit.csv'), 'utf8');
  for await (const { fields } of readCsv(text)) rows.push(fields);
  assert.equal(rows[0]![4], 'action');
  assert.deepEqual(
    rows.slice(1).map((fields) => fields[4]),
    ['audit.exported', 'merchant.created'],
  );
  assert.deepEqual(JSON.parse(rows[2]!.at(-2)!), { name: 'Loja, "Bar"' });
  const out = await zimbo('audit', 'export', '-', '--action', 'merchant.*');
  assert.equal(out.stdout.trimEnd().split('\n').length, 2);
  assert.ok((await readFile(file('audit.csv'), 'utf8')).startsWith('id,at,actor'));
});

test('explains tampering in words, and exits with 1', async (context) => {
  const { url, database } = await testDatabase(context);
  const { zimbo, json } = await commandLine(context, url);
  await json('merchants', 'create', '--name', 'Loja');
  const head = (await zimbo('audit', 'head')).stdout.trim();
  const clean = await zimbo('audit', 'verify');
  assert.equal(clean.code, 0);
  assert.match(clean.stdout, /Only a head that you kept can reveal whether the end was/);
  await database.transaction(async (transaction) => {
    for (const text of [
      'GRANT DELETE ON audit_records TO CURRENT_USER',
      'ALTER TABLE audit_records DISABLE TRIGGER ALL',
      'DELETE FROM audit_records',
    ]) {
      await transaction.query({ text });
    }
  });
  const found = await zimbo('audit', 'verify', '--head', head);
  assert.equal(found.code, 1);
  assert.match(found.stdout, /^- The record au_\w+ of seal 1 is gone\.$/m);
  assert.match(found.stdout, /was tampered with.* docs\/audit\.md/);
  assert.equal((await zimbo('audit', 'verify', '--head', 'x')).code, 2);
});

test('names the key that created a payment', async (context) => {
  const gateway = await testGateway(context);
  const { json, zimbo } = await commandLine(context, gateway.databaseUrl);
  const body = { amount: 100, operator: 'MOCK', operatorPhone: '+2389912159' } as const;
  const payment = await gateway.zimbo.payments.create(body);
  const [key] = await json('keys', 'list');
  const { stdout } = await zimbo('audit', '--subject', payment.id);
  assert.ok(stdout.includes(`${payment.id} was made with the key ${key.id}.`), stdout);
});
