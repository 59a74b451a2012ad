import type pg from 'pg';
import type { Database } from '../../src/platform/postgres/database.ts';

/**
 * Databases that the tests of a process use one after another. Creating and dropping a database
 * costs as much as many a test, and its open sessions have already read the catalog and parsed
 * their statements.
 */
export interface KeptDatabase {
  url: string;
  database: Database;
  /** Empties tables whose rows even their owner may not delete. */
  superuser: pg.Client;
  drop(): Promise<void>;
  /** The digest of its original schema. */
  schema: string;
}

interface Look {
  schema: string;
  sessions: number;
  advisoryLocks: number;
}

let kept: KeptDatabase[] | undefined = [];

/** @param make creates a migrated database without rows, if none is left to reuse */
export async function takeKept(
  make: () => Promise<Omit<KeptDatabase, 'schema'>>,
): Promise<KeptDatabase> {
  const found = kept?.pop();
  if (found) return found;
  const made = await make();
  return { ...made, schema: (await look(made.superuser)).schema };
}

/** Empties the database and keeps it for another test; drops it if the test changed more than rows. */
export async function giveBack(used: KeptDatabase): Promise<void> {
  const isEmptied = kept !== undefined && (await empty(used).catch(() => false));
  if (isEmptied && kept) kept.push(used);
  else await drop(used);
}

/** Drops all databases after the last test of the process, and later ones as soon as they come back. */
export async function dropKept(): Promise<void> {
  const all = kept ?? [];
  kept = undefined;
  await Promise.all(all.map(drop));
}

async function empty({ database, superuser, schema }: KeptDatabase): Promise<boolean> {
  const seen = await look(superuser);
  // Another session might still write.
  const known = database.connections().total + 1;
  if (seen.schema !== schema || seen.advisoryLocks > 0 || seen.sessions > known) return false;
  await superuser.query(deleteRows);
  // Fails if the test has closed the pool.
  await database.query({ text: 'SELECT' });
  return true;
}

async function drop(used: KeptDatabase): Promise<void> {
  // A test may have closed the pool.
  await used.database.close().catch(() => {});
  await used.superuser.end();
  await used.drop();
}

/** The catalogs of one database. A row's `xmin` is the transaction that wrote it. */
const catalogs =
  'pg_class pg_attribute pg_type pg_proc pg_trigger pg_constraint pg_index pg_policy pg_namespace pg_extension';

/** Changes with each table, column, type, function, trigger, right and setting, and with statistics. */
const schemaText = `concat_ws(' ',
  ${catalogs
    .split(' ')
    .map((name) => `(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM ${name})`)
    .join(',\n  ')},
  (SELECT sum(reltuples) FROM pg_class),
  (SELECT concat(oid, ' ', datacl) FROM pg_database WHERE datname = current_database()),
  (SELECT string_agg(setting::text, ' ') FROM pg_db_role_setting AS setting
    WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))),
  (SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM schema_migrations))`;

const lookText = `SELECT ${schemaText} AS schema,
  (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS sessions,
  (SELECT count(*)::int FROM pg_locks JOIN pg_database AS own ON own.oid = pg_locks.database
    WHERE locktype = 'advisory' AND own.datname = current_database()) AS "advisoryLocks"`;

async function look(superuser: pg.Client): Promise<Look> {
  const { rows } = await superuser.query<Look>({ name: 'look', text: lookText });
  return rows[0]!;
}

/** Disables triggers and permission checks. Only a file that nobody has written to counts as empty. */
const deleteRows = `DO $$
DECLARE filled regclass;
BEGIN
  SET LOCAL lock_timeout = '2s';
  SET LOCAL session_replication_role = replica;
  FOR filled IN
    SELECT oid FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      AND relname <> 'schema_migrations' AND pg_relation_size(oid) > 0
  LOOP
    EXECUTE format('DELETE FROM %s', filled);
  END LOOP;
END $$`;
