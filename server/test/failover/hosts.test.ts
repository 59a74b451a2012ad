import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { migrate } from '../../src/postgres/migrations.ts';
import { primaryUrlOf } from '../../src/postgres/primary.ts';
import { isTransient } from '../../src/postgres/transient.ts';
import { silentLog } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { Replication } from '../support/replication.ts';

let replication: Replication;
before(async () => {
  replication = await Replication.start();
  await migrate(replication.url, { now: new Date() });
});
after(() => replication.stop());

const write = { text: 'CREATE TEMPORARY TABLE IF NOT EXISTS scratch ()' };
const portOf = async (database: Database) => {
  await database.query(write);
  const text = 'SELECT inet_server_port() AS port';
  const [row] = await database.query<{ port: number }>({ text });
  return row!.port;
};
/** A pool that hangs for long unless somebody ends what hangs. */
const patient = { maxConnections: 4, statementTimeoutMs: 120_000, connectTimeoutMs: 30_000 };

/** One pool at a time, so that each test begins with what it says. */
async function withDatabase(run: (database: Database, told: string[]) => Promise<void>) {
  const told: string[] = [];
  const log = silentLog.child({});
  log.error = (_about: unknown, words?: string) => told.push(words!);
  const database = openDatabase({ url: replication.url, log, ...patient });
  try {
    await run(database, told);
  } finally {
    await database.close();
  }
}

test('connections go to the primary, in whatever order the hosts are named', async () => {
  const { primary, standby, url } = replication;
  const [first, second] = replication.servers.map(({ url: each }) => new URL(each).host);
  const reversed = url.replace(`${first},${second}`, `${second},${first}`);
  for (const each of [url, reversed]) {
    assert.equal(new URL(await primaryUrlOf(each)).port, `${primary.port}`);
  }
  assert.equal(await primaryUrlOf(standby.url), standby.url, 'a single host is not asked');
});

test('a standby that is promoted after the primary was killed gets all that follows', () =>
  withDatabase(async (database) => {
    assert.equal(await portOf(database), replication.primary.port);
    await replication.primary.kill();
    await replication.promote();
    const port = await eventually('it answers again', () =>
      portOf(database).catch(() => undefined),
    );
    assert.equal(port, replication.primary.port);
    await replication.rebuild();
  }));

test('a frozen primary is left behind with all that waits for it, and not gone back to when it thaws', () =>
  withDatabase(async (database, told) => {
    const old = replication.primary;
    assert.equal(await portOf(database), old.port);
    const hanging = assert.rejects(database.query({ text: 'SELECT pg_sleep(120)' }), isTransient);
    old.freeze();
    await replication.promote();
    await hanging;
    assert.equal(await portOf(database), replication.primary.port);
    old.thaw();
    await eventually('it is told', () => told.length > 0);
    assert.match(told.join(), /replaced primary takes writes again/);
    assert.equal(await portOf(database), replication.primary.port);
    // Of another pool of this process, too.
    await withDatabase(async (other) =>
      assert.equal(await portOf(other), replication.primary.port),
    );
    await replication.rebuild();
    assert.equal(told.length, 1);
  }));

test('while no host takes writes the error says so of each, and may pass', async () => {
  await replication.primary.kill();
  const database = openDatabase({ url: replication.url, log: silentLog, maxConnections: 1 });
  try {
    await assert.rejects(portOf(database), (error: Error) => {
      assert.ok(isTransient(error));
      assert.match(error.message, /No host of DATABASE_URL takes writes/);
      assert.match(error.message, /ECONNREFUSED/);
      assert.match(error.message, /it is a standby/);
      return true;
    });
  } finally {
    await database.close();
  }
  await replication.primary.start();
});

test('a wrong password is told at once', async () => {
  const url = replication.url.replace(/:[^:@]*@/, ':wrong@');
  await assert.rejects(primaryUrlOf(url), { code: '28P01' });
});
