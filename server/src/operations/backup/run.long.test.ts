import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  contentsOf,
  programVersion,
  restoreInto,
  testFolder,
} from '../../../test/support/backup.ts';
import { emptyDatabase, testDatabase } from '../../../test/support/database.ts';
import { query } from '../../../test/support/embedded-postgres.ts';
import type { BackupSetting } from '../../platform/config/backup-variables.ts';
import { oneTimeKey } from './encryption.ts';
import { fileSource } from './file.ts';
import { checkRestorable } from './restore.ts';
import { runBackup } from './run.ts';

const setting = (path: string, more: Partial<BackupSetting> = {}): BackupSetting => ({
  to: { kind: 'folder', path },
  schedule: undefined,
  timeZone: 'UTC',
  recipients: [],
  keepMs: undefined,
  keepLast: 1,
  isVerified: true,
  verifyDatabaseUrl: undefined,
  s3: undefined,
  ...more,
});

async function world(context: TestContext, more: Partial<BackupSetting> = {}) {
  const { url } = await testDatabase(context);
  const folder = await testFolder(context);
  const verifyDatabaseUrl = await emptyDatabase(context);
  const own = setting(folder, { verifyDatabaseUrl, ...more });
  const run = (options: Partial<Parameters<typeof runBackup>[0]> = {}) =>
    runBackup({ url, setting: own, embeddedIn: undefined, programVersion, ...options });
  const rows = () =>
    query(url, 'SELECT *, verified_at IS NOT NULL AS verified FROM backups ORDER BY began_at');
  return { url, folder, verifyDatabaseUrl, setting: own, run, rows };
}

test('tests an encrypted backup by restoring it, records it, and opens it only with its key', async (context) => {
  const key = await oneTimeKey();
  const { url, folder, verifyDatabaseUrl, run, rows } = await world(context, {
    recipients: [key.recipient],
  });
  const made = await run();
  assert.equal(made?.isVerified, true);
  const [name] = await readdir(folder);
  assert.match(name!, /^zimbo-\d{8}T\d{6}Z-[0-9a-f]{6}\.backup\.gz\.age$/);
  const [row] = await rows();
  assert.deepEqual(
    [row!.place, row!.name, row!.is_encrypted, row!.verified, row!.error],
    [folder, name, true, true, null],
  );
  assert.equal(Number(row!.bytes), (await readFile(join(folder, name!))).length);
  assert.deepEqual(await contentsOf(verifyDatabaseUrl), {});

  const file = join(folder, name!);
  const open = (identities: string[]) =>
    checkRestorable(fileSource(file, identities), { secretKeys: 'lost' });
  await assert.rejects(open([]), { message: /is encrypted\.$/ });
  await assert.rejects(open([(await oneTimeKey()).identity]), { message: /for another key/ });
  const target = await emptyDatabase(context);
  await restoreInto(target, file, { identities: [key.identity] });
  const { backups: _own, ...expected } = await contentsOf(url);
  const { backups: _theirs, ...restored } = await contentsOf(target);
  assert.deepEqual(restored, expected);
});

test('makes a due backup in one of several processes', async (context) => {
  const { run, rows } = await world(context, { schedule: { kind: 'every', hours: 24 } });
  const made = await Promise.all([1, 2, 3].map(() => run({ onlyIfDue: true })));
  assert.equal(made.filter((each) => each !== undefined).length, 1);
  assert.equal((await rows()).length, 1);
  assert.equal(await run({ onlyIfDue: true }), undefined, 'it is not due any more');
});

test('detects an unmounted disk: does not recreate its folder, and keeps its files listed', async (context) => {
  const {
    url,
    folder,
    rows,
    run,
    setting: own,
  } = await world(context, {
    keepMs: 86_400_000,
    isVerified: false,
  });
  const disk = join(folder, 'disk');
  const place = { kind: 'folder', path: join(disk, 'backups') } as const;
  await mkdir(disk);
  const there = () => run({ setting: { ...own, to: place } });
  await there();
  await rename(disk, join(folder, 'unmounted'));
  await mkdir(disk);
  await assert.rejects(there(), { message: /disk\/backups of BACKUP_TO does not exist any more/ });
  await assert.rejects(there(), { message: /disk\/backups of BACKUP_TO does not exist any more/ });
  assert.deepEqual(await readdir(disk), []);

  await mkdir(place.path);
  assert.match((await there())!.removalError!, /None of the earlier backups is in .*mounted\?/);
  await query(url, `UPDATE backups SET began_at = began_at - interval '2 days'`);
  assert.equal((await there())?.removed.length, 1, 'what was made meanwhile');
  const [first] = await rows();
  assert.equal(first!.removed_at, null);
});

test('does not count manual backups, or those dated in the future, as scheduled ones', async (context) => {
  const { url, folder, run } = await world(context, {
    schedule: { kind: 'every', hours: 24 },
    keepMs: 30 * 86_400_000,
    keepLast: 2,
    isVerified: false,
  });
  const insert = (began: string, place: string, error = 'NULL') =>
    query(
      url,
      `INSERT INTO backups (id, began_at, ended_at, place, name, bytes, is_encrypted, error)
       VALUES (gen_random_uuid(), ${began}, ${began}, ${place}, 'a.gz', 1, false, ${error})`,
    );
  await insert('now()', 'NULL');
  assert.ok(await run({ onlyIfDue: true }), 'a copy by hand does not count');
  assert.equal(await run({ onlyIfDue: true }), undefined);
  await query(url, `UPDATE backups SET began_at = now() - interval '31 days'`);
  await insert(`now() + interval '2 years'`, `'${folder}'`);
  await insert(`now() + interval '2 years'`, `'${folder}'`, `'the disk is full'`);
  const made = await run({ onlyIfDue: true });
  assert.deepEqual(made?.removed, [], 'the last two that are of the past stay');
  assert.equal((await readdir(folder)).length, 2);
});

test('keeps a backup as good although its lock was lost meanwhile', async (context) => {
  const { url, folder, run, rows } = await world(context);
  const made = await run({
    async onBegin() {
      const cut = await query(
        url,
        `SELECT pg_terminate_backend(pid, 60000) AS ended FROM pg_locks
         WHERE locktype = 'advisory' AND classid = 2053729634 AND objid = 37
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      assert.deepEqual(cut, [{ ended: true }]);
    },
  });
  assert.equal(made?.isVerified, true);
  assert.equal((await readdir(folder)).length, 1);
  const [row] = await rows();
  assert.deepEqual([row!.error, row!.verified], [null, true]);
});

test('removes our old backups, but never the last good ones or foreign files', async (context) => {
  const { url, folder, run, rows } = await world(context, {
    keepMs: 30 * 86_400_000,
    keepLast: 2,
    isVerified: false,
  });
  const foreign = join(folder, 'zimbo-20200101T000000Z-aaaaaa.backup.gz');
  await writeFile(foreign, 'of another gateway');
  for (let made = 0; made < 3; made++) await run();
  await query(url, `UPDATE backups SET began_at = began_at - interval '31 days'`);
  const last = await run();
  assert.equal(last?.removed.length, 2);
  const left = await readdir(folder);
  assert.equal(left.length, 3, 'two good ones and the foreign one');
  assert.ok(left.includes('zimbo-20200101T000000Z-aaaaaa.backup.gz'));
  const removed = (await rows()).filter(({ removed_at: at }) => at !== null);
  assert.deepEqual(new Set(removed.map(({ name }) => name)), new Set(last?.removed));
});

test('records the reason of a failed backup, and removes nothing', async (context) => {
  const { url, folder, run, rows } = await world(context, { keepMs: 1, keepLast: 1 });
  await run();
  await query(url, `UPDATE backups SET began_at = began_at - interval '31 days'`);
  await assert.rejects(run({ setting: setting(join(folder, 'not', 'mounted'), { keepMs: 1 }) }), {
    message: /not\/mounted of BACKUP_TO cannot be created \(ENOENT\)/,
  });
  assert.match((await rows())[1]!.error as string, /cannot be created/);
  assert.equal((await readdir(folder)).length, 1);
});

test('cleans up after a killed process in the next run', async (context) => {
  const { url, folder, run, rows } = await world(context, { isVerified: false });
  await writeFile(join(folder, 'a.gz.partial'), 'half');
  await query(
    url,
    `INSERT INTO backups (id, began_at, place, name, is_encrypted)
     VALUES (gen_random_uuid(), now(), '${folder}', 'a.gz', false)`,
  );
  await run();
  assert.equal((await rows())[0]!.error, 'It was interrupted.');
  assert.ok(!(await readdir(folder)).includes('a.gz.partial'));
});

test('keeps a backup whose test was killed until it is old', async (context) => {
  const { url, folder, run, rows } = await world(context, {
    isVerified: false,
    keepMs: 86_400_000,
  });
  const killed = join(folder, 'a.gz');
  await writeFile(killed, 'whole');
  await query(
    url,
    `INSERT INTO backups (id, began_at, place, name, is_encrypted)
     VALUES (gen_random_uuid(), now(), '${folder}', 'a.gz', false)`,
  );
  assert.deepEqual((await run())?.removed, []);
  await query(url, `UPDATE backups SET began_at = began_at - interval '2 days'`);
  assert.deepEqual((await run())?.removed, ['a.gz', (await rows())[1]!.name]);
  assert.equal((await readdir(folder)).length, 1);
});

test('does not call a backup with a wrong ledger good', async (context) => {
  const { url, verifyDatabaseUrl, run, rows } = await world(context);
  await query(
    url,
    `INSERT INTO merchants VALUES (gen_random_uuid(), 'Loja', now());
     INSERT INTO tenants SELECT gen_random_uuid(), id, 'test', now() FROM merchants;
     INSERT INTO balances SELECT id, 'fees', 'CVE', 7 FROM tenants`,
  );
  await assert.rejects(run(), { message: /can be restored, but its ledger has 1 problem/ });
  const [row] = await rows();
  assert.match(row!.error as string, /ledger has 1 problem/);
  assert.equal(row!.verified, false);
  assert.deepEqual(await contentsOf(verifyDatabaseUrl), {});
});

test('leaves one file of hourly failures, and keeps the good ones', async (context) => {
  const { url, folder, verifyDatabaseUrl, run, rows } = await world(context);
  const good = await run();
  await query(verifyDatabaseUrl, 'CREATE TABLE thesis ()');
  for (let hour = 0; hour < 3; hour += 1) await assert.rejects(run(), { message: /is not empty/ });
  const [{ name }] = (await query(
    url,
    'SELECT name FROM backups ORDER BY began_at DESC, id DESC LIMIT 1',
  )) as [{ name: string }];
  const left = (await readdir(folder)).map((each) => join(folder, each));
  assert.deepEqual(new Set(left), new Set([good!.file, join(folder, name)]));
  assert.equal((await rows()).filter(({ removed_at: at }) => at !== null).length, 2);
});

test('refuses an encrypted backup that is truncated, damaged or rearranged', async (context) => {
  const key = await oneTimeKey();
  const { url, folder, run } = await world(context, {
    recipients: [key.recipient],
    isVerified: false,
  });
  // More than two of age's chunks of 64 KiB, each authenticated with its position.
  await query(
    url,
    `INSERT INTO merchants SELECT gen_random_uuid(), md5(n::text) || md5((n + 1)::text), now()
     FROM generate_series(1, 6000) AS n`,
  );
  await run();
  const [name] = await readdir(folder);
  const file = join(folder, name!);
  const bytes = await readFile(file);
  const chunk = 65_536 + 16;
  // The header is followed by a nonce of 16 bytes.
  const start = bytes.indexOf('\n', bytes.indexOf('\n--- ') + 1) + 1 + 16;
  assert.ok(bytes.length > start + 3 * chunk, `${bytes.length}`);
  const [head, first, second, rest] = [
    bytes.subarray(0, start),
    bytes.subarray(start, start + chunk),
    bytes.subarray(start + chunk, start + 2 * chunk),
    bytes.subarray(start + 2 * chunk),
  ];
  const flipped = Buffer.from(bytes);
  flipped[start + 100]! ^= 1;
  const wrong = {
    cut: bytes.subarray(0, -1),
    'cut between chunks': Buffer.concat([head, first, second]),
    'in another order': Buffer.concat([head, second, first, rest]),
    'without a chunk': Buffer.concat([head, first, rest]),
    flipped,
  };
  for (const [what, contents] of Object.entries(wrong)) {
    const copy = join(folder, 'copy');
    await writeFile(copy, contents);
    await assert.rejects(
      checkRestorable(fileSource(copy, [key.identity]), { secretKeys: 'lost' }),
      { name: 'StartError', message: /is damaged, or its end is missing|is damaged|is incomplete/ },
      what,
    );
  }
});
