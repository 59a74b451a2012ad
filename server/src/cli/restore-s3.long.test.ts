import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { contentsOf, tablesOf, testFolder } from '../../test/support/backup.ts';
import { emptyDatabase, testDatabase } from '../../test/support/database.ts';
import { query } from '../../test/support/embedded-postgres.ts';
import { eventually } from '../../test/support/eventually.ts';
import { runZimbo } from '../../test/support/process.ts';
import { startStore } from '../../test/support/s3.ts';
import { oneTimeKey } from '../operations/backup/encryption.ts';
import { s3Place } from '../operations/backup/s3.ts';

/** An encrypted backup in a bucket, larger than a chunk of age, and a database to restore it into. */
async function world(context: TestContext) {
  const { url } = await testDatabase(context);
  await query(
    url,
    `INSERT INTO merchants SELECT gen_random_uuid(), md5(n::text), now() FROM generate_series(1, 6000) AS n`,
  );
  const store = await startStore(context);
  const folder = await testFolder(context);
  const keyFile = async (name: string) => {
    const { identity, recipient } = await oneTimeKey();
    const file = join(folder, name);
    await writeFile(file, `${identity}\n`);
    return { file, recipient };
  };
  const { file: key, recipient } = await keyFile('backup.key');
  const { endpoint, accessKeyId, secretAccessKey } = store.access;
  const settings = {
    DATA_DIR: join(folder, 'data'),
    BACKUP_TO: `s3://${store.bucket}/live`,
    BACKUP_RECIPIENTS: recipient,
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    BACKUP_VERIFY_DATABASE_URL: await emptyDatabase(context),
  };
  const made = await runZimbo(['backup'], { ...settings, DATABASE_URL: url });
  assert.deepEqual([made.code, made.stderr], [0, '']);
  assert.match(made.stdout, /^Verified +read back/m);
  const [, address, name] = /^File +(s3:\S+\/live\/(\S+))$/m.exec(made.stdout)!;
  const target = await emptyDatabase(context);
  return {
    url,
    store,
    target,
    key,
    address: address!,
    name: name!,
    otherKey: (await keyFile('other.key')).file,
    place: s3Place({ kind: 's3', bucket: store.bucket, prefix: 'live' }, store.access),
    restore: (from: string, ...args: string[]) =>
      runZimbo(['restore', from, ...args], { ...settings, DATABASE_URL: target }),
  };
}

type World = Awaited<ReturnType<typeof world>>;

async function expectRefusal(
  { restore, target }: World,
  args: [string, ...string[]],
  words: RegExp,
) {
  const { code, stdout, stderr } = await restore(...args);
  assert.deepEqual([code, stdout], [1, ''], stderr);
  assert.match(stderr, words);
  assert.doesNotMatch(stderr, /^ {4}at /m);
  await eventually('nothing is restored', async () => (await tablesOf(target)).length === 0);
}

test('restores an encrypted backup from a bucket with its key', async (context) => {
  const own = await world(context);
  const { address, key, url, target } = own;
  await expectRefusal(own, [address], /is encrypted\.\n.*--identity FILE/);
  await expectRefusal(own, [address, '--identity', own.otherKey], /encrypted for another key\.\n/);
  await expectRefusal(
    own,
    [`${address}x`, '--identity', key],
    /nothing at http\S+x: 404 NoSuchKey/,
  );
  const restored = await own.restore(address, '--identity', key);
  assert.deepEqual([restored.code, restored.stderr], [0, '']);
  assert.match(restored.stdout, /^The ledger is correct\.$/m);
  const merchants = async (database: string) => (await contentsOf(database)).merchants;
  assert.deepEqual(await merchants(target), await merchants(url));
});

test('leaves the database empty if a backup in a bucket is truncated, altered or breaks off', async (context) => {
  const own = await world(context);
  const { address, key, place, name, store } = own;
  const bytes = await buffer(await place.open(name));
  const put = (contents: Buffer) =>
    place.sink(name).write(
      (async function* () {
        yield contents;
      })(),
    );
  const refused = (words: RegExp) => expectRefusal(own, [address, '--identity', key], words);
  await put(bytes.subarray(0, -1));
  await refused(/is damaged, or its end is missing\.\nCopy it again/);
  const flipped = Buffer.from(bytes);
  flipped[bytes.length >> 1]! ^= 1;
  await put(flipped);
  await refused(/is damaged, or its end is missing\.\nCopy it again/);
  await put(bytes);
  // The backup is read twice: once completely before the database is touched, then into the database.
  let reads = 0;
  store.answers = ({ method }, response) => {
    if (method !== 'GET' || ++reads < 2) return false;
    response.writeHead(200, { 'content-length': String(bytes.length) });
    response.write(bytes.subarray(0, -100), () => response.destroy());
    return true;
  };
  await refused(/^The store http\S+ broke off during a read: .*\nTry again/);
  assert.equal(reads, 2);
});
