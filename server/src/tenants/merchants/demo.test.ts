import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { makeAuthenticate } from './authenticate.ts';
import { createMerchant } from './create-merchant.ts';
import { ensureDemoMerchant } from './demo.ts';
import { listKeys, revokeKey } from './keys.ts';
import { listMerchants } from './store.ts';

async function setUp(context: TestContext) {
  const { database } = await testDatabase(context);
  const dataDir = await mkdtemp(join(tmpdir(), 'zimbo-demo-'));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  const url = 'http://127.0.0.1:3000';
  return { database, clock: systemClock, ids: randomIds(), dataDir, url };
}

const isValid = async (database: Database, key: string) =>
  (await makeAuthenticate({ database, clock: systemClock })(key)) !== undefined;

test('creates the merchant Demo, a test key and demo.env in an empty database, once', async (context) => {
  const dependencies = await setUp(context);
  const key = (await ensureDemoMerchant(dependencies))!;
  assert.ok(await isValid(dependencies.database, key));
  const path = join(dependencies.dataDir, 'demo.env');
  assert.equal(
    await readFile(path, 'utf8'),
    `ZIMBO_URL=${dependencies.url}\nZIMBO_API_KEY=${key}\n`,
  );
  if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dependencies.dataDir), ['demo.env']);
  assert.equal(await ensureDemoMerchant(dependencies), key);
  assert.deepEqual(
    (await listMerchants(dependencies.database)).map(({ name }) => name),
    ['Demo'],
  );
  assert.equal((await listKeys(dependencies)).length, 1);
});

test('updates the address in the file', async (context) => {
  const dependencies = await setUp(context);
  const key = await ensureDemoMerchant(dependencies);
  const url = 'http://127.0.0.1:4000';
  assert.equal(await ensureDemoMerchant({ ...dependencies, url }), key);
  const text = await readFile(join(dependencies.dataDir, 'demo.env'), 'utf8');
  assert.equal(text, `ZIMBO_URL=${url}\nZIMBO_API_KEY=${key}\n`);
});

test('creates nothing in a database with a merchant', async (context) => {
  const dependencies = await setUp(context);
  await createMerchant(dependencies, 'Loja');
  assert.equal(await ensureDemoMerchant(dependencies), undefined);
  assert.deepEqual(await readdir(dependencies.dataDir), []);
  assert.deepEqual(await listKeys(dependencies), []);
});

test('shows no key without the file or with a revoked key', async (context) => {
  const dependencies = await setUp(context);
  const key = await ensureDemoMerchant(dependencies);
  const [stored] = await listKeys(dependencies);
  await revokeKey(dependencies, stored!.id);
  assert.equal(await ensureDemoMerchant(dependencies), undefined);
  await rm(join(dependencies.dataDir, 'demo.env'));
  assert.equal(await ensureDemoMerchant(dependencies), undefined);
  assert.ok(key);
});

test('starts normally after a crash before the key was stored', async (context) => {
  const dependencies = await setUp(context);
  const failing: Database = {
    ...dependencies.database,
    transaction: () => Promise.reject(new Error('killed')),
  };
  await assert.rejects(ensureDemoMerchant({ ...dependencies, database: failing }), /killed/);
  assert.deepEqual(await readdir(dependencies.dataDir), ['demo.env.new']);
  const key = (await ensureDemoMerchant(dependencies))!;
  assert.ok(await isValid(dependencies.database, key));
  assert.deepEqual(await readdir(dependencies.dataDir), ['demo.env']);
});

test('repairs a crash between database and file at the next start', async (context) => {
  const dependencies = await setUp(context);
  const key = (await ensureDemoMerchant(dependencies))!;
  const path = join(dependencies.dataDir, 'demo.env');
  await writeFile(`${path}.new`, await readFile(path));
  await rm(path);
  assert.equal(await ensureDemoMerchant(dependencies), key);
  assert.match(await readFile(path, 'utf8'), new RegExp(key));
});
