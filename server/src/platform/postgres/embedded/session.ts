import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../errors/start-error.ts';
import { applicationRole } from './cluster.ts';
import type { DataDirectory } from './data-directory.ts';
import { readPostmaster, runningPostmaster } from './postmaster.ts';

/** A sole command runs beside other commands, but not beside a gateway. */
export type Role = 'gateway' | 'command' | 'sole command';

/** Advisory locks of the database `postgres`: all processes share the first, the gateway holds the second. */
const inUseLock = '2053729634, 1';
const gatewayLock = '2053729634, 2';

const connectLimitMs = 5_000;
/** A killed gateway may hold its lock until its server process notices. */
const gatewayLockLimitMs = 2_000;

/** The URL of a database, as `pg`, `psql` and `new URL()` read it; undefined while no server listens. */
export async function databaseUrl(
  directory: DataDirectory,
  database: string,
): Promise<string | undefined> {
  const { host, port } = (await readPostmaster(directory)) ?? {};
  if (!host) return undefined;
  if (!host.startsWith('/'))
    return `postgres://${applicationRole}:${directory.password}@${host}:${port}/${database}?sslmode=disable`;
  const path = host.split('/').map(encodeURIComponent).join('/');
  return `postgres://${applicationRole}:${directory.password}@localhost/${database}?host=${path}&port=${port}&sslmode=disable`;
}

/**
 * Connects to the running server of this DATA_DIR. `absent`: no server listens; `busy`: the server is starting,
 * stopping or full, so a later try may succeed.
 * @throws StartError if the server that answers has other data.
 */
export async function connect(directory: DataDirectory): Promise<pg.Client | 'absent' | 'busy'> {
  const connectionString = await databaseUrl(directory, 'postgres');
  if (!connectionString) return classifyFailure(directory);
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectLimitMs,
    keepAlive: true,
    application_name: 'zimbo lock',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await assertOurs(client, directory);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return classifyFailure(directory);
    if (isTransient(error)) return 'busy';
    if (code === '28P01') throw wrongPassword(directory, error);
    throw error;
  }
}

const wrongPassword = ({ dataDir }: DataDirectory, cause: unknown) =>
  new StartError(
    `The PostgreSQL of DATA_DIR ${dataDir} rejects the password in its zimbo.json: the file belongs to other data, or another version of Zimbo has changed the password.`,
    'Start the version that ran here last, or restore the zimbo.json that belongs to these files.',
    { cause },
  );

/**
 * Checked only if no server answers: a server in another container that shares DATA_DIR answers, but its process is
 * invisible.
 */
async function classifyFailure(directory: DataDirectory): Promise<'absent' | 'busy'> {
  return (await runningPostmaster(directory)) ? 'busy' : 'absent';
}

/**
 * Takes the locks of this role.
 * @throws StartError if another gateway runs on this DATA_DIR and the role does not allow one.
 */
export async function takeLocks(
  client: pg.Client,
  role: Role,
  directory: DataDirectory,
): Promise<void> {
  await client.query(`SELECT pg_advisory_lock_shared(${inUseLock})`);
  if (role === 'command') return;
  const deadlineMs = performance.now() + gatewayLockLimitMs;
  while (!(await tryLock(client, gatewayLock))) {
    if (performance.now() > deadlineMs) throw gatewayRunningError(role, directory);
    await sleep(50);
  }
}

function gatewayRunningError(role: Role, { dataDir }: DataDirectory): StartError {
  if (role === 'sole command') {
    return new StartError(
      `A gateway is running on DATA_DIR ${dataDir}, and this command cannot run beside it.`,
      'Stop the gateway, run this again, and start the gateway.',
    );
  }
  return new StartError(
    `Another gateway is running on DATA_DIR ${dataDir}.`,
    'Stop that one, or give this one its own DATA_DIR. Several gateways on the same data need a PostgreSQL server: set DATABASE_URL.',
  );
}

/** Releases the shared lock; true if nobody else holds it, so that the server may be stopped. */
export async function isLastUser(client: pg.Client): Promise<boolean> {
  await client.query(`SELECT pg_advisory_unlock_shared(${inUseLock})`);
  return tryLock(client, inUseLock);
}

async function tryLock(client: pg.Client, lock: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_lock(${lock}) AS locked`,
  );
  return rows[0]?.locked ?? false;
}

async function assertOurs(client: pg.Client, { dataDir, location }: DataDirectory): Promise<void> {
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const found = resolve(rows[0]?.data_directory ?? '');
  if (found === join(location, 'data')) return;
  throw new StartError(
    `The PostgreSQL that answers for DATA_DIR ${dataDir} has its data in ${found}.`,
    'If the directory was moved or copied while Zimbo was running, stop that PostgreSQL first.',
  );
}

const transientCodes = new Set([
  // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The server is starting, stopping or full: a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StartError) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  // Errors of the driver itself have no code.
  return code === undefined
    ? /terminated|timeout|not queryable/i.test(message)
    : transientCodes.has(code);
}
