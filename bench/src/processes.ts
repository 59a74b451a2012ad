import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openEmbeddedDatabase } from '../../server/src/platform/postgres/embedded.ts';
import type { LoadResult } from './load.ts';

const execute = promisify(execFile);
const here = import.meta.dirname;
const binaries = join(here, '..', '..', 'node_modules', '.bin');
const startLimitMs = 60_000;

export interface BenchGateway {
  url: string;
  key: string;
  databaseUrl: string;
  /** The most memory it was seen to hold, in megabytes. */
  peakMegabytes(): number;
  stop(): Promise<void>;
}

/** A gateway of the bench's own on a fresh embedded database. */
export async function startGateway(environment: Record<string, string>): Promise<BenchGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'zimbo-bench-'));
  const child = spawn(join(binaries, 'zimbo'), ['start'], {
    env: {
      ...process.env,
      PATH: `${binaries}${delimiter}${process.env.PATH}`,
      PORT: '0',
      DATA_DIR: dataDir,
      RATE_LIMIT: 'off',
      SIMULATOR_DELAY_MS: '0',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { ZIMBO_URL: url, ZIMBO_API_KEY: key } = await demoOf(dataDir, child);
  const memory = watchMemory(child);
  const database = await openEmbeddedDatabase({ dataDir, role: 'command' });
  return {
    url: url!,
    key: key!,
    databaseUrl: database.url,
    peakMegabytes: memory.peakMegabytes,
    async stop() {
      memory.stop();
      await end(child);
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function demoOf(dataDir: string, child: ChildProcess): Promise<Record<string, string>> {
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

function watchMemory(child: ChildProcess) {
  let peak = 0;
  const timer = setInterval(async () => {
    const { stdout } = await execute('ps', ['-o', 'rss=', '-p', String(child.pid)]).catch(() => ({
      stdout: '0',
    }));
    peak = Math.max(peak, Number(stdout) / 1_024);
  }, 500);
  return { peakMegabytes: () => peak, stop: () => clearInterval(timer) };
}

/** Runs the load in a process of its own. */
export async function runLoad(
  kind: 'creates' | 'lives' | 'floor',
  target: { url: string; key: string },
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const script = join(here, 'load.ts');
  const args = [script, kind, target.url, target.key, String(connections), String(seconds)];
  const { stdout } = await execute(process.execPath, args);
  return JSON.parse(stdout) as LoadResult;
}

/** The Fastify handler that does nothing. */
export async function startIdleFastify(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(here, 'idle-fastify.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [address] = (await once(child.stdout!, 'data')) as [Buffer];
  return { url: address.toString().trim(), stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
