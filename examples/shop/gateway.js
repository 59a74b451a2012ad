// Finds the gateway of this laptop, or starts one as npm start does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseEnv } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
export const dataDir = resolve(process.env.DATA_DIR ?? join(root, '.zimbo'));

/** @returns its address, the key of the demo merchant, and what ends it if it was started here */
export async function openGateway() {
  const running = await demoGateway();
  if (running) return { ...running, stop: async () => {} };
  if (process.env.DATABASE_URL) {
    console.error('DATABASE_URL is set, but the shop needs the demo merchant: please unset it.');
    process.exit(1);
  }
  return startGateway();
}

/** The gateway that demo.env names, if it answers. */
async function demoGateway() {
  const demo = await readEnvironment(join(dataDir, 'demo.env'));
  const url = demo.ZIMBO_URL;
  const isReady = await fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
  return isReady ? { url, key: demo.ZIMBO_API_KEY } : undefined;
}

async function startGateway() {
  console.log('Starting a gateway…');
  const program = join(root, 'server', 'bin', 'zimbo.js');
  const child = spawn(process.execPath, [program, 'start'], {
    // What the gateway says of each request would bury the one line that matters here.
    env: { LOG_LEVEL: 'warn', ...process.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  while (!hasEnded()) {
    const running = await demoGateway();
    if (running) {
      const stop = async () => {
        child.kill();
        await exit;
      };
      return { ...running, stop };
    }
    await setTimeout(100);
  }
  // It has said why.
  process.exit(1);
}

/** The variables of a file; none if there is no such file. */
export async function readEnvironment(path) {
  return parseEnv(await readFile(path, 'utf8').catch(() => ''));
}
