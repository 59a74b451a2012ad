import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { now, query } from '../../../test/support/migrations.ts';
import { runZimbo, testDataDir } from '../../../test/support/process.ts';
import { createTimekeeping } from '../../app/process-heartbeat.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { migrate } from '../../platform/postgres/migrations.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { openSecretKeys } from '../../platform/secrets/secret-keys.ts';
import { refuseOlderProcesses } from './process-registry.ts';
import { describeUpgrade, planUpgrade } from './upgrade.ts';

const own = join(import.meta.dirname, '..', '..', '..', 'migrations');
const contraction = '-- Oldest program: 0.2.0\n-- Contract\nDROP TABLE of_older_programs;';
const programVersion = '0.2.0';

/** A migrated database, and a folder with further migrations, by the part of the name after the number. */
async function upgradeTo(t: TestContext, files: Record<string, string>) {
  const { url, database } = await testDatabase(t);
  await query(url, 'CREATE TABLE of_older_programs (id int)');
  const directory = await mkdtemp(join(tmpdir(), 'zimbo-migrations-'));
  t.after(() => rm(directory, { recursive: true }));
  await cp(own, directory, { recursive: true });
  const [{ last }] = (await query(url, 'SELECT max(number) AS last FROM schema_migrations')) as [
    { last: number },
  ];
  const names = Object.keys(files).map(
    (name, index) => `${String(last + 1 + index).padStart(4, '0')}-${name}.sql`,
  );
  for (const [index, sql] of Object.values(files).entries())
    await writeFile(join(directory, names[index]!), sql);
  const contract = (hook = refuseOlderProcesses) =>
    migrate(url, { directory, now, programVersion, contract: hook });
  return { url, database, directory, names, contract };
}

const run = (url: string, version: string, host = 'shop-1', seen = 'now()') =>
  query(
    url,
    `INSERT INTO running_processes (id, role, host, pid, version, settings, clock_offset_ms, started_at, seen_at)
     VALUES (gen_random_uuid(), 'all', '${host}', 812, '${version}', '{}', 0, now(), ${seen})`,
  );

test('refuses a contraction while an older process is running, and names it', async (t) => {
  const { url, contract, names } = await upgradeTo(t, { drop: contraction });
  await run(url, '0.1.9');
  await run(url, '0.2.0', 'shop-2');
  await run(url, '0.1.0', 'shop-3', `now() - interval '4 minutes'`);
  await assert.rejects(contract(), {
    name: 'StartError',
    message: /before Zimbo 0\.2\.0 need.*: all on shop-1 \(pid 812\), Zimbo 0\.1\.9\.$/,
    hint: /zimbo migrate --contract {2}again/,
  });
  await query(url, 'SELECT FROM of_older_programs');
  await query(url, `DELETE FROM running_processes WHERE host = 'shop-1'`);
  assert.deepEqual(await contract(), { applied: names });
});

test('stops an older process that starts during a contraction', async (t) => {
  const { url, database, contract } = await upgradeTo(t, { drop: contraction });
  const config = loadConfig({
    DATA_DIR: await testDataDir(t),
    DATABASE_URL: url,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const timekeeping = createTimekeeping({
    database,
    wallClock: systemClock,
    log: silentLog,
    config,
    role: config.role,
    keys: await openSecretKeys(config),
    intervalMs: 60_000,
    figures: async () => ({}),
  });
  t.after(() => timekeeping.stop());
  let starting: Promise<unknown> | undefined;
  await contract(async (transaction, migration) => {
    await refuseOlderProcesses(transaction, migration);
    // It has compared the migrations, and now makes its first report.
    starting = timekeeping.start().then(
      () => 'it runs',
      (error: unknown) => error,
    );
    await eventually('it waits', async () => {
      const text = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'running_processes'::regclass`;
      return (await query(url, text)).length > 0;
    });
  });
  const outcome = (await starting) as Error;
  assert.match(String(outcome.message ?? outcome), /newer than this program/);
});

test('predicts whether a stop is needed, without changing anything', async (t) => {
  const { url, database, directory } = await upgradeTo(t, {
    more: '-- Oldest program: 0.1.0\nALTER TABLE of_older_programs ADD name text;',
    index:
      '-- Oldest program: 0.1.0\n-- Concurrently\nCREATE INDEX CONCURRENTLY i ON merchants (name);',
    drop: contraction,
  });
  await run(url, '0.1.0');
  const before = await query(url, 'SELECT number FROM schema_migrations');
  const easy = await planUpgrade(database, directory);
  assert.deepEqual(
    easy.lacking.map(({ kind }) => kind),
    ['EXPANDS', 'INDEXES', 'CONTRACTS'],
  );
  assert.deepEqual([easy.stopNeeded, easy.toStop], [false, []]);
  assert.match(describeUpgrade(easy).at(-1)!, /^No stop is needed/);
  await query(url, `UPDATE running_processes SET version = '0.0.9'`);
  const hard = await planUpgrade(database, directory);
  assert.equal(hard.stopNeeded, true);
  assert.match(
    describeUpgrade(hard).at(-1)!,
    /^Stop these first, .*: all on shop-1 \(pid 812\), Zimbo 0\.0\.9\.$/,
  );
  assert.deepEqual(await query(url, 'SELECT number FROM schema_migrations'), before);
});

test('exits with 0 or 1, depending on whether a start applies the missing migrations', async (t) => {
  const { url } = await testDatabase(t);
  const environment = { DATABASE_URL: url, DATA_DIR: await testDataDir(t), LOG_LEVEL: 'fatal' };
  const done = await runZimbo(['migrate', '--check'], environment);
  assert.deepEqual(
    [done.code, done.stdout.trim()],
    [0, 'The database is up to date. No stop is needed.'],
  );
  // The database as an earlier version left it, without its latest columns.
  await query(url, 'ALTER TABLE running_processes DROP memory_bytes');
  await query(url, `DELETE FROM schema_migrations WHERE name = '0037-memory-of-processes.sql'`);
  await run(url, '0.1.0');
  const easy = await runZimbo(['migrate', '--check', '--json'], environment);
  assert.deepEqual(
    [easy.code, JSON.parse(easy.stdout)],
    [
      0,
      {
        lacking: [
          { name: '0037-memory-of-processes.sql', kind: 'EXPANDS', oldestProgram: '0.1.0' },
        ],
        toStop: [],
        stopNeeded: false,
      },
    ],
  );
  await query(url, `UPDATE running_processes SET version = '0.0.9'`);
  const hard = await runZimbo(['migrate', '--check'], environment);
  assert.equal(hard.code, 1, hard.stderr);
  assert.match(hard.stdout, /Stop these first/);
});
