import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { cleanUp } from './cleanup.ts';
import { type Api, apiOf, eventually } from './gateway.ts';
import { inTerminal } from './terminal.ts';

export const zimbo = join(import.meta.dirname, '..', '..', 'bin', 'zimbo.js');

/** A gateway in its own process, as `npm start` runs it, on its embedded database. */
export interface GatewayProcess {
  child: ChildProcess;
  url: string;
  key: string;
  api: Api;
  /** Everything printed so far, to both streams. */
  printed(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** A DATA_DIR that is removed when the test ends. */
export async function testDataDir(context: Pick<TestContext, 'after'>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zimbo-data-'));
  cleanUp(context, () => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** Starts a gateway and waits until it is ready. */
export function startProcess(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<GatewayProcess> {
  const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: 'off', ...environment };
  const child = spawn(process.execPath, [zimbo, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return whenReady(child, dataDir);
}

/** Starts a gateway in a terminal, where it shows its secrets and stops with Ctrl-C. */
export function startInTerminal(
  dataDir: string,
  settings: Record<string, string>,
): Promise<GatewayProcess> {
  const { command, args, environment } = inTerminal([process.execPath, zimbo, 'start']);
  const env = { ...process.env, ...environment, DATA_DIR: dataDir, ...settings };
  return whenReady(spawn(command, args, { env, stdio: 'pipe' }), dataDir);
}

async function whenReady(
  child: ChildProcess & { stdout: Readable; stderr: Readable },
  dataDir: string,
): Promise<GatewayProcess> {
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const url = await eventually(
    'the gateway starts',
    () => {
      if (child.exitCode !== null) throw new Error(`the gateway ended: ${printed}`);
      return /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    },
    60_000,
  );
  const demo = await readFile(join(dataDir, 'demo.env'), 'utf8');
  const key = /ZIMBO_API_KEY=(\S+)/.exec(demo)![1]!;
  await eventually('the gateway is ready', async () => (await fetch(`${url}/readyz`)).ok);
  return {
    child,
    url,
    key,
    api: apiOf(url, key),
    printed: () => printed,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    },
  };
}

/** Runs a command to its end. */
export async function runZimbo(
  args: string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [zimbo, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
