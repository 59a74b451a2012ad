import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { type Database, openDatabase } from '../../../server/src/platform/postgres/database.ts';
import { cleanUp } from './cleanup.ts';
import { watchMemory } from './resources.ts';
import { makeTenants } from './rows.ts';
import { type BenchServer, freePort, newDataDir, startServer } from './server.ts';

const binaries = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin');
/** The program as users run it. */
export const zimboProgram = join(binaries, 'zimbo');
/** The number of processes of each gateway: the only variable taken from the caller's environment. */
const processes = process.env.ZIMBO_PROCESSES || '1';
const startLimitMs = 60_000;
const statementTimeoutMs = 3_600_000;

/** A gateway in its own process, with its database. */
export interface BenchGateway {
  url: string;
  key: string;
  processId: number;
  /** The postmaster of its PostgreSQL. */
  postgresId: number;
  databaseUrl: string;
  /** The bench's own connection to the gateway's database. */
  database: Database;
  /** The highest observed memory of the gateway, in megabytes. */
  peakMegabytes(): number;
  /** Stops the gateway and removes its data; an external server stays. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  environment?: Record<string, string>;
  /** Settings of PostgreSQL. */
  tuning?: Record<string, string>;
  /** A folder for data that stays; by default a folder that is removed at the end. */
  dataDir?: string;
}

/** Starts a gateway on its embedded database and waits until it is ready. */
export async function startGateway({
  environment = {},
  ...options
}: GatewayOptions = {}): Promise<BenchGateway> {
  const server = await startServer(options);
  const { dataDir, socketUrl } = server;
  const child = spawnGateway(dataDir, environment);
  const running = runningGateway(child, server, socketUrl, () => server.stop());
  const { ZIMBO_URL: url, ZIMBO_API_KEY: key } = await whenReady(child, () => readDemo(dataDir));
  return { ...running, url: url!, key: key! };
}

/** Starts a gateway with a server's DATABASE_URL, by TCP, and creates a merchant with a key. */
export async function startGatewayOn(
  server: BenchServer,
  environment: Record<string, string> = {},
): Promise<BenchGateway> {
  const dataDir = await newDataDir();
  const port = String(await freePort());
  const child = spawnGateway(dataDir, {
    DATABASE_URL: server.url,
    ZIMBO_SECRET_KEY: randomBytes(32).toString('base64'),
    PORT: port,
    // The load's receivers are on this machine.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...environment,
  });
  const remove = () => rm(dataDir, { recursive: true, force: true });
  const running = runningGateway(child, server, server.url, remove);
  const url = `http://127.0.0.1:${port}`;
  await whenReady(child, () => ({ ZIMBO_URL: url }));
  const [key] = await makeTenants(running.database, 1);
  return { ...running, url, key: key! };
}

function runningGateway(
  child: ChildProcess,
  { postgresId }: BenchServer,
  databaseUrl: string,
  remove: () => Promise<void>,
): Omit<BenchGateway, 'url' | 'key'> {
  const log = pino({ level: 'silent' });
  const database = openDatabase({ url: databaseUrl, log, maxConnections: 2, statementTimeoutMs });
  const memory = watchMemory(child.pid!);
  const stop = cleanUp(async () => {
    memory.stop();
    await end(child);
    await database.close();
    await remove();
  });
  const { peakMegabytes } = memory;
  return { processId: child.pid!, postgresId, databaseUrl, database, peakMegabytes, stop };
}

/** Starts `zimbo start` like a user, on any free port. */
export function spawnGateway(dataDir: string, environment: Record<string, string>): ChildProcess {
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    PROMPTS_PER_PHONE: 'off',
    // All endpoints lead to one receiver.
    WEBHOOK_ENDPOINTS_PER_HOST: '100',
    SIMULATOR_DELAY_MS: '0',
    LOG_LEVEL: 'error',
    ZIMBO_PROCESSES: processes,
    ...environment,
  };
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  return spawn(zimboProgram, ['start'], { env: environmentOf(settings), stdio: [...stdio] });
}

/** The settings, without variables of the caller that would change the program's behaviour. */
export function environmentOf(settings: Record<string, string>): Record<string, string> {
  const { PATH, HOME, TMPDIR } = process.env;
  return {
    ...(HOME && { HOME }),
    ...(TMPDIR && { TMPDIR }),
    PATH: `${binaries}${delimiter}${PATH}`,
    ...settings,
  };
}

async function whenReady(
  child: ChildProcess,
  find: () => Record<string, string>,
): Promise<Record<string, string>> {
  const deadlineMs = Date.now() + startLimitMs;
  while (Date.now() < deadlineMs && child.exitCode === null) {
    await delay(50);
    try {
      const found = find();
      const ready = await fetch(`${found.ZIMBO_URL}/readyz`);
      if (ready.ok && (await haveAllStarted(found.ZIMBO_URL!))) return found;
    } catch {
      // Does not exist yet.
    }
  }
  throw new Error('the gateway did not start');
}

/** The first of several processes serves a moment before the others, and would get all lasting connections. */
async function haveAllStarted(url: string): Promise<boolean> {
  if (processes === '1') return true;
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return metrics.includes(`\nzimbo_processes ${processes}\n`);
}

/** The address and key of the merchant that a new embedded database starts with. */
function readDemo(dataDir: string): Record<string, string> {
  const lines = readFileSync(join(dataDir, 'demo.env'), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split('=', 2)));
}

/** Stops a process in order, and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
