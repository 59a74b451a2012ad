import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../errors/start-error.ts';
import { connectionProblem } from './connection-problem.ts';
import { sessionConfig } from './database.ts';
import { primaryUrlOf } from './primary.ts';
import { type Writes, writeProblem, writesText } from './write-access.ts';

const oldestServer = 150_000;
const connectLimitMs = 10_000;
/** How long a second session waits for a server of the pooler: in session mode there may be none left. */
const secondLimitMs = 2_000;
const rounds = 3;

/** How to make the database that is needed. */
export const databaseInUtf8 = (name: string) =>
  `Make another in UTF8, since an encoding cannot be changed:  CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0;  "zimbo backup" and "zimbo restore" move there what this one holds.`;

/**
 * Refuses a database that no gateway can work with, before anything in it is changed.
 * @throws StartError with what to do; errors that may pass come through as they are
 */
export async function expectUsable(databaseUrl: string): Promise<void> {
  await withSessions(databaseUrl, async (first, open) => {
    await expectServer(first);
    await expectOwnSessions(first, open);
    await expectWrites(first);
  });
}

/**
 * The same without a look at what the database itself is: whoever saves what is in it needs no more.
 * @throws StartError as {@link expectUsable}
 */
export async function expectReachable(databaseUrl: string): Promise<void> {
  await withSessions(databaseUrl, expectOwnSessions);
}

/** @throws StartError where nothing can be written; an error that may pass where the server is a standby */
export async function expectWritable(databaseUrl: string): Promise<void> {
  await withSessions(databaseUrl, expectWrites);
}

type Open = () => Promise<pg.Client>;

/** Sessions such as the gateway's: what refuses its settings refuses these. */
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
      // A query in flight reports a lost connection itself.
      client.on('error', () => {});
      opened.push(client);
      await client.connect();
      return client;
    };
    await run(await open(), open);
  } catch (error) {
    const problem = connectionProblem(error);
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
  const { rows } = await client.query<Writes>(writesText);
  const problem = writeProblem(rows[0]!);
  if (problem) throw problem;
}

/**
 * A pooler that hands each transaction to another session breaks locks, prepared statements and settings. PostgreSQL
 * itself tells a client the process that serves it as soon as it connects, and poolers make that number up: only behind
 * one is there more to ask.
 */
async function expectOwnSessions(first: pg.Client, open: Open): Promise<void> {
  const { rows } = await first.query<{ ignored: string | null; processId: number }>(
    `SELECT CASE WHEN current_setting('TimeZone') <> 'UTC' THEN 'TimeZone'
                 WHEN current_setting('DateStyle') NOT LIKE 'ISO%' THEN 'DateStyle'
                 WHEN current_setting('bytea_output') <> 'hex' THEN 'bytea_output'
                 WHEN current_setting('jit')::boolean THEN 'jit'
                 WHEN current_setting('statement_timeout') = '0' THEN 'statement_timeout' END AS ignored,
       pg_backend_pid() AS "processId"`,
  );
  const { ignored, processId } = rows[0]!;
  if (Reflect.get(first, 'processID') !== processId && (await isShared(first, open))) {
    throw new StartError(
      'A pooler (such as PgBouncer) between Zimbo and the database hands transactions of one connection to several sessions, which share each of them.',
      'Zimbo has its own pool, and needs each session for itself: set pool_mode = session for this database in pgbouncer.ini, or let DATABASE_URL lead to PostgreSQL itself.',
    );
  }
  if (ignored !== null) throw settingsIgnored(ignored);
}

/**
 * Whether a session of the server serves two clients that are connected at once, or one client has several: whichever
 * way a pooler chooses among its idle sessions, one of the two shows within a few statements. Nothing is left behind in
 * them.
 */
async function isShared(first: pg.Client, open: Open): Promise<boolean> {
  const second = await open();
  const [ofFirst, ofSecond] = [new Set<number>(), new Set<number>()];
  for (let round = 0; round < rounds; round++) {
    for (let twice = 0; twice < 2; twice++) ofFirst.add(await processOf(first));
    const other = await Promise.race([processOf(second).catch(() => undefined), later()]);
    // It waits for a session, so the first client keeps its own.
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

const later = () => delay(secondLimitMs, undefined, { ref: false });

const settingsIgnored = (setting: string) =>
  new StartError(
    `The database sessions have another ${setting} than Zimbo asks for: DATABASE_URL asks for another, or a pooler (such as PgBouncer with ignore_startup_parameters = options) drops the settings.`,
    `Give them to the role, as an administrator of PostgreSQL:  ALTER ROLE zimbo SET timezone = 'UTC'; ALTER ROLE zimbo SET datestyle = 'ISO'; ALTER ROLE zimbo SET bytea_output = 'hex'; ALTER ROLE zimbo SET jit = off; ALTER ROLE zimbo SET plan_cache_mode = force_generic_plan; ALTER ROLE zimbo SET random_page_cost = 1.1; ALTER ROLE zimbo SET statement_timeout = '5s'; ALTER ROLE zimbo SET idle_in_transaction_session_timeout = '30s';`,
  );
