import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../errors/start-error.ts';
import { explainConnectionError } from './connection-problem.ts';
import { sessionConfig } from './database.ts';
import { primaryUrlOf } from './primary.ts';
import { explainWriteProblem, type WriteAccess, writeAccessText } from './write-access.ts';

const oldestServer = 150_000;
const connectLimitMs = 10_000;
/** How long a second session waits for the pooler: in session mode, no server connection may be free. */
const secondSessionLimitMs = 2_000;
const rounds = 3;

/** How to create a suitable database. */
export const databaseInUtf8 = (name: string) =>
  `An encoding cannot be changed. Create another database in UTF8:  CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0;  "zimbo backup" and "zimbo restore" move there what this one holds.`;

/**
 * Refuses a database that no gateway can work with, before changing anything in it.
 * @throws StartError with instructions; transient errors are rethrown unchanged
 */
export async function expectUsable(databaseUrl: string): Promise<void> {
  await withSessions(databaseUrl, async (first, open) => {
    await expectServer(first);
    await expectExclusiveSessions(first, open);
    await expectWrites(first);
  });
}

/**
 * Checks the sessions, but not the database itself: a backup needs no more.
 * @throws StartError like {@link expectUsable}
 */
export async function expectReachable(databaseUrl: string): Promise<void> {
  await withSessions(databaseUrl, expectExclusiveSessions);
}

/** @throws StartError if the role cannot write; a transient error if the server is a standby */
export async function expectWritable(databaseUrl: string): Promise<void> {
  await withSessions(databaseUrl, expectWrites);
}

type Open = () => Promise<pg.Client>;

/** Opens sessions like the gateway's, so that a server or pooler that refuses their settings shows here. */
async function withSessions(
  databaseUrl: string,
  run: (first: pg.Client, open: Open) => Promise<void>,
): Promise<void> {
  const opened: pg.Client[] = [];
  try {
    const url = await primaryUrlOf(databaseUrl);
    const open = async () => {
      const client = new pg.Client({
        ...sessionConfig(url),
        connectionTimeoutMillis: connectLimitMs,
      });
      // A lost connection fails the query in flight.
      client.on('error', () => {});
      opened.push(client);
      await client.connect();
      return client;
    };
    await run(await open(), open);
  } catch (error) {
    const problem = explainConnectionError(error);
    throw problem ? new StartError(problem.message, problem.hint, { cause: error }) : error;
  } finally {
    await Promise.all(opened.map((client) => client.end().catch(() => {})));
  }
}

async function expectServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    number: number;
    version: string;
    name: string;
    encoding: string;
  }>(
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version,
       quote_ident(current_database()) AS name, current_setting('server_encoding') AS encoding`,
  );
  const { number, version, name, encoding } = rows[0]!;
  if (number < oldestServer) {
    throw new StartError(
      `The database server is PostgreSQL ${version}; Zimbo needs PostgreSQL 15 or later.`,
      'Set DATABASE_URL to a newer server.',
    );
  }
  if (encoding === 'UTF8') return;
  throw new StartError(
    `The database ${name} has the encoding ${encoding}; Zimbo needs UTF8, or it could not keep what customers and merchants write.`,
    databaseInUtf8(name),
  );
}

async function expectWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query<WriteAccess>(writeAccessText);
  const problem = explainWriteProblem(rows[0]!);
  if (problem) throw problem;
}

/**
 * A pooler that gives each transaction to another session breaks locks, prepared statements and settings. PostgreSQL
 * tells each client its backend's process id on connection; poolers invent that number. Only if the number differs is
 * there more to check.
 */
async function expectExclusiveSessions(first: pg.Client, open: Open): Promise<void> {
  const { rows } = await first.query<{ ignored: string | null; processId: number }>(
    `SELECT CASE WHEN current_setting('TimeZone') <> 'UTC' THEN 'TimeZone'
                 WHEN current_setting('DateStyle') NOT LIKE 'ISO%' THEN 'DateStyle'
                 WHEN current_setting('bytea_output') <> 'hex' THEN 'bytea_output'
                 WHEN current_setting('default_transaction_isolation') <> 'read committed' THEN 'default_transaction_isolation'
                 WHEN current_setting('standard_conforming_strings') <> 'on' THEN 'standard_conforming_strings'
                 WHEN current_setting('jit')::boolean THEN 'jit'
                 WHEN current_setting('statement_timeout') = '0' THEN 'statement_timeout' END AS ignored,
       pg_backend_pid() AS "processId"`,
  );
  const { ignored, processId } = rows[0]!;
  if (Reflect.get(first, 'processID') !== processId && (await isShared(first, open))) {
    throw new StartError(
      'A pooler (such as PgBouncer) between Zimbo and the database spreads the transactions of one connection over several sessions and shares each session among clients.',
      'Zimbo has its own pool, and needs exclusive sessions: set pool_mode = session for this database in pgbouncer.ini, or point DATABASE_URL to PostgreSQL itself.',
    );
  }
  if (ignored !== null) throw settingsError(ignored);
}

/**
 * Whether a server session serves two connected clients, or one client gets several sessions: however a pooler
 * chooses among its idle sessions, one of the two shows within a few statements. The check leaves nothing behind in
 * the sessions.
 */
async function isShared(first: pg.Client, open: Open): Promise<boolean> {
  const second = await open();
  const [ofFirst, ofSecond] = [new Set<number>(), new Set<number>()];
  for (let round = 0; round < rounds; round++) {
    for (let twice = 0; twice < 2; twice++) ofFirst.add(await processOf(first));
    const other = await Promise.race([processOf(second).catch(() => undefined), later()]);
    // This query waits for a session, so the first client keeps its own.
    if (other === undefined) return false;
    ofSecond.add(other);
    if (ofFirst.size > 1 || ofSecond.size > 1 || ofFirst.has(other)) return true;
  }
  return false;
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}

const later = () => delay(secondSessionLimitMs, undefined, { ref: false });

const settingsError = (setting: string) =>
  new StartError(
    `The database sessions have a different ${setting} than Zimbo requests: DATABASE_URL requests another value, or a pooler (such as PgBouncer with ignore_startup_parameters = options) drops the settings.`,
    `As an administrator of PostgreSQL, set them for the role:  ALTER ROLE zimbo SET timezone = 'UTC'; ALTER ROLE zimbo SET datestyle = 'ISO'; ALTER ROLE zimbo SET bytea_output = 'hex'; ALTER ROLE zimbo SET default_transaction_isolation = 'read committed'; ALTER ROLE zimbo SET standard_conforming_strings = on; ALTER ROLE zimbo SET jit = off; ALTER ROLE zimbo SET plan_cache_mode = force_generic_plan; ALTER ROLE zimbo SET random_page_cost = 1.1; ALTER ROLE zimbo SET statement_timeout = '5s'; ALTER ROLE zimbo SET idle_in_transaction_session_timeout = '30s';`,
  );
