import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { type Database, openDatabase } from '../../../server/src/postgres/database.ts';
import { openEmbeddedDatabase } from '../../../server/src/postgres/embedded/embedded.ts';
import { cleanUp } from './cleanup.ts';
import { watchMemory } from './resources.ts';

const binaries = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin');
const startLimitMs = 60_000;
const statementTimeoutMs = 3_600_000;

/** A gateway of the bench's own, in a process of its own, and its database. */
export interface BenchGateway {
  url: string;
  key: string;
  processId: number;
  databaseUrl: string;
  /** A connection of the bench's own to the gateway's database. */
  database: Database;
  /** The most memory the gateway was seen to hold, in megabytes. */
  peakMegabytes(): number;
  /** Stops the gateway and removes its data. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  environment?: Record<string, string>;
  /** Settings of PostgreSQL. */
  tuning?: Record<string, string>;
  /** If the data lies and stays; without it, in a folder that is removed at the end. */
  dataDir?: string;
}

/** Starts a gateway on its embedded database and waits until it is ready. */
export async function startGateway(options: GatewayOptions = {}): Promise<BenchGateway> {
  const { environment = {}, tuning = {}, dataDir = await newDataDir() } = options;
  // Whoever comes first starts the server, and so has the say on its settings.
  const storage = await openEmbeddedDatabase({ dataDir, role: 'command', tuning });
  const { url: databaseUrl, location } = storage;
  const log = pino({ level: 'silent' });
  const database = openDatabase({ url: databaseUrl, log, maxConnections: 2, statementTimeoutMs });
  const child = spawnGateway(dataDir, environment);
  const memory = watchMemory(child.pid!);
  const stop = cleanUp(async () => {
    memory.stop();
    await end(child);
    await database.close();
    await storage.close();
    if (!options.dataDir) await removeData(dataDir, location);
  });
  const { ZIMBO_URL: url, ZIMBO_API_KEY: key } = await readyDemo(dataDir, child);
  return {
    url: url!,
    key: key!,
    processId: child.pid!,
    databaseUrl,
    database,
    peakMegabytes: memory.peakMegabytes,
    stop,
  };
}

export const newDataDir = () => mkdtemp(join(tmpdir(), 'zimbo-bench-'));

/** What PostgreSQL keeps may lie elsewhere: where its user can reach it. */
export async function removeData(dataDir: string, location: string): Promise<void> {
  await rm(location, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

/** As its users run it, with nothing of the caller's environment that would change what it does. */
export function spawnGateway(dataDir: string, environment: Record<string, string>): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  return spawn(join(binaries, 'zimbo'), ['start'], {
    env: {
      ...(HOME && { HOME }),
      ...(TMPDIR && { TMPDIR }),
      PATH: `${binaries}${delimiter}${PATH}`,
      PORT: '0',
      DATA_DIR: dataDir,
      RATE_LIMIT: 'off',
      PROMPTS_PER_PHONE: 'off',
      // All endpoints lead to one receiver.
      WEBHOOK_ENDPOINTS_PER_HOST: '100',
      SIMULATOR_DELAY_MS: '0',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function readyDemo(dataDir: string, child: ChildProcess): Promise<Record<string, string>> {
  const deadlineMs = Date.now() + startLimitMs;
  while (Date.now() < deadlineMs && child.exitCode === null) {
    await delay(50);
    try {
      const lines = readFileSync(join(dataDir, 'demo.env'), 'utf8').trim().split('\n');
      const demo = Object.fromEntries(lines.map((line) => line.split('=', 2)));
      const ready = await fetch(`${demo.ZIMBO_URL}/readyz`);
      if (ready.ok) return demo;
    } catch {
      // Not there yet.
    }
  }
  throw new Error('the gateway did not start');
}

/** Ends a process in order, and waits for it. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
