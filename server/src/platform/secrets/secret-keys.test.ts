import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '../config/config.ts';
import {
  beginKeyRotation,
  findSecretKeys,
  finishKeyRotation,
  openSecretKeys,
} from './secret-keys.ts';

const old = Buffer.alloc(32, 1);
const next = Buffer.alloc(32, 2);

/** A DATA_DIR with these key files. */
function directory(context: TestContext, files: Record<string, Buffer | string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'zimbo-keys-'));
  context.after(() => rmSync(dataDir, { recursive: true }));
  for (const [name, key] of Object.entries(files)) {
    writeFileSync(join(dataDir, name), typeof key === 'string' ? key : key.toString('base64'));
  }
  return { dataDir, config: loadConfig({ DATA_DIR: dataDir }) };
}

test('creates a key readable only by its owner at the first start, and finds it at the next', async (context) => {
  const { dataDir, config } = directory(context, { 'secret.key.draft': 'torn by a crash' });
  assert.equal(await findSecretKeys(config), undefined);
  const made = await openSecretKeys(config);
  assert.deepEqual(await openSecretKeys(config), made);
  assert.equal(made.current.length, 32);
  assert.equal(made.previous, undefined);
  assert.deepEqual(readdirSync(dataDir), ['secret.key']);
  if (process.platform !== 'win32')
    assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
});

test('prefers a key in the settings to the file', async (context) => {
  const { dataDir } = directory(context, { 'secret.key': old });
  const config = loadConfig({
    DATA_DIR: dataDir,
    ZIMBO_SECRET_KEY: next.toString('base64'),
    ZIMBO_SECRET_KEY_PREVIOUS: old.toString('hex'),
  });
  assert.deepEqual(await openSecretKeys(config), { current: next, previous: old });
});

test('keeps the old key until a rotation has finished', async (context) => {
  const { dataDir, config } = directory(context, { 'secret.key': old });
  const keys = await beginKeyRotation(dataDir);
  assert.deepEqual(keys.previous, old);
  assert.notDeepEqual(keys.current, old);
  assert.deepEqual(await openSecretKeys(config), keys);
  await finishKeyRotation(dataDir);
  assert.deepEqual(await openSecretKeys(config), { current: keys.current, previous: undefined });
  assert.deepEqual(readdirSync(dataDir), ['secret.key']);
});

// The files after a machine stopped between the steps of a rotation.
const crashes: [after: string, files: Record<string, Buffer | string>][] = [
  ['the draft of the copy', { 'secret.key': old, 'secret.key.draft': 'half' }],
  ['the copy', { 'secret.key': old, 'secret.key.previous': old }],
  [
    'the draft of the new key',
    { 'secret.key': old, 'secret.key.previous': old, 'secret.key.draft': next },
  ],
];
for (const [after, files] of crashes) {
  test(`finds the old key and restarts the rotation after a crash after ${after}`, async (context) => {
    const { dataDir, config } = directory(context, files);
    assert.deepEqual((await openSecretKeys(config)).current, old);
    const keys = await beginKeyRotation(dataDir);
    assert.deepEqual(keys.previous, old);
    assert.notDeepEqual(keys.current, old);
    assert.deepEqual(await openSecretKeys(config), keys);
  });
}

test('continues a rotation with its new key after a crash', async (context) => {
  const { dataDir, config } = directory(context, {
    'secret.key': next,
    'secret.key.previous': old,
  });
  const both = { current: next, previous: old };
  assert.deepEqual(await openSecretKeys(config), both);
  assert.deepEqual(await beginKeyRotation(dataDir), both);
});

test('never replaces a file without a valid key', async (context) => {
  const { dataDir, config } = directory(context, { 'secret.key': 'spilt' });
  await assert.rejects(openSecretKeys(config), /does not hold a secret key/);
  await assert.rejects(beginKeyRotation(dataDir), /does not hold a secret key/);
});
