import type { Config } from '../../platform/config/config.ts';
import {
  databaseInUtf8,
  expectReachable,
  expectWritable,
} from '../../platform/postgres/check-database.ts';
import type { Database } from '../../platform/postgres/database.ts';
import {
  describeOffset,
  longestOffsetMs,
  readDatabaseMs,
} from '../../platform/postgres/database-clock.ts';
import { hostCount } from '../../platform/postgres/hosts.ts';
import { compareMigrations } from '../../platform/postgres/migration-comparison.ts';
import { ownershipHint } from '../../platform/postgres/privileges.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { type Check, type Finding, failure, ok, warning } from './check.ts';
import { replicationFinding } from './replication.ts';

export interface DatabaseDependencies {
  database: Database;
  config: Pick<Config, 'databaseUrl' | 'databaseConnections'>;
  /** The wall clock of this machine. */
  wallClock: Clock;
  /** The URL of the database, for sessions in addition to the checks'. */
  url?: string | undefined;
  /** A description of the database's location. */
  place: string;
  /** For a cell: checks that it is the expected one. */
  expect?: ((database: Database) => Promise<unknown>) | undefined;
}

/** Conditions for the other checks; the first is whether the database answers at all. */
export function serverChecks(dependencies: DatabaseDependencies): Check[] {
  const { database } = dependencies;
  return [
    { name: 'Server', run: () => versionFinding(dependencies) },
    { name: 'Encoding', run: () => encodingFinding(database) },
    { name: 'Writes', run: () => writesFinding(dependencies) },
    { name: 'Migrations', run: () => migrationsFinding(database) },
  ];
}

/** The configuration of the server, for a migrated database. */
export function settingChecks(dependencies: DatabaseDependencies): Check[] {
  const { database } = dependencies;
  return [
    { name: 'Role', run: () => roleFinding(database) },
    { name: 'Postings', run: () => appendOnlyFinding(database) },
    { name: 'Durability', run: () => durabilityFinding(database) },
    { name: 'Replication', run: () => replicationOf(dependencies) },
    { name: 'Connections', run: () => connectionsFinding(dependencies) },
    { name: 'Clock', run: () => clockFinding(dependencies) },
  ];
}

async function versionFinding({
  database,
  url,
  place,
  expect,
}: DatabaseDependencies): Promise<Finding> {
  await expect?.(database);
  if (url !== undefined) await expectReachable(url);
  await one(database, 'SELECT 1');
  const startedMs = performance.now();
  const { number, version } = await one<{ number: number; version: string }>(
    database,
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version`,
  );
  const tookMs = (performance.now() - startedMs).toFixed(1);
  const figure = `PostgreSQL ${version}, ${place}, answers in ${tookMs} ms`;
  if (number >= 150_000) return ok(figure);
  return failure(figure, 'Zimbo needs PostgreSQL 15 or later: set DATABASE_URL to a newer server.');
}

/** Opens a session like the gateway's: the checks' own sessions are read-only. */
async function writesFinding({ url }: DatabaseDependencies): Promise<Finding> {
  if (url !== undefined) await expectWritable(url);
  return ok('the role may read and write');
}

async function migrationsFinding(database: Database): Promise<Finding> {
  const { missing, unknown } = await compareMigrations(database);
  const ofNewer = unknown.length === 0 ? '' : `; from a newer version: ${namesOf(unknown)}`;
  const waiting = missing.filter(({ kind }) => kind === 'CONTRACTS');
  const others = missing.filter(({ kind }) => kind !== 'CONTRACTS');
  if (others.length > 0) {
    const denied = await deniedFinding(database);
    if (denied) return denied;
    const advice = 'Start the gateway to apply them, or run:  zimbo migrate';
    return warning(`not applied yet: ${namesOf(others)}`, advice);
  }
  if (waiting.length === 0) return ok(`all applied${ofNewer}`);
  const words = `all applied that gateways need${ofNewer}; once no older version runs, zimbo migrate --contract applies ${namesOf(waiting)}`;
  return ok(words);
}

const namesOf = (migrations: { name: string }[]) => migrations.map(({ name }) => name).join(', ');

/** The role could not apply them. */
async function deniedFinding(database: Database): Promise<Finding | undefined> {
  const { may, role, name } = await one<{ may: boolean; role: string; name: string }>(
    database,
    `SELECT coalesce(has_schema_privilege(current_schema()::text, 'CREATE'), false) AS may,
       current_user::text AS role, current_database()::text AS name`,
  );
  if (may) return undefined;
  return failure(
    `the role ${role} may not create tables in the database ${name}`,
    ownershipHint(role, name),
  );
}

async function roleFinding(database: Database): Promise<Finding> {
  const { name, superuser } = await one<{ name: string; superuser: boolean }>(
    database,
    'SELECT rolname::text AS name, rolsuper AS superuser FROM pg_roles WHERE rolname = current_user',
  );
  if (!superuser) return ok(`${name}, not a superuser`);
  return warning(
    `${name} is a superuser`,
    'A superuser can change the ledger. Create a role that owns the database:  CREATE ROLE zimbo LOGIN PASSWORD …',
  );
}

async function appendOnlyFinding(database: Database): Promise<Finding> {
  const { granted } = await one<{ granted: string[] }>(
    database,
    `SELECT coalesce(array_agg(privilege ORDER BY privilege), '{}') AS granted
     FROM unnest('{UPDATE,DELETE,TRUNCATE}'::text[]) AS privilege
     WHERE has_table_privilege('postings', privilege)
       OR privilege = 'UPDATE' AND has_any_column_privilege('postings', privilege)`,
  );
  if (granted.length === 0) return ok('append-only');
  const list = granted.join(', ');
  return failure(
    `this role may ${list} postings`,
    `Revoke it:  REVOKE ${list} ON postings FROM CURRENT_USER, PUBLIC  (this does not restrict a superuser)`,
  );
}

async function durabilityFinding(database: Database): Promise<Finding> {
  const rows = await database.query<{ name: string }>({
    text: `SELECT name FROM pg_settings
      WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off' ORDER BY name`,
  });
  if (rows.length === 0) return ok('fsync, full_page_writes and synchronous_commit are on');
  const off = rows.map(({ name }) => name).join(', ');
  return failure(
    `off: ${off}`,
    'A power failure can lose committed payments. Turn it on in postgresql.conf, or with ALTER SYSTEM, ALTER DATABASE or ALTER ROLE.',
  );
}

const replicationOf = ({ database, config }: DatabaseDependencies): Promise<Finding> =>
  replicationFinding(database, config.databaseUrl ? hostCount(config.databaseUrl) : 1);

async function encodingFinding(database: Database): Promise<Finding> {
  const { encoding, name } = await one<{ encoding: string; name: string }>(
    database,
    `SELECT current_setting('server_encoding') AS encoding, quote_ident(current_database()) AS name`,
  );
  return encoding === 'UTF8' ? ok(encoding) : failure(encoding, databaseInUtf8(name));
}

const connectionsText = `
SELECT least(
    current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true)::integer, 0),
    nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1)) AS most,
  greatest((SELECT sum(numbackends) FROM pg_stat_database)::integer, 0) AS used
FROM pg_database d, pg_roles r
WHERE d.datname = current_database() AND r.rolname = current_user`;

async function connectionsFinding({ database, config }: DatabaseDependencies): Promise<Finding> {
  const wanted = config.databaseConnections;
  const { most, used } = await one<{ most: number; used: number }>(database, connectionsText);
  const left = Math.max(0, most - used);
  const figure = `${left} of ${most} are free, and a gateway uses up to ${wanted}`;
  if (most < wanted)
    return failure(figure, 'Lower DATABASE_CONNECTIONS, or raise max_connections of the server.');
  if (left >= wanted) return ok(figure);
  return warning(
    figure,
    'There are not enough for another gateway. Lower DATABASE_CONNECTIONS, or raise max_connections of the server.',
  );
}

const warnOffsetMs = 1_000;

async function clockFinding({ database, wallClock }: DatabaseDependencies): Promise<Finding> {
  const before = wallClock.nowMs();
  const ms = await readDatabaseMs(database);
  const after = wallClock.nowMs();
  // The database answered at some instant between the two: only the certain offset counts.
  const offsetMs = ms < before ? before - ms : ms > after ? after - ms : 0;
  if (Math.abs(offsetMs) <= warnOffsetMs) return ok(`within a second of the database's`);
  const figure = describeOffset(offsetMs);
  const advice = `Run a time service (chrony, systemd-timesyncd) on both machines: signatures use this clock, leases the database's. From ${longestOffsetMs / 1_000} s on, a gateway takes no work.`;
  return Math.abs(offsetMs) > longestOffsetMs ? failure(figure, advice) : warning(figure, advice);
}

async function one<Row>(database: Database, text: string): Promise<Row> {
  const [row] = await database.query<Row>({ text });
  if (row === undefined) throw new Error('the database gave no answer');
  return row;
}
