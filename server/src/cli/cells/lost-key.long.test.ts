import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testFolder } from '../../../test/support/backup.ts';
import { commandRunner, testInstallation } from '../../../test/support/cell-installation.ts';
import {
  findDigestKeyBox,
  isDigestKey,
  opensDigestKey,
} from '../../platform/secrets/digest-key.ts';
import { createSecretBox } from '../../platform/secrets/secret-box.ts';
import { addMerchant } from '../../tenants/merchants/create-merchant.ts';
import { addBackupCommands } from '../backup.ts';
import { addMerchantCommands } from '../merchants.ts';
import { addSecretCommands } from '../secrets.ts';
import { addCellCommands } from './cells.ts';

/** An installation whose secret key is lost: commands have a new one. */
async function installation(context: TestContext) {
  const made = await testInstallation(context);
  const key = randomBytes(32);
  const folder = await testFolder(context);
  const environment = {
    ...made.environment,
    DATA_DIR: folder,
    ZIMBO_SECRET_KEY: key.toString('base64'),
  };
  const backUp = async () => {
    const zimbo = commandRunner({ ...made.environment, DATA_DIR: folder });
    await zimbo(addBackupCommands, 'backup', join(folder, 'zimbo.backup.gz'));
  };
  /** What docs/secrets.md says. */
  const forgetDigests = async () => {
    for (const database of Object.values(made.cells))
      await database.query({ text: 'DELETE FROM phone_digest_key' });
  };
  const next = createSecretBox(key);
  return { ...made, zimbo: commandRunner(environment), folder, next, backUp, forgetDigests };
}

const unreadable = 'The address of the cell south cannot be read: it is encrypted with another';

test('with a lost secret key, a cell elsewhere is away, and the others are as they were', async (context) => {
  const { zimbo, cells, dependencies } = await installation(context);
  await addMerchant(cells.north, dependencies, 'Norte');
  const cellList = await zimbo(addCellCommands, 'cells', 'list');
  assert.equal(cellList.code, 1);
  assert.match(cellList.stdout, /^north .* answers$/m);
  assert.match(cellList.stdout, new RegExp(`^south +PostgreSQL +south +.*${unreadable}`, 'm'));
  const listed = await zimbo(addMerchantCommands, 'merchants', 'list');
  assert.equal(listed.code, 1);
  assert.match(listed.stdout, /Norte/);
  assert.match(listed.stderr, new RegExp(`^The cell south is left out: ${unreadable}`, 'm'));
  const chosen = await zimbo(addMerchantCommands, 'merchants', 'list', '--cell', 'south');
  assert.match(chosen.stderr, new RegExp(`^${unreadable}.*\n.*"zimbo cells set-url" gives`, 'm'));
  const made = await zimbo(addCellCommands, 'cells', 'create', 'south');
  assert.match(made.stderr, /is under another secret key/);
});

test('without any secret key, that is what is said', async (context) => {
  const { environment } = await testInstallation(context);
  const DATA_DIR = await testFolder(context);
  const zimbo = commandRunner({ ...environment, ZIMBO_SECRET_KEY: '', DATA_DIR });
  const listed = await zimbo(addCellCommands, 'cells', 'list');
  assert.match(listed.stderr, /^ZIMBO_SECRET_KEY is not set\.$/m);
});

test('a cell gets its address again under a new secret key, once the old key of digests is removed', async (context) => {
  const { zimbo, cells, other, next, forgetDigests } = await installation(context);
  const setUrl = () => zimbo(addCellCommands, 'cells', 'set-url', 'south', '--url', other);
  assert.match((await setUrl()).stderr, /The key of digests, which all cells share, is under/);
  await cells.home.query({ text: 'DELETE FROM phone_digest_key' });
  const there = await setUrl();
  assert.match(
    there.stderr,
    /^The key of digests in south is not that of the home\.\n.*docs\/secrets/m,
  );
  await forgetDigests();
  const done = await setUrl();
  assert.deepEqual([done.code, done.stderr], [0, '']);
  const [home, south] = [await findDigestKeyBox(cells.home), await findDigestKeyBox(cells.south)];
  assert.ok(opensDigestKey(home!, next));
  const key = Buffer.from(next.decrypt(home!, 'phone_digest_key'), 'base64');
  assert.ok(isDigestKey(south!, key, next), 'both have one key');
  assert.equal((await zimbo(addCellCommands, 'cells', 'list')).code, 0);
  const text = `SELECT before FROM audit_records WHERE action = 'cell.url_changed'`;
  assert.deepEqual(await cells.home.query({ text }), [{ before: { place: null } }]);
});

test('a home is restored without its secret key, and names the cell that it cannot ask', async (context) => {
  const { zimbo, folder, backUp, database, cells } = await installation(context);
  await backUp();
  await database.query({ text: 'DROP SCHEMA public CASCADE' });
  await database.query({ text: 'CREATE SCHEMA public' });
  const file = join(folder, 'zimbo.backup.gz');
  const restored = await zimbo(addBackupCommands, 'restore', file, '--without-secret-key');
  assert.equal(restored.code, 1);
  assert.match(restored.stderr, /^These cells do not answer, .*: south\.$/m);
  assert.match(restored.stdout, /^home\nThe ledger is correct\.$/m);

  await cells.south.query({ text: 'DROP SCHEMA south CASCADE' });
  const south = join(folder, 'zimbo.south.backup.gz');
  const options = ['--cell', 'south', '--without-secret-key'];
  const unsaid = await zimbo(addBackupCommands, 'restore', south, ...options);
  assert.match(unsaid.stderr, new RegExp(`^${unreadable}.*\n.*--cell south --url URL$`, 'm'));
});

test('secrets rotate names the cell whose address neither key opens', async (context) => {
  const { environment, secretKey, database } = await testInstallation(context);
  const box = createSecretBox(randomBytes(32)).encrypt('x', 'cells.url_box south');
  await database.query({ text: `UPDATE cells SET url_box = $1 WHERE name = 'south'` }, [box]);
  const zimbo = commandRunner({
    ...environment,
    ZIMBO_SECRET_KEY: randomBytes(32).toString('base64'),
    ZIMBO_SECRET_KEY_PREVIOUS: secretKey.toString('base64'),
  });
  const { code, stderr } = await zimbo(addSecretCommands, 'secrets', 'rotate');
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^${unreadable}`, 'm'));
});
