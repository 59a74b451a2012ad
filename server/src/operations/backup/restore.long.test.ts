import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  altered,
  backupOf,
  contentsOf,
  now,
  programVersion,
  restoreInto,
  tablesOf,
  testFolder,
} from '../../../test/support/backup.ts';
import { emptyDatabase, silentLog, testDatabase } from '../../../test/support/database.ts';
import { query } from '../../../test/support/embedded-postgres.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { migrate } from '../../platform/postgres/migrations.ts';
import { createDigestKey } from '../../platform/secrets/digest-key.ts';
import { createSecretBox } from '../../platform/secrets/secret-box.ts';
import { fileSource } from './file.ts';
import { checkRestorable, restoreBackup } from './restore.ts';

const merchant = '11111111-1111-1111-1111-111111111111';
const tenant = '22222222-2222-2222-2222-222222222222';
const secretKey = Buffer.alloc(32, 7);
const keysOf = (current: Buffer) => ({ current, previous: undefined });

/** All characters that COPY escapes. */
const hardText = '\\. \\N \\\\ \' " {}\n\\.\n\\N\t\r\b\f\v🐚 Praça, são\n';

/** Rows that refer to each other, and values of every type. */
async function filledDatabase(context: Parameters<typeof testDatabase>[0]) {
  const { url, database } = await testDatabase(context);
  const run = (text: string, values: unknown[] = []) => database.query({ text }, values);
  await run(`INSERT INTO merchants VALUES ($1, $2, '2026-11-21 10:00:00.123456+00')`, [
    merchant,
    hardText,
  ]);
  await run(`INSERT INTO tenants VALUES ($1, $2, 'test', now())`, [tenant, merchant]);
  await run(`INSERT INTO api_keys VALUES ($1, gen_random_uuid(), $2, 'abcd', $3, now(), NULL)`, [
    tenant,
    Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    ['payments:read', hardText, '', 'NULL'],
  ]);
  await run(
    `INSERT INTO audit_records VALUES (gen_random_uuid(), NULL, now(), '', 'x', '\\N', $1)`,
    [JSON.stringify({ text: hardText, none: null })],
  );
  await run(
    `INSERT INTO bank_accounts VALUES ($1, gen_random_uuid(), 'CVE', '1', $2, NULL, now(), now())`,
    [merchant, hardText],
  );
  await run(
    `INSERT INTO postings SELECT $1, gen_random_uuid(), 'debit_net', 'a', 'b', 'CVE', n, now(), 1
     FROM generate_series(1, 20000) AS n`,
    [tenant],
  );
  return { url, database };
}

test('restores every value of every row unchanged', async (context) => {
  const { url } = await filledDatabase(context);
  const { file } = await backupOf(context, url);
  const target = await emptyDatabase(context);
  const { applied, foreign } = await restoreInto(target, file);
  assert.deepEqual([applied, foreign], [[], []]);
  const restored = await contentsOf(target);
  assert.deepEqual(restored, await contentsOf(url));
  assert.equal(restored.postings?.rows, 20_000);
  assert.deepEqual(await schemaOf(target), await schemaOf(url));
  await assert.rejects(query(target, 'UPDATE postings SET amount_minor = 1'), { code: '42501' });
});

test('restores rows frozen, and creates indexes afterwards', async (context) => {
  const { url } = await filledDatabase(context);
  const { file } = await backupOf(context, url);
  const target = await emptyDatabase(context);
  await restoreInto(target, file);
  const [seen] = await query(
    target,
    // The last pages are free: a table grows by several pages at once.
    `SELECT relallvisible > relpages / 2 AS most FROM pg_class WHERE oid = 'postings'::regclass`,
  );
  assert.equal(seen?.most, true, 'VACUUM finds nothing to do');
  const pages = async () => {
    const text = `SELECT pg_relation_size('postings_period') / 8192 AS pages`;
    return Number((await query(target, text))[0]?.pages);
  };
  const restored = await pages();
  await query(target, 'REINDEX INDEX postings_period');
  // Inserting rows one by one leaves index pages half empty.
  assert.equal(restored, await pages());
});

/** Columns, constraints and indexes. */
const schemaOf = (url: string) =>
  query(
    url,
    `SELECT conrelid::regclass::text AS of, pg_get_constraintdef(oid) AS what FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
     ORDER BY 1, 2`,
  );

test('carries everything that the schema can hold', async (context) => {
  const { url } = await testDatabase(context);
  const others = await query(
    url,
    `SELECT relname FROM pg_class WHERE relkind NOT IN ('r', 'i', 't') AND relnamespace = 'public'::regnamespace`,
  );
  assert.deepEqual(others, []);
});

test('proves the file by its last line, without this program', async (context) => {
  const { url } = await filledDatabase(context);
  const { file } = await backupOf(context, url);
  const text = gunzipSync(await readFile(file)).toString();
  const lines = text.trimEnd().split('\n');
  const last = JSON.parse(lines.at(-1)!);
  const before = text.slice(0, text.lastIndexOf(lines.at(-1)!));
  assert.equal(last.sha256, createHash('sha256').update(before).digest('hex'));
  const [{ count }] = (await query(
    url,
    `SELECT count(*)::integer FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )) as [{ count: number }];
  assert.equal(last.tables, count);
});

test('refuses a truncated file', async (context) => {
  const { url } = await filledDatabase(context);
  const { file, folder } = await backupOf(context, url);
  const { length } = await readFile(file);
  const copy = join(folder, 'copy.gz');
  for (const end of [0, 1, 9, 10, 100, length >> 1, length - 100, length - 8, length - 1]) {
    await copyFile(file, copy);
    await truncate(copy, end);
    await assert.rejects(
      checkRestorable(fileSource(copy), { secretKeys: 'lost' }),
      { name: 'StartError', message: /copy\.gz" is incomplete: its end is missing/ },
      `${end} bytes`,
    );
  }
});

test('refuses a file with any flipped bit, unless its text is the same', async (context) => {
  const { url } = await filledDatabase(context);
  const { file, folder } = await backupOf(context, url);
  const bytes = await readFile(file);
  const text = gunzipSync(bytes);
  const copy = join(folder, 'copy.gz');
  const step = Math.floor(bytes.length / 150);
  let refused = 0;
  // The first ten bytes are gzip's header, some of which means nothing.
  for (let at = 10; at < bytes.length; at += step) {
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 1 << (at % 8);
    // About one bit in a thousand belongs to a code that its block does not use.
    if (unpacksTo(text, flipped)) continue;
    await writeFile(copy, flipped);
    await assert.rejects(
      checkRestorable(fileSource(copy), { secretKeys: 'lost' }),
      // A bit of the first line may change what the file says of its migrations, which is read first.
      { name: 'StartError', message: /damaged|its end is missing|differs between this program/ },
      `byte ${at}`,
    );
    refused++;
  }
  assert.ok(refused > 140, `only ${refused} changes count`);
});

function unpacksTo(text: Buffer, packed: Buffer): boolean {
  try {
    return gunzipSync(packed).equals(text);
  } catch {
    return false;
  }
}

const changes: Record<string, (text: string) => string> = {
  'another value': (text) => text.replace('\t17\t', '\t18\t'),
  'a row that is gone': (text) => text.replace(/^.*\t17\t.*\n/m, ''),
  'a row that is there twice': (text) => text.replace(/^.*\t17\t.*\n/m, '$&$&'),
  'a table that is gone': (text) => text.replace(/^\{"table":"tenants"[\s\S]*?^\{"rows".*\n/m, ''),
  'another table name': (text) => text.replace('"table":"events"', '"table":"event"'),
  'another header': (text) => text.replace(/"snapshotAt":"20/, '"snapshotAt":"21'),
  'another count': (text) => text.replace('"rows":20000', '"rows":20001'),
  'no last line': (text) => text.replace(/.*\n$/, ''),
  'something after the last line': (text) => `${text}\n`,
};

test('refuses a changed text in a valid compression', async (context) => {
  const { url } = await filledDatabase(context);
  const { file } = await backupOf(context, url);
  const checked = await checkRestorable(fileSource(file), { secretKeys: 'lost' });
  const target = await emptyDatabase(context);
  for (const [what, change] of Object.entries(changes)) {
    const copy = await altered(file, 'altered.gz', change);
    const refused = { name: 'StartError', message: /altered\.gz" is (damaged|incomplete)/ };
    await assert.rejects(checkRestorable(fileSource(copy), { secretKeys: 'lost' }), refused, what);
    // Even if the file has changed since it was checked.
    const restoring = restoreBackup(
      { ...checked, source: fileSource(copy) },
      { url: target, programVersion, now },
    );
    await assert.rejects(restoring, { name: 'StartError' }, what);
    await eventually('it is empty', async () => (await tablesOf(target)).length === 0);
  }
  await restoreInto(target, file);
});

test('distinguishes other files from damaged backups', async (context) => {
  const folder = await testFolder(context);
  const files = {
    'text.txt': Buffer.from('dear diary'),
    'other.gz': gzipSync('{"format":"something"}\n'),
    'long.gz': gzipSync('x'.repeat(3_000_000)),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const file = join(folder, name);
    await writeFile(file, bytes);
    const message = `${JSON.stringify(file)} is not a Zimbo backup, or its first line is damaged.`;
    await assert.rejects(checkRestorable(fileSource(file), { secretKeys: 'lost' }), { message });
  }
  await assert.rejects(
    checkRestorable(fileSource(join(folder, 'nothing')), { secretKeys: 'lost' }),
    {
      message: /nothing" cannot be read \(ENOENT\)/,
    },
  );
  await assert.rejects(checkRestorable(fileSource(folder), { secretKeys: 'lost' }), {
    message: `${JSON.stringify(folder)} cannot be read (EISDIR).`,
  });
});

test('refuses a backup of a newer program, and names the program', async (context) => {
  const { url } = await filledDatabase(context);
  const { file } = await backupOf(context, url);
  const newer = await altered(file, 'newer.gz', (text) =>
    text.replace(
      '"formatVersion":1,"programVersion":"0.1.0"',
      '"formatVersion":2,"programVersion":"9.8.7"',
    ),
  );
  await assert.rejects(checkRestorable(fileSource(newer), { secretKeys: 'lost' }), {
    message: /newer\.gz" was made by Zimbo 9\.8\.7, in a newer format/,
    hint: 'Restore it with Zimbo 9.8.7 or later.',
  });
  await query(
    url,
    `INSERT INTO schema_migrations VALUES (9999, '9999-future.sql', 'x', '9.8.7', now(), '0.1.0')`,
  );
  const { file: future } = await backupOf(context, url);
  // A program may work with a newer database without being able to create it.
  await assert.rejects(checkRestorable(fileSource(future), { secretKeys: 'lost' }), {
    message: /newer than this program: its database had 9999-future\.sql of Zimbo 9\.8\.7/,
    hint: 'Restore it with Zimbo 9.8.7 or later.',
  });
});

test('refuses a database that is not empty, and leaves it unchanged', async (context) => {
  const { url } = await filledDatabase(context);
  const { file } = await backupOf(context, url);
  const migrated = (await testDatabase(context)).url;
  const foreign = await emptyDatabase(context);
  await query(foreign, 'CREATE TABLE thesis AS SELECT 1 AS page');
  for (const target of [url, migrated, foreign]) {
    const before = await contentsOf(target);
    await assert.rejects(restoreInto(target, file), {
      name: 'StartError',
      message:
        /is not empty: it has the tables? (thesis|act_keys|admin_keys|audit_records|merchants)/,
      hint: /Create a new database/,
    });
    assert.deepEqual(await contentsOf(target), before);
  }
});

test("omits and names tables that are not Zimbo's", async (context) => {
  const { url } = await filledDatabase(context);
  await query(url, 'CREATE TABLE thesis AS SELECT generate_series(1, 3) AS page');
  const { file } = await backupOf(context, url);
  const target = await emptyDatabase(context);
  assert.deepEqual((await restoreInto(target, file)).foreign, ['thesis']);
  const { thesis, ...own } = await contentsOf(url);
  assert.equal(thesis?.rows, 3);
  assert.deepEqual(await contentsOf(target), own);
});

test('refuses a database of another encoding, and leaves it empty', async (context) => {
  const { url } = await filledDatabase(context);
  const { file } = await backupOf(context, url);
  const target = await emptyDatabase(
    context,
    `TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`,
  );
  await assert.rejects(restoreInto(target, file), {
    name: 'StartError',
    message: /has the encoding LATIN1; Zimbo needs UTF8/,
  });
  assert.deepEqual(await tablesOf(target), []);
});

test('requires the secret key before anything is done', async (context) => {
  const { url, database } = await filledDatabase(context);
  const { file: plain } = await backupOf(context, url);
  for (const secretKeys of [undefined, keysOf(secretKey)]) {
    await checkRestorable(fileSource(plain), { secretKeys });
  }
  const box = createSecretBox(secretKey).encrypt('whsec_', 'context');
  await database.query(
    {
      text: `INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, created_at, updated_at)
        VALUES ($1, gen_random_uuid(), 1, '', '{}', 'ACTIVE', $2, now(), now())`,
    },
    [tenant, box],
  );
  const { file } = await backupOf(context, url);
  await assert.rejects(checkRestorable(fileSource(file), { secretKeys: undefined }), {
    message: /there is no secret key here/,
    hint: /Set ZIMBO_SECRET_KEY to the key of the gateway that was backed up/,
  });
  await assert.rejects(
    checkRestorable(fileSource(file), { secretKeys: keysOf(Buffer.alloc(32, 8)) }),
    {
      message: /encrypted with a secret key other than yours/,
    },
  );
  await checkRestorable(fileSource(file), { secretKeys: keysOf(secretKey) });
  await checkRestorable(fileSource(file), {
    secretKeys: { current: Buffer.alloc(32, 8), previous: secretKey },
  });
  await checkRestorable(fileSource(file), { secretKeys: 'lost' });
  // The digest key is one of the secrets, even without webhook endpoints.
  await database.query({ text: 'DELETE FROM webhook_endpoints' });
  await createDigestKey({
    database,
    secrets: createSecretBox(secretKey),
    log: silentLog,
  }).open();
  const { file: ofDigests } = await backupOf(context, url);
  await assert.rejects(checkRestorable(fileSource(ofDigests), { secretKeys: undefined }), {
    message: /there is no secret key here/,
  });
  await checkRestorable(fileSource(ofDigests), { secretKeys: keysOf(secretKey) });
});

test('lets a gateway that starts during a restore wait', async (context) => {
  const { url } = await filledDatabase(context);
  const { file } = await backupOf(context, url);
  const target = await emptyDatabase(context);
  const checked = await checkRestorable(fileSource(file), { secretKeys: 'lost' });
  let migrating: Promise<{ applied: string[] } | Error> | undefined;
  const onProgress = () => {
    migrating ??= migrate(target, { now }).catch((error: Error) => error);
  };
  await restoreBackup(checked, { url: target, programVersion, now, onProgress });
  assert.deepEqual(await migrating, { applied: [] });
  assert.deepEqual(await contentsOf(target), await contentsOf(url));
});
