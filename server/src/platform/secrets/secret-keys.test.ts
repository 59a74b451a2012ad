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

/** A DATA_DIR with these files of keys. */
function directory(context: TestContext, files: Record<string, Buffer | string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'zimbo-keys-'));
  context.after(() => rmSync(dataDir, { recursive: true }));
  for (const [name, key] of Object.entries(files)) {
    writeFileSync(join(dataDir, name), typeof key === 'string' ? key : key.toString('base64'));
  }
  return { dataDir, config: loadConfig({ DATA_DIR: dataDir }) };
}

test('the first start makes a key that only its owner can read, and the next one finds it', async (context) => {
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

test('a key of the settings comes before the file', async (context) => {
  const { dataDir } = directory(context, { 'secret.key': old });
  const config = loadConfig({
    DATA_DIR: dataDir,
    ZIMBO_SECRET_KEY: next.toString('base64'),
    ZIMBO_SECRET_KEY_PREVIOUS: old.toString('hex'),
  });
  assert.deepEqual(await openSecretKeys(config), { current: next, previous: old });
});

test('a rotation keeps the old key until it is finished', async (context) => {
  const { dataDir, config } = directory(context, { 'secret.key': old });
  const keys = await beginKeyRotation(dataDir);
  assert.deepEqual(keys.previous, old);
  assert.notDeepEqual(keys.current, old);
  assert.deepEqual(await openSecretKeys(config), keys);
  await finishKeyRotation(dataDir);
  assert.deepEqual(await openSecretKeys(config), { current: keys.current, previous: undefined });
  assert.deepEqual(readdirSync(dataDir), ['secret.key']);
});

// What the steps of a rotation leave when the machine stops after each of them.
const crashes: [after: string, files: Record<string, Buffer | string>][] = [
  ['the draft of the copy', { 'secret.key': old, 'secret.key.draft': 'half' }],
  ['the copy', { 'secret.key': old, 'secret.key.previous': old }],
  [
    'the draft of the new key',
    { 'secret.key': old, 'secret.key.previous': old, 'secret.key.draft': next },
  ],
];
for (const [after, files] of crashes) {
  test(`a crash after ${after}: the old key is found, and the rotation begins anew`, async (context) => {
    const { dataDir, config } = directory(context, files);
    assert.deepEqual((await openSecretKeys(config)).current, old);
    const keys = await beginKeyRotation(dataDir);
    assert.deepEqual(keys.previous, old);
    assert.notDeepEqual(keys.current, old);
    assert.deepEqual(await openSecretKeys(config), keys);
  });
}

test('a crash after the new key: the rotation goes on with it', async (context) => {
  const { dataDir, config } = directory(context, {
    'secret.key': next,
    'secret.key.previous': old,
  });
  const both = { current: next, previous: old };
  assert.deepEqual(await openSecretKeys(config), both);
  assert.deepEqual(await beginKeyRotation(dataDir), both);
});

test('a file that holds no key is never replaced', async (context) => {
  const { dataDir, config } = directory(context, { 'secret.key': 'spilt' });
  await assert.rejects(openSecretKeys(config), /does not hold a secret key/);
  await assert.rejects(beginKeyRotation(dataDir), /does not hold a secret key/);
});
